package io.agenthooks.spring.guard;

import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.Unguarded;

/**
 * Consequence of finding a tool whose calls pass no hooks: the one that is written. If
 * none is, such a tool is denied as soon as a hook decides, and told before, when there
 * is nothing that it could evade.
 *
 * @since 0.1.0
 */
public final class UnguardedConsequence {

	/** How to let such a tool run, as the end of an advice. */
	public static final String HOW_TO_ALLOW = "to let such calls pass without hooks, set "
			+ "'hooks.tool_call.unguarded' to 'warn'";

	/** The consequence where nothing is left to be guarded. */
	public static final UnguardedConsequence DENIAL = new UnguardedConsequence(Unguarded.DENY, () -> true);

	private final @Nullable Unguarded written;

	private final BooleanSupplier decides;

	private UnguardedConsequence(@Nullable Unguarded written, BooleanSupplier decides) {
		this.written = written;
		this.decides = decides;
	}

	/**
	 * Read what is written.
	 * @param environment the configuration of the application
	 * @param decides whether a hook decides; asked each time, and only if nothing is
	 * written
	 * @return the consequence
	 */
	public static UnguardedConsequence of(ConfigurableEnvironment environment, BooleanSupplier decides) {
		return new UnguardedConsequence(HookPropertySources.of(environment).unguarded(), decides);
	}

	/**
	 * Whether nothing is done, whichever hooks there are.
	 * @return whether such tools need not be looked for
	 */
	public boolean isNothing() {
		return this.written == Unguarded.IGNORE;
	}

	/**
	 * Whether such a tool must not run.
	 * @return whether it is denied
	 */
	public boolean isDenial() {
		return (this.written != null) ? this.written == Unguarded.DENY : this.decides.getAsBoolean();
	}

}
