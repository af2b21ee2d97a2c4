package io.agenthooks.spring.assembly;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.core.Ordered;

import io.agenthooks.Hook;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookOptions;

/**
 * All hooks of one kind that are active together, in the order in which they are asked.
 * Stable, so within one order beans come first, then the rest as written and registered.
 *
 * @param <H> the kind of hook
 */
final class AssembledHooks<H extends Hook> {

	private final List<AssembledHook<H>> hooks;

	AssembledHooks(Collection<AssembledHook<H>> hooks) {
		this.hooks = hooks.stream()
			.sorted(Comparator.comparing((AssembledHook<H> hook) -> hook.listed().phase())
				.thenComparingInt((hook) -> hook.listed().options().order()))
			.toList();
	}

	AssembledHooks<H> with(Collection<AssembledHook<H>> others) {
		return new AssembledHooks<>(Stream.concat(this.hooks.stream(), others.stream()).toList());
	}

	List<ActiveHooks.Listed> list() {
		return this.hooks.stream().map(AssembledHook::listed).toList();
	}

	private List<ActiveHooks.Listed> list(Phase phase) {
		return list().stream().filter((hook) -> hook.phase() == phase).toList();
	}

	boolean isEmpty() {
		return this.hooks.isEmpty();
	}

	boolean has(String name) {
		return this.hooks.stream().anyMatch((hook) -> hook.listed().name().equals(name));
	}

	/**
	 * The entries of a chain for one phase.
	 * @param part what the hooks of that phase are
	 */
	<K extends H> List<HookEntry<K>> entries(Phase phase, Class<K> part) {
		return this.hooks.stream()
			.filter((hook) -> hook.listed().phase() == phase)
			.map((hook) -> hook.entry().as(part))
			.toList();
	}

	/**
	 * The hooks as a block of text, one by one, for the log.
	 * @param title what stands above them
	 * @param noun what they are around: a {@code call} or a {@code run}
	 * @param result what some may replace: a {@code result} or a {@code response}
	 */
	String describe(String title, String noun, String result) {
		StringBuilder text = new StringBuilder(title);
		describe(text, "before the " + noun, list(Phase.PRE_CALL));
		if (!list(Phase.RESULT).isEmpty()) {
			describe(text, "about the " + result, list(Phase.RESULT));
		}
		describe(text, "after the " + noun, list(Phase.POST_CALL));
		return text.toString();
	}

	private static void describe(StringBuilder text, String title, List<ActiveHooks.Listed> hooks) {
		text.append("%n  %s:".formatted(title));
		if (hooks.isEmpty()) {
			text.append(" none");
		}
		for (int i = 0; i < hooks.size(); i++) {
			ActiveHooks.Listed hook = hooks.get(i);
			HookOptions options = hook.options();
			text.append("%n    %d. %s (type %s%s%s, from %s)".formatted(i + 1, hook.name(), hook.type(),
					(options.order() != Ordered.LOWEST_PRECEDENCE) ? ", order " + options.order() : "",
					(options.mode() == HookOptions.Mode.OBSERVE) ? ", observes only" : "", hook.origin()));
		}
	}

}
