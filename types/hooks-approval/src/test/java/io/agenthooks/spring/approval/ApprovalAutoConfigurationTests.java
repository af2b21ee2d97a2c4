package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.util.ReflectionTestUtils;

import io.agenthooks.AbortedRuns;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalClock;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ApprovalAutoConfiguration}, {@link ApprovalHooksAutoConfiguration},
 * {@link JdbcApprovalAutoConfiguration} and {@link ApprovalConfig}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApprovalAutoConfigurationTests {

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	private static ApplicationContextRunner plain() {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));
	}

	@Test
	void nothingIsThereUnlessSwitchedOn() {
		plain().run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(ToolApprovals.class)
			.doesNotHaveBean(ToolApprover.class)
			.doesNotHaveBean(ApprovalStore.class)
			.doesNotHaveBean(EarlierCalls.class));
		plain().withPropertyValues("hooks.approval.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ToolApprovals.class));
	}

	@Test
	void entryThatAsksNobodyStopsTheStart() {
		plain().withPropertyValues("hooks.tool_call.pre_call[0].type=approval")
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(
					"'hooks.tool_call.pre_call[0].config' asks people, but no person can be asked"));
	}

	@Test
	void entryAsksTheApproverOfTheApplication() {
		plain().withPropertyValues("hooks.tool_call.pre_call[0].type=approval")
			.withBean("chat", ToolApprover.class, () -> (call, question) -> ToolDecision.deny("no"))
			.run((context) -> assertThat(
					context.getBean(ToolExecutor.class).execute(ApprovalApplication.CALL).content())
				.contains("no"));
	}

	@Test
	void entryBoundsTheTimeOfTheApproverOfTheApplication() {
		plain()
			.withPropertyValues("hooks.tool_call.pre_call[0].type=approval",
					"hooks.tool_call.pre_call[0].config.timeout=50ms")
			.withBean("chat", ToolApprover.class, () -> (call, question) -> {
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				return ToolDecision.approve();
			})
			.run((context) -> assertThat(
					context.getBean(ToolExecutor.class).execute(ApprovalApplication.CALL).content())
				.contains("Nobody approved this call within 50 ms"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "questions.run_comand=Run {command}", "dry_runs.run_comand=dryRun",
			"questions.[mcp__github__*]=Change {repo}" })
	void toolThatNothingIsCalledStopsAStrictStart(String option) {
		this.application.asking()
			.withPropertyValues("hooks.approval." + option, "hooks.strict=true")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("hooks.approval." + option.substring(0, option.indexOf('.'))));
		this.application.asking()
			.withPropertyValues("hooks.approval." + option.replaceFirst("\\..*=", ".run_command="), "hooks.strict=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void toolThatNothingIsCalledIsToldAtTheStart(CapturedOutput output) {
		this.application.asking()
			.withPropertyValues("hooks.approval.questions.run_comand=Run {command}")
			.run((context) -> assertThat(output).contains("'hooks.approval.questions'", "Did you mean 'run_command'?"));
	}

	@Test
	void otherApproverStopsTheStart() {
		this.application.asking()
			.withBean("chat", ToolApprover.class, () -> (call, question) -> ToolDecision.approve(),
					(definition) -> definition.setPrimary(true))
			.run((context) -> {
				InvalidApprovalException failure = (InvalidApprovalException) NestedExceptionUtils
					.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure()));
				assertThat(failure.getDescription())
					.isEqualTo("'hooks.approval.enabled' is true, but there is another ToolApprover bean: 'chat'.");
				assertThat(failure.getAction())
					.isEqualTo("Remove that bean, or set 'hooks.approval.enabled' to false.");
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hooks.approval.timeout=0s                 | hooks.approval.timeout
			hooks.approval.timeout=61m                | hooks.approval.timeout
			hooks.approval.timeout=31d                | hooks.approval.timeout
			hooks.approval.mode=later                 | hooks.approval.mode
			hooks.approval.mode=suspend               | hooks.approval.mode
			hooks.approval.approvers=                 | hooks.approval.approvers
			hooks.approval.four_eyes=11               | hooks.approval.four_eyes
			hooks.approval.four_eyes=0                | hooks.approval.four_eyes
			hooks.approval.max_pending=0              | hooks.approval.max_pending
			hooks.approval.max_pending_per_session=0  | hooks.approval.max_pending_per_session
			hooks.approval.retention=1m               | hooks.approval.retention
			hooks.approval.remember=always            | hooks.approval.remember
			hooks.approval.store=mongo                | hooks.approval.store
			hooks.approval.path=approvals             | hooks.approval.path
			hooks.approval.aprovers=A                 | hooks.approval.aprovers
			hooks.tool_call.pre_call[0].config.timeout=2h | hooks.tool_call.pre_call[0].config.timeout
			hooks.tool_call.pre_call[0].config.x=1    | hooks.tool_call.pre_call[0].config.x
			""")
	void mistakeStopsTheStart(String property, String place) {
		this.application.asking()
			.withPropertyValues(property)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining("'" + place + "'"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hooks.approval.mode=suspend | hooks.approval.store=memory | needs questions that outlive the application
			hooks.approval.mode=block   | hooks.approval.timeout=61m  | timeout' is out of range
			""")
	void modeThatCannotBeStopsTheStartAlsoWithADatabase(String mode, String property, String mistake) {
		this.application.asking()
			.withBean(DataSource.class, () -> h2("modes"))
			.withPropertyValues(mode, property)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(mistake));
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", "**", "?", ".*", "%", "ROLE_*", "*_APPROVER", "ROLE_?", "all", "ALL", "any", "anyone",
			"everybody", "Everyone", "ROLE_EVERYONE", "SCOPE_*", "permitAll", "permitAll()", "authenticated",
			"isAuthenticated()", "hasRole('ADMIN')", "hasAuthority('ROLE_ADMIN')", "ROLE_ANONYMOUS" })
	void everybodyIsNoApprover(String authority) {
		for (String approvers : List.of(
				"hooks.approval.approvers[0]=" + authority + ";hooks.approval.approvers[1]=ROLE_A",
				"hooks.approval.approvers[0]=ROLE_A;hooks.approval.approvers[1]=" + authority)) {
			String place = "'hooks.approval.approvers[%d]'".formatted((approvers.endsWith("ROLE_A")) ? 0 : 1);
			new ApplicationContextRunner()
				.withConfiguration(
						HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class))
				.withPropertyValues("hooks.approval.enabled=true")
				.withPropertyValues(approvers.split(";"))
				.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(place));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ROLE_APPROVER", "SCOPE_tools.approve", "ROLE_ALL_HANDS", "Domain Admins", "ROLE_OPS (EU)",
			"allowed", "FACTOR_PASSWORD", "read:tools" })
	void authorityIsAnApprover(String authority) {
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class))
			.withPropertyValues("hooks.approval.enabled=true", "hooks.approval.approvers[0]=" + authority)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void approversMayBeMissingIfInsecure() {
		this.application.asking()
			.withPropertyValues("hooks.approval.approvers=ROLE_APPROVER", "hooks.approval.insecure=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void questionsAreInMemoryWithoutDatabaseAndThatIsLogged(CapturedOutput output) {
		this.application.run((context) -> assertThat(this.application.store()).isInstanceOf(MemoryApprovalStore.class));
		assertThat(output).contains("they are lost when the application ends");
	}

	@Test
	void questionsAreInTheDatabaseIfThereIsOne(CapturedOutput output) {
		this.application.run(this.application.asking().withBean(DataSource.class, () -> h2("there")),
				(context) -> assertThat(this.application.store()).isInstanceOf(JdbcApprovalStore.class));
		assertThat(output).doesNotContain("Questions to people are kept in memory")
			.contains("are kept in a database in memory: no question and no turn outlives the application");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void databaseThatMakesTurnsEndSaysSoAtTheStartUnlessModeIsWritten(boolean written, CapturedOutput output,
			@TempDir Path directory) {
		DataSource file = ApprovalApplication.h2(directory);
		ApplicationContextRunner runner = this.application.asking()
			.withBean(DataSource.class, () -> file)
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always");
		this.application.run((written) ? runner.withPropertyValues("hooks.approval.mode=suspend") : runner,
				(context) -> assertThat(context).hasNotFailed());
		assertThat(output.toString()
			.contains("because questions are kept in the database of the DataSource "
					+ "('hooks.approval.mode' is 'suspend' then). People have 30 s."))
			.isEqualTo(!written);
		assertThat(output).doesNotContain("database in memory");
	}

	@Test
	void questionsAreInMemoryIfThatIsWritten() {
		this.application.run(
				this.application.asking()
					.withPropertyValues("hooks.approval.store=memory")
					.withBean(DataSource.class, () -> h2("unused")),
				(context) -> assertThat(this.application.store()).isInstanceOf(MemoryApprovalStore.class));
	}

	@Test
	void missingDatabaseStopsTheStartIfItIsWanted() {
		this.application.asking()
			.withPropertyValues("hooks.approval.store=jdbc")
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("there is no DataSource bean"));
		this.application.asking()
			.withClassLoader(new FilteredClassLoader(JdbcClient.class))
			.withPropertyValues("hooks.approval.store=jdbc")
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("needs the dependency spring-boot-starter-jdbc"));
		this.application.asking()
			.withClassLoader(new FilteredClassLoader("io.agenthooks.spring.jdbc"))
			.withPropertyValues("hooks.approval.store=jdbc")
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("needs the dependency io.agenthooks:hooks-jdbc"));
	}

	@Test
	void callIsDeniedWhileTheDatabaseIsAway(CapturedOutput output) {
		JdbcDataSource dataSource = h2("away");
		this.application.run(this.application.asking().withBean(DataSource.class, () -> dataSource), (context) -> {
			new JdbcTemplate(dataSource).execute("drop table agent_hooks_approval");
			ToolResult result = context.getBean(ToolExecutor.class).execute(ApprovalApplication.CALL);
			assertThat(result.succeeded()).isFalse();
			assertThat(result.content()).contains("nobody can be asked at the moment")
				.doesNotContainIgnoringCase("agent_hooks_approval");
			assertThat(this.application.ran).isEmpty();
		});
		assertThat(output).contains("A call is denied, because people cannot be asked: ").doesNotContain("rm -r build");
	}

	/**
	 * The memory may be that of a parent context, and outlive many.
	 */
	@Test
	void contextThatEndsNoLongerListensToAborts() {
		AbortedRuns abortedRuns = new AbortedRuns();
		ApplicationContextRunner runner = this.application.asking().withBean(AbortedRuns.class, () -> abortedRuns);
		for (int i = 0; i < 3; i++) {
			this.application.run(runner, (context) -> assertThat(listenersTo(abortedRuns)).hasSize(1));
			assertThat(listenersTo(abortedRuns)).isEmpty();
		}
	}

	private static Collection<?> listenersTo(AbortedRuns abortedRuns) {
		return (Collection<?>) Objects.requireNonNull(ReflectionTestUtils.getField(abortedRuns, "listeners"));
	}

	/**
	 * The clock of the questions says 2020, that of this node does not.
	 */
	@Test
	void linksEndByTheClockOfTheQuestions() {
		AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2020-01-01T00:00:00Z"));
		ApprovalClock clock = new ApprovalClock() {

			@Override
			public Instant now() {
				return Objects.requireNonNull(now.get());
			}

			@Override
			public long nanoTime() {
				return System.nanoTime();
			}

		};
		ApplicationContextRunner runner = this.application.asking()
			.withConfiguration(AutoConfigurations.of(ApprovalLinksAutoConfiguration.class))
			.withBean(ApprovalClock.class, () -> clock)
			.withPropertyValues("hooks.approval.links.secret=0123456789abcdef0123456789abcdef",
					"hooks.approval.links.base_url=https://agents.example.com");
		this.application.run(runner, (context) -> {
			var result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			SignedLinks links = context.getBean(SignedLinks.class);
			String link = links.linkFor(question, ApprovalApplication.ALICE).orElseThrow().getPath();
			String token = link.substring(link.lastIndexOf('/') + 1);
			assertThat(links.open(token)).isNotNull();
			now.set(question.expiresAt());
			assertThat(links.open(token)).isNull();
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
		});
	}

	@Test
	void twoNodesShareTheQuestions() {
		JdbcDataSource dataSource = h2("shared");
		ApplicationContextRunner runner = blocking(this.application, dataSource);
		try (ApprovalApplication other = new ApprovalApplication()) {
			this.application.run(runner, (first) -> other.run(blocking(other, dataSource), (second) -> {
				var result = this.application.start(ApprovalApplication.CALL);
				ApprovalRequest question = other.pending();
				assertThat(other.edit(question, ApprovalApplication.ALICE, "{\"command\":\"ls\"}").votes())
					.extracting(Vote::person)
					.containsExactly("alice");
				assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
				assertThat(this.application.commands()).containsExactly("ls");
				assertThat(other.ran).isEmpty();
				assertThat(this.application.events).extracting(ApprovalRequest::state)
					.contains(ApprovalState.PENDING, ApprovalState.APPROVED, ApprovalState.CLAIMED);
			}));
		}
	}

	private static ApplicationContextRunner blocking(ApprovalApplication application, DataSource dataSource) {
		return application.asking()
			.withBean(DataSource.class, () -> dataSource)
			.withPropertyValues("hooks.approval.mode=block");
	}

	private static JdbcDataSource h2(String name) {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:mem:approvals-%s;DB_CLOSE_DELAY=-1".formatted(name));
		return dataSource;
	}

}
