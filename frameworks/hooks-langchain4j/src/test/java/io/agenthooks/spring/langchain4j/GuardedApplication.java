package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import dev.langchain4j.agent.tool.Tool;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a hook that decides by the path of a file, a tool that reads files,
 * and somebody who writes down what happens.
 */
final class GuardedApplication {

	private GuardedApplication() {
	}

	static ApplicationContextRunner runner() {
		return withoutHook().withBean("by-path", PreToolHook.class, () -> GuardedApplication::decide)
			.withBean(ToolApprover.class, () -> (call, question) -> (path(call).equals("ask")) ? ToolDecision.approve()
					: ToolDecision.deny("The person says no"));
	}

	static ApplicationContextRunner withoutHook() {
		return new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class))
			.withBean(Journal.class, Journal::new);
	}

	private static String path(ToolCall call) {
		return String.valueOf(call.arguments().get("path"));
	}

	private static ToolDecision decide(ToolCall call) {
		return switch (path(call)) {
			case "deny" -> ToolDecision.deny("Not this one");
			case "modify" -> ToolDecision.modify(Map.of("path", "modified"));
			case "modify-wrongly" -> ToolDecision.modify(Map.of("path", List.of(1)));
			case "respond" -> ToolDecision.respond(ToolResult.success("The answer of a hook"));
			case "add" -> ToolDecision.approve().withAdditionalContext("Mind the gap");
			case "ask", "ask-no" -> ToolDecision.ask("May it?");
			case "turn" -> ToolDecision.abortTurn("Enough of this turn");
			case "run" -> ToolDecision.abortRun("Enough of this run");
			case "broken" -> throw new IllegalStateException("secret");
			default -> ToolDecision.approve();
		};
	}

	/**
	 * The tools. They run as often as they say.
	 */
	static final class Files {

		final List<String> read = new CopyOnWriteArrayList<>();

		@Tool("Reads a file")
		String read(String path) {
			this.read.add(path);
			if (path.equals("throw")) {
				throw new IllegalStateException("The disk is on fire");
			}
			return "Content of " + path;
		}

	}

	/**
	 * What the application hears of calls.
	 */
	static final class Journal {

		final List<ToolCallEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void hear(ToolCallEvent event) {
			this.events.add(event);
		}

		List<ToolOutcome> outcomes() {
			return this.events.stream()
				.filter(ToolCallEvent.Ended.class::isInstance)
				.map((event) -> ((ToolCallEvent.Ended) event).outcome())
				.toList();
		}

		/**
		 * How the only call ended. That it began and ended once is checked, too.
		 */
		ToolOutcome outcome() {
			assertEachCallEndedOnce();
			assertThat(outcomes()).hasSize(1);
			return outcomes().get(0);
		}

		void assertEachCallEndedOnce() {
			Map<String, Long> begun = this.events.stream()
				.filter(ToolCallEvent.Started.class::isInstance)
				.collect(Collectors.groupingBy((event) -> event.call().id(), Collectors.counting()));
			Map<String, Long> ended = outcomes().stream()
				.collect(Collectors.groupingBy((outcome) -> outcome.requested().id(), Collectors.counting()));
			assertThat(ended).isEqualTo(begun).allSatisfy((id, times) -> assertThat(times).isOne());
		}

	}

}
