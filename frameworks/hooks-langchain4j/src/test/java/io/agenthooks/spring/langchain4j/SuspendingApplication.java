package io.agenthooks.spring.langchain4j;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * An application with calls that wait for people by the path of a file. Nothing is
 * stored: turns are kept in a list. {@code AiServiceResumeTests} has the whole of it.
 */
final class SuspendingApplication {

	final Files files = new Files();

	final Turns turns = new Turns();

	final Map<Object, ChatMemory> memories = new ConcurrentHashMap<>();

	/** What the hook of a call waits for that is asked about when its turn is over. */
	final CountDownLatch turnIsOver = new CountDownLatch(1);

	int window = 100;

	ApplicationContextRunner suspending() {
		return withoutStore().withBean(SuspendedTurns.class, () -> this.turns)
			.withBean(ToolApprovals.class, NoApprovals::new);
	}

	/**
	 * An application where people are asked, and nothing keeps turns.
	 */
	ApplicationContextRunner withoutStore() {
		return GuardedApplication.withoutHook()
			.withBean("by-path", PreToolHook.class, () -> this::decide)
			.withBean(ToolApprover.class, () -> (call, question) -> question.pendingAs("q-" + path(call)));
	}

	private ToolDecision decide(ToolCall call) {
		return switch (path(call)) {
			case "deny" -> ToolDecision.deny("Not this one");
			case "wait-late" -> late();
			case "turn" -> ToolDecision.abortTurn("Enough of this turn");
			default -> (path(call).startsWith("wait")) ? ToolDecision.ask("May it?") : ToolDecision.approve();
		};
	}

	private ToolDecision late() {
		try {
			assertThat(this.turnIsOver.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return ToolDecision.ask("May it?");
	}

	private static String path(ToolCall call) {
		return String.valueOf(call.arguments().get("path"));
	}

	String ask(Way way, ScriptedModel model) {
		return way.ask(service(way, model).tools(this.files).build(), "s");
	}

	AiServices<Way.Assistant> service(Way way, ScriptedModel model) {
		return way.service(model).chatMemoryProvider(this::memory);
	}

	ChatMemory memory(Object id) {
		return this.memories.computeIfAbsent(id, (any) -> MessageWindowChatMemory.withMaxMessages(this.window));
	}

	static ApprovalPendingException pending(ThrowingCallable asking) {
		ApprovalPendingException pending = catchThrowableOfType(ApprovalPendingException.class, asking);
		assertThat(pending).isNotNull();
		return pending;
	}

	static List<String> texts(List<ChatMessage> messages) {
		return messages.stream()
			.filter(ToolExecutionResultMessage.class::isInstance)
			.map((message) -> ((ToolExecutionResultMessage) message).text())
			.toList();
	}

	static ToolExecutionRequest read(String path) {
		return call("read", path);
	}

	static ToolExecutionRequest call(String tool, String path) {
		return ScriptedModel.call(tool, Map.of("path", path));
	}

	/**
	 * Keeps turns in a list.
	 */
	static final class Turns implements SuspendedTurns {

		final List<SuspendedTurn> kept = new CopyOnWriteArrayList<>();

		final List<String> cancelled = new CopyOnWriteArrayList<>();

		boolean away;

		SuspendedTurn only() {
			assertThat(this.kept).hasSize(1);
			return this.kept.get(0);
		}

		@Override
		public void keep(SuspendedTurn turn) {
			if (this.away) {
				throw new IllegalStateException("The store is away");
			}
			this.kept.add(turn);
		}

		@Override
		public void cancel(Collection<TurnSuspendedException> calls) {
			calls.forEach((call) -> this.cancelled.add(call.getApprovalId()));
		}

	}

	/**
	 * Is not asked.
	 */
	private static final class NoApprovals implements ToolApprovals {

		@Override
		public List<ApprovalRequest> pending(int limit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<ApprovalRequest> settled(int limit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Optional<ApprovalRequest> find(String id) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean mayDecide(ApprovalRequest request, Person person) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ApprovalRequest answer(String id, int revision, ApprovalAnswer answer) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ResumedTurn resume(String id, ResumableTools tools) {
			throw new UnsupportedOperationException();
		}

	}

}
