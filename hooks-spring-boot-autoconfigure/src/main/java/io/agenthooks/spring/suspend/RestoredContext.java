package io.agenthooks.spring.suspend;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;

/**
 * Compares what hooks were told of a request with what they would be told now.
 *
 * @since 0.1.0
 */
public final class RestoredContext {

	/** The reason why a turn does not go on if it is not the same. */
	public static final String OBJECTION = "The role or the workspace of the request could not be restored: they depend "
			+ "on more than what is kept of it.";

	private RestoredContext() {
	}

	/**
	 * Whether hooks are told the same role and workspace as before.
	 * @param before what they were told, or {@code null} if that is not known
	 * @param customizers add to it
	 * @param attributes what the customizers get
	 * @return {@code false} also if that cannot be found out
	 */
	public static boolean isSame(@Nullable CallContext before, List<CallContextCustomizer> customizers,
			Supplier<Map<String, @Nullable Object>> attributes) {
		if (before == null) {
			return false;
		}
		CallContext known = CallContext.empty()
			.withSessionId(before.sessionId())
			.withUser(before.user())
			.withAgent(before.agent())
			.withAuthorities(before.authorities())
			.withClaims(before.claims());
		try {
			CallContext now = CallContextCustomizer.customize(customizers, known, attributes);
			return Objects.equals(before.role(), now.role()) && Objects.equals(before.workspace(), now.workspace());
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

}
