package io.agenthooks.toolcall;

import java.util.Map;
import java.util.function.Supplier;

/**
 * Hooks for tests.
 */
final class Hooks {

	private Hooks() {
	}

	/**
	 * A hook that may be asked again.
	 */
	static PreToolHook policy(PreToolHook hook) {
		return new Policy(hook);
	}

	static PreToolHook policyAgainst(String command) {
		return policy((call) -> (command.equals(call.arguments().get("command")))
				? ToolDecision.deny("%s is forbidden".formatted(command)) : ToolDecision.approve());
	}

	static PreToolHook changingCommandTo(String command) {
		return (call) -> ToolDecision.modify(Map.of("command", command));
	}

	static PreToolHook answering(String content) {
		return (call) -> ToolDecision.respond(ToolResult.success(content));
	}

	/**
	 * A hook named {@code broken} that throws anything, also what the compiler forbids.
	 */
	static PreToolHook failing(Supplier<? extends Throwable> failure) {
		return PreToolHook.named("broken", (call) -> {
			throw sneaky(failure.get());
		});
	}

	/**
	 * A result hook named {@code broken} that throws anything.
	 */
	static ToolResultHook failingOnResult(Supplier<? extends Throwable> failure) {
		return ToolResultHook.named("broken", (call, result) -> {
			throw sneaky(failure.get());
		});
	}

	/**
	 * Throw anything, also what the compiler forbids.
	 * @return never
	 */
	static RuntimeException sneaky(Throwable ex) {
		Hooks.<RuntimeException>throwAny(ex);
		throw new AssertionError("unreachable");
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void throwAny(Throwable ex) throws X {
		throw (X) ex;
	}

	private record Policy(PreToolHook delegate) implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return this.delegate.preCall(call);
		}

		@Override
		public boolean isRepeatable() {
			return true;
		}

	}

}
