package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.AbortedRuns;
import io.agenthooks.spring.approval.ApprovalAnswer.Verdict;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisApprovalAutoConfiguration}: applications that share a real Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisApprovalAutoConfigurationTests {

	@TempDir
	Path directory;

	private final ApprovalApplication application = new ApprovalApplication();

	private TestRedis redis;

	@BeforeEach
	void start() throws IOException {
		this.redis = TestRedis.start(this.directory, TestRedis.DURABLE);
	}

	@AfterEach
	void stop() throws IOException {
		this.application.close();
		this.redis.close();
	}

	private ApplicationContextRunner node(ApprovalApplication node) {
		return withRedis(withStore(node));
	}

	private ApplicationContextRunner withRedis(ApplicationContextRunner runner) {
		return runner.withBean(RedisConnectionFactory.class, () -> this.redis.client());
	}

	/**
	 * A node that soon finds its Redis away.
	 */
	private ApplicationContextRunner impatient(ApprovalApplication node) {
		return withStore(node).withPropertyValues("hooks.approval.timeout=5m")
			.withBean(RedisConnectionFactory.class, () -> this.redis.client(Duration.ofSeconds(2)));
	}

	private static ApplicationContextRunner withStore(ApprovalApplication node) {
		return withLibrary(node).withPropertyValues("hooks.approval.store=redis", "hooks.approval.mode=block");
	}

	private static ApplicationContextRunner withLibrary(ApprovalApplication node) {
		return node.asking().withConfiguration(AutoConfigurations.of(RedisApprovalAutoConfiguration.class));
	}

	@Test
	void callOfOneNodeIsApprovedOnAnother(CapturedOutput output) {
		try (ApprovalApplication other = new ApprovalApplication()) {
			this.application.run(node(this.application), (first) -> other.run(node(other), (second) -> {
				assertThat(this.application.store()).isInstanceOf(RedisApprovalStore.class);
				var result = this.application.start(ApprovalApplication.CALL);
				ApprovalRequest question = other.pending();
				second.getBean(ToolApprovals.class)
					.answer(question.id(), question.revision(),
							new ApprovalAnswer(ApprovalApplication.ALICE, Verdict.APPROVE, null, null));
				assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
				assertThat(this.application.ran).hasSize(1);
				assertThat(second.getBean(ToolApprovals.class).settled(10)).singleElement()
					.matches((settled) -> settled.state() == ApprovalState.CLAIMED);
			}));
		}
		assertThat(output).doesNotContain("they are lost when the application ends").doesNotContain("may lose");
	}

	@Test
	@Tag("slow")
	void callIsDeniedWhileRedisIsAway(CapturedOutput output) {
		this.application.run(impatient(this.application), (context) -> {
			var waiting = this.application.start(ApprovalApplication.CALL);
			this.application.pending();
			this.redis.stop();
			assertThat(ApprovalApplication.resultOf(waiting).content()).contains("nobody can be asked at the moment");
			ToolResult result = context.getBean(ToolExecutor.class).execute(ApprovalApplication.CALL);
			assertThat(result.succeeded()).isFalse();
			assertThat(result.content()).contains("nobody can be asked at the moment");
			this.redis.restart();
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.ignoreExceptions()
				.until(() -> context.getBean(ToolApprovals.class).pending(10) != null);
			var again = this.application.start(ApprovalApplication.call("ls"));
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> context.getBean(ToolApprovals.class)
					.pending(10)
					.stream()
					.anyMatch((question) -> question.arguments().contains("ls")));
			for (ApprovalRequest question : context.getBean(ToolApprovals.class).pending(10)) {
				context.getBean(ToolApprovals.class)
					.answer(question.id(), 0,
							new ApprovalAnswer(ApprovalApplication.ALICE, Verdict.APPROVE, null, null));
			}
			assertThat(ApprovalApplication.resultOf(again).succeeded()).isTrue();
			assertThat(this.application.ran).hasSize(1);
		});
		assertThat(output).contains("org.springframework.dao.QueryTimeoutException").doesNotContain("rm -r build");
	}

	@Test
	void prefixIsThatOfTheConfiguration() {
		this.application.run(node(this.application).withPropertyValues("hooks.approval.redis.key_prefix=shop:7"),
				(context) -> assertThat(Objects.requireNonNull(new StringRedisTemplate(this.redis.client()).keys("*")))
					.containsExactly("{shop:7:shop}:version"));
		this.application.run(node(this.application),
				(context) -> assertThat(Objects.requireNonNull(new StringRedisTemplate(this.redis.client()).keys("*")))
					.contains("{agent-hooks:approval:shop}:version"));
	}

	@Test
	void redisIsUsedOnlyIfThatIsWritten() {
		this.application.run(withRedis(withLibrary(this.application)),
				(context) -> assertThat(this.application.store()).isInstanceOf(MemoryApprovalStore.class));
	}

	@Test
	void turnsEndUnlessItIsWrittenThatCallsWait() {
		this.application.run(withRedis(withLibrary(this.application)).withPropertyValues("hooks.approval.store=redis"),
				(context) -> assertThat(context.getBean(ApprovalMode.class).suspends()).isTrue());
	}

	@Test
	void nobodyListensWhereTurnsEnd() {
		this.application.run(suspending(), (context) -> {
			String id = SuspendedCallsContract.approved(this.application, ApprovalApplication.CALL);
			assertThat(this.application.approvals().resume(id).complete()).isTrue();
			assertThat(new StringRedisTemplate(this.redis.client())
				.convertAndSend("{" + ApprovalConfig.Redis.DEFAULT_PREFIX + ":shop}:changed", "-")).isZero();
		});
	}

	@Test
	void abortJustBeforeTheEndStillCancelsTheQuestions() {
		this.application.run(suspending(), (context) -> {
			String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			context.getBean(AbortedRuns.class).remember(ApprovalApplication.CONTEXT, "stop", "hook");
			context.getSourceApplicationContext().close();
			try (ApprovalStore store = RedisApprovalStore.open(this.redis.client(),
					ApprovalConfig.Redis.DEFAULT_PREFIX + ":shop", RedisApprovalStore.POLL)) {
				assertThat(store.find(id)).map(ApprovalRequest::state).contains(ApprovalState.CANCELLED);
			}
		});
	}

	private ApplicationContextRunner suspending() {
		return withRedis(withLibrary(this.application)).withPropertyValues("hooks.approval.store=redis");
	}

	@Test
	void missingRedisStopsTheStart() {
		withStore(this.application).run((context) -> assertThat(context.getStartupFailure())
			.hasStackTraceContaining("there is no RedisConnectionFactory bean"));
		node(this.application).withBean("second", RedisConnectionFactory.class, () -> this.redis.client())
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("there are several and none is @Primary"));
		node(this.application).withClassLoader(new FilteredClassLoader(StringRedisTemplate.class))
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("spring-boot-starter-data-redis is missing"));
	}

	@Test
	void storeEndsBeforeTheConnections() {
		this.application.run(node(this.application), (context) -> {
			var waiting = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			context.getSourceApplicationContext().close();
			assertThat(ApprovalApplication.resultOf(waiting).succeeded()).isFalse();
			assertThat(this.application.ran).isEmpty();
			try (ApprovalStore store = RedisApprovalStore.open(this.redis.client(),
					ApprovalConfig.Redis.DEFAULT_PREFIX + ":shop", RedisApprovalStore.POLL)) {
				assertThat(store.find(question.id())).isPresent();
			}
		});
	}

}
