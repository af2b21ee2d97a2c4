package io.agenthooks.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolCall;

/**
 * Makes calls that people have to decide about ({@code hooks.approval}), and lets the
 * test be these people: <pre class="code">
 * TestedApprovals approvals = hooks.inSession("s1").approvals().as("alice", "ROLE_APPROVER");
 * TestedQuestion question = approvals.ask("send_email", Map.of("to", "bob@example.com"));
 * assertThat(question.deny("not today").call()).isDenied().withReasonContaining("not today");
 * </pre>
 * <p>
 * The questions are those of an application: what it would refuse is refused here. They
 * are kept in memory unless the test adds a {@code DataSource} bean.
 *
 * @since 0.1.0
 */
public final class TestedApprovals {

	/**
	 * The longest time of a call on a busy machine until it waits for people or has
	 * ended.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final int MAX_QUESTIONS = 10_000;

	private final ToolHooksTester tester;

	private final @Nullable Person person;

	TestedApprovals(ToolHooksTester tester, @Nullable Person person) {
		this.tester = tester;
		this.person = person;
	}

	/**
	 * These approvals, decided by a person.
	 * @param name the name of the person
	 * @param authorities what the person may do
	 * @return the new approvals
	 */
	public TestedApprovals as(String name, String... authorities) {
		return new TestedApprovals(this.tester, new Person(name, Set.of(authorities)));
	}

	/**
	 * Make a call on a thread of its own, and wait until it waits for people.
	 * @param tool the name of the tool
	 * @param arguments the arguments by name
	 * @return the question to people about it
	 * @throws AssertionError if the call ended without anybody being asked
	 * @throws IllegalArgumentException if the arguments are not JSON values
	 * @throws IllegalStateException if the application does not start, or asks no people
	 */
	public TestedQuestion ask(String tool, Map<String, ? extends @Nullable Object> arguments) {
		ToolApprovals approvals = approvals();
		ToolCall call = ToolCall.of(tool, arguments, this.tester.context());
		CompletableFuture<TestedToolCall> ended = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				ended.complete(this.tester.call(call));
			}
			catch (Throwable ex) {
				ended.completeExceptionally(ex);
			}
		}, "tested-call");
		thread.setDaemon(true);
		thread.start();
		return new TestedQuestion(approvals, this.tester.application().clock(), idOf(call, ended, approvals), ended,
				this.person);
	}

	private static String idOf(ToolCall call, CompletableFuture<TestedToolCall> ended, ToolApprovals approvals) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (deadline - System.nanoTime() > 0) {
			for (ApprovalRequest request : approvals.pending(MAX_QUESTIONS)) {
				if (request.callId().equals(call.id())) {
					return request.id();
				}
			}
			try {
				TestedToolCall tested = ended.get(5, TimeUnit.MILLISECONDS);
				throw new AssertionError("Expected the call of the tool '%s' to wait for people, but it ended: %s"
					.formatted(call.tool(), tested.outcome().status().value()));
			}
			catch (TimeoutException ex) {
				// It is not there yet.
			}
			catch (ExecutionException ex) {
				throw new AssertionError("The call of the tool '%s' failed".formatted(call.tool()), ex.getCause());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new AssertionError("The test was interrupted", ex);
			}
		}
		throw new AssertionError("The call of the tool '%s' neither waits for people nor has ended within %d s. "
			.formatted(call.tool(), PATIENCE.toSeconds())
				+ "It may be the same as one that already waits, about which no person is asked again.");
	}

	/**
	 * The questions that wait.
	 * @return the questions, the one that expires first first
	 * @throws IllegalStateException if the application does not start, or asks no people
	 */
	public List<ApprovalRequest> pending() {
		return approvals().pending(MAX_QUESTIONS);
	}

	/**
	 * Put the clock of all questions forward. Nothing else of the application sees that.
	 * @param duration by how much
	 */
	public void advance(Duration duration) {
		Objects.requireNonNull(duration, "'duration' must not be null");
		this.tester.application().clock().advance(duration);
	}

	private ToolApprovals approvals() {
		ToolApprovals approvals = this.tester.application()
			.start()
			.getBeanProvider(ToolApprovals.class)
			.getIfAvailable();
		if (approvals == null) {
			throw new IllegalStateException(
					"The application asks no people: write 'hooks.approval.enabled: true' and 'approvers'.");
		}
		return approvals;
	}

}
