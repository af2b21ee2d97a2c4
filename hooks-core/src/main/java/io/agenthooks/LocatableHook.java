package io.agenthooks;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A hook that decides by rules of its configuration, and names the one that decided.
 *
 * @since 0.1.0
 */
public interface LocatableHook extends Hook {

	/**
	 * A copy of the hook whose {@linkplain HookRule rules} know their place in the
	 * configuration.
	 * @param places finds the place of an option, such as {@code application.yaml:12:9},
	 * by the names and positions that lead to it: {@code deny_tools}, {@code 0};
	 * {@code null} if nobody knows
	 * @return the hook
	 */
	Hook writtenAt(Function<List<String>, @Nullable String> places);

}
