package io.agenthooks;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Masks the arguments of a call before they leave the application. A pre-call hook that
 * is one of these masks what every {@link ExternalHook} behind it gets, all that learn
 * how the call ended, and the events of the call; the tool and all other hooks get the
 * arguments themselves.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ArgumentsMask {

	/** Replaces an argument that must not be seen. */
	String MASK = "[redacted:argument]";

	/**
	 * Mask arguments.
	 * @param arguments the arguments by name, deeply immutable JSON values
	 * @return what may be seen of them, the same object if that is all; {@code null} if
	 * they cannot be masked: then nothing is sent, and who would have to see them to
	 * decide denies
	 */
	@Nullable Map<String, @Nullable Object> mask(Map<String, @Nullable Object> arguments);

}
