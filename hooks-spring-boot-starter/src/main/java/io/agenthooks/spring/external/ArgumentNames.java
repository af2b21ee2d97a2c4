package io.agenthooks.spring.external;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

import io.agenthooks.toolcall.ToolCall;

/**
 * Refuses calls that a program may read otherwise than the tool does. Readers of JSON in
 * Go, C# and PowerShell take {@code Command} for {@code command}, and of two the last
 * one, so an agent could show such a program something harmless.
 *
 * @since 0.1.0
 */
public final class ArgumentNames {

	private ArgumentNames() {
	}

	/**
	 * Check that the names of arguments differ by more than case.
	 * @param call the call
	 * @throws NoVerdictException if they do not
	 */
	public static void check(ToolCall call) throws NoVerdictException {
		Set<String> names = new HashSet<>();
		for (String name : call.arguments().keySet()) {
			// A few letters are the same as others only in capitals, or only in small.
			if (!names.add(name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT))) {
				throw NoVerdictException.refusal("The call has arguments whose names differ in case only");
			}
		}
	}

}
