package io.agenthooks.spring.external;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;

/**
 * Refuses calls that a program or a server may read otherwise than the tool does. Readers
 * of JSON in Go, C# and PowerShell take {@code Command} for {@code command}, and of two
 * the last one, so an agent could show such a reader something harmless.
 *
 * @since 0.1.0
 */
public final class ArgumentNames {

	private ArgumentNames() {
	}

	/**
	 * Check that the names of arguments, and those in objects among their values, differ
	 * by more than case.
	 * @param call the call
	 * @throws NoVerdictException if they do not
	 */
	public static void check(ToolCall call) throws NoVerdictException {
		if (!hasDistinctNames(call.arguments())) {
			throw NoVerdictException.refusal("The call has arguments whose names differ in case only");
		}
	}

	private static boolean hasDistinctNames(@Nullable Object value) {
		if (value instanceof Map<?, ?> object) {
			Set<String> names = new HashSet<>();
			return object.keySet().stream().allMatch((name) -> names.add(withoutCase(String.valueOf(name))))
					&& object.values().stream().allMatch(ArgumentNames::hasDistinctNames);
		}
		return !(value instanceof List<?> array) || array.stream().allMatch(ArgumentNames::hasDistinctNames);
	}

	/** A few letters are the same as others only in capitals, or only in small. */
	private static String withoutCase(String name) {
		return name.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
	}

}
