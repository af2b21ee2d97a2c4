package io.agenthooks.spring.approval;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose tool needs the approval of people, and these people.
 */
final class ApprovalApplication implements AutoCloseable {

	static final Person ALICE = new Person("alice", Set.of("ROLE_APPROVER"));

	static final Person BOB = new Person("bob", Set.of("ROLE_APPROVER"));

	static final Person GUEST = new Person("guest", Set.of("ROLE_USER"));

	static final CallContext CONTEXT = CallContext.ofSession("s1").withUser("carol").withAgent("clerk").withRunId("r1");

	static final ToolCall CALL = call("rm -r build");

	final List<ToolCall> ran = new CopyOnWriteArrayList<>();

	final List<ToolOutcome> outcomes = new CopyOnWriteArrayList<>();

	final List<ApprovalRequest> events = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/** What is done when a question changes, before anybody else goes on. */
	volatile Consumer<ApprovalRequest> listener = (request) -> {
	};

	/** What happens while the tool runs. */
	volatile Consumer<ToolCall> whileRunning = (call) -> {
	};

	private @Nullable AssertableApplicationContext context;

	/**
	 * A database in a file, which stays open until the next application uses it.
	 */
	static DataSource h2(Path folder) {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL("jdbc:h2:file:" + folder.resolve("approvals") + ";DB_CLOSE_DELAY=2");
		return database;
	}

	ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withUserConfiguration(Answering.class)
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> new Tools(this.ran, (call) -> this.whileRunning.accept(call)))
			.withBean("outcomes", PostToolHook.class, () -> this.outcomes::add)
			.withInitializer((starting) -> starting.addApplicationListener((event) -> {
				if (event instanceof PayloadApplicationEvent<?> payload
						&& payload.getPayload() instanceof ApprovalChangedEvent changed) {
					this.events.add(changed.request());
					this.listener.accept(changed.request());
				}
			}))
			.withPropertyValues("spring.application.name=shop", "hooks.approval.enabled=true",
					"hooks.approval.approvers=ROLE_APPROVER", "hooks.approval.timeout=30s");
	}

	/**
	 * An application with an entry that asks people about every call.
	 */
	ApplicationContextRunner asking() {
		return runner().withPropertyValues("hooks.tool_call.pre_call[0].type=approval",
				"hooks.tool_call.pre_call[0].name=people");
	}

	/**
	 * An application with the configuration of a YAML text.
	 */
	ApplicationContextRunner runner(String yaml) {
		return runner().withInitializer((starting) -> {
			ByteArrayResource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
			try {
				new YamlPropertySourceLoader().load("application.yaml", resource)
					.forEach((source) -> starting.getEnvironment().getPropertySources().addLast(source));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	/**
	 * Run the application.
	 * @param test does something to it
	 * @param properties further properties
	 */
	void run(Test test, String... properties) {
		run(asking().withPropertyValues(properties), test);
	}

	void run(ApplicationContextRunner runner, Test test) {
		runner.run((started) -> {
			assertThat(started).hasNotFailed();
			this.context = started;
			test.run(started);
		});
	}

	static ToolCall call(String command) {
		return ToolCall.of("run_command", Map.of("command", command), CONTEXT);
	}

	/**
	 * Let the agent make a call on a thread of its own.
	 */
	CompletableFuture<ToolResult> start(ToolCall call) {
		ToolExecutor tools = context().getBean(ToolExecutor.class);
		return CompletableFuture.supplyAsync(() -> tools.execute(call), this.threads);
	}

	static ToolResult resultOf(CompletableFuture<ToolResult> call) throws Exception {
		return call.get(20, TimeUnit.SECONDS);
	}

	/**
	 * The only question that waits, as soon as there is one.
	 */
	ApprovalRequest pending() {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> approvals().pending(10), (pending) -> pending.size() == 1)
			.get(0);
	}

	/**
	 * A question once it is in a state.
	 */
	ApprovalRequest inState(String id, ApprovalState state) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> approvals().find(id).orElseThrow(), (request) -> request.state() == state);
	}

	ToolApprovals approvals() {
		return context().getBean(ToolApprovals.class);
	}

	ApprovalStore store() {
		return context().getBean(ApprovalStore.class);
	}

	ApprovalRequest approve(ApprovalRequest request, Person person) {
		return answer(request, person, Verdict.APPROVE, null, null);
	}

	ApprovalRequest deny(ApprovalRequest request, Person person, String reason) {
		return answer(request, person, Verdict.DENY, null, reason);
	}

	ApprovalRequest edit(ApprovalRequest request, Person person, String arguments) {
		return answer(request, person, Verdict.EDIT, arguments, null);
	}

	private ApprovalRequest answer(ApprovalRequest request, Person person, Verdict verdict, @Nullable String arguments,
			@Nullable String reason) {
		return approvals().answer(request.id(), request.revision(),
				new ApprovalAnswer(person, verdict, arguments, reason));
	}

	/**
	 * The commands that the tool was called with.
	 */
	List<Object> commands() {
		return this.ran.stream().map((call) -> call.arguments().get("command")).toList();
	}

	AssertableApplicationContext context() {
		return Objects.requireNonNull(this.context);
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

	/**
	 * What a test does to the application.
	 */
	@FunctionalInterface
	interface Test {

		void run(AssertableApplicationContext context) throws Exception;

	}

	/**
	 * The tool, which accepts no empty command.
	 */
	record Tools(List<ToolCall> ran, Consumer<ToolCall> whileRunning) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			this.ran.add(call);
			this.whileRunning.accept(call);
			return ToolResult.success("ran");
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return ("".equals(call.arguments().get("command"))) ? "'command' must not be empty" : null;
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("run_command", "read");
		}

	}

	/**
	 * People answer by code.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Answering {

		@Bean
		Answerers answerers(ObjectProvider<ToolApprovals> approvals) {
			return new Answerers(approvals);
		}

	}

	record Answerers(ObjectProvider<ToolApprovals> approvals) {
	}

}
