package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QuestionsStart}, and for the choice of the database of questions.
 */
@ExtendWith(OutputCaptureExtension.class)
class QuestionsStartTests {

	private static final String NOTHING_ASKS = "no hook asks people";

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private static final String ASKING = ENTRY + "type=approval";

	private final ApplicationContextRunner runner = prepared(new ApplicationContextRunner());

	private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R prepared(R runner) {
		return runner
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class,
					ApprovalWebAutoConfiguration.class))
			.withPropertyValues("spring.application.name=shop", "hooks.approval.enabled=true",
					"hooks.approval.approvers=ROLE_APPROVER");
	}

	static Stream<Arguments> hooks() {
		return Stream.of(Arguments.of("nothing", properties("hooks.tool_call.pre_call="), false),
				Arguments.of("type: approval", properties(ASKING), true),
				Arguments.of("type: approval that only observes", properties(ASKING, ENTRY + "mode=observe"), false),
				Arguments.of("a policy that denies",
						properties(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=delete_*"), false),
				Arguments.of("a policy that asks",
						properties(ENTRY + "type=policy", ENTRY + "config.ask_tools[0]=delete_*"), true),
				Arguments.of("a rule that denies", rule("deny"), false),
				Arguments.of("a rule that asks", rule("ask"), true),
				Arguments.of("a limit that denies", limit("deny"), false),
				Arguments.of("a limit that asks", limit("ask"), true),
				Arguments.of("a loop", properties(ENTRY + "type=loop", ENTRY + "config.calls.deny=3"), false),
				Arguments.of("a mask", properties(ENTRY + "type=redact"), false),
				Arguments.of("passthrough", properties(ENTRY + "type=passthrough"), false),
				Arguments.of("a command", properties(ENTRY + "type=command", ENTRY + "config.command[0]=true"), true),
				Arguments.of("a bean", (UnaryOperator<ApplicationContextRunner>) QuestionsStartTests::withHook, true));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("hooks")
	void startWarnsIfNothingAsksAndStopsIfNobodyCanAnswer(String what, UnaryOperator<ApplicationContextRunner> hook,
			boolean asks, CapturedOutput output) {
		hook.apply(this.runner).run((context) -> {
			if (asks) {
				assertThat(
						NestedExceptionUtils.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure())))
					.isInstanceOf(InvalidApprovalException.class)
					.hasMessageContaining("a hook may ask people, but nobody could answer");
			}
			else {
				assertThat(context).hasNotFailed();
			}
			assertThat(output.toString().contains(NOTHING_ASKS)).isEqualTo(!asks);
		});
	}

	static Stream<Arguments> answers() {
		return Stream.of(Arguments.of("a parameter of a bean", user(ByParameter.class)),
				Arguments.of("a provider", user(ByProvider.class)), Arguments.of("a setter", user(BySetter.class)),
				Arguments.of("a bean that is lazy",
						(UnaryOperator<ApplicationContextRunner>) (runner) -> user(ByParameter.class).apply(runner)
							.withPropertyValues("spring.main.lazy-initialization=true")),
				Arguments.of("links",
						properties("hooks.approval.links.secret=0123456789abcdef0123456789abcdef",
								"hooks.approval.links.base_url=https://agents.example.com")),
				Arguments.of("a notification", properties("hooks.approval.notify[0].url=https://chat.example.com/x")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("answers")
	void startGoesOnIfSomebodyCanAnswer(String what, UnaryOperator<ApplicationContextRunner> answers,
			CapturedOutput output) {
		answers.apply(this.runner.withPropertyValues(ASKING)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain(NOTHING_ASKS).doesNotContain("Nobody answers");
		});
	}

	@Test
	void webApplicationAnswers() {
		prepared(new WebApplicationContextRunner()).withPropertyValues(ASKING, "hooks.approval.insecure=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void reactiveWebApplicationAnswers() {
		prepared(new ReactiveWebApplicationContextRunner()).withPropertyValues(ASKING, "hooks.approval.insecure=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anotherApplicationMayAnswerIfTheStoreIsShared(@TempDir Path directory, CapturedOutput output) {
		DataSource file = ApprovalApplication.h2(directory);
		this.runner.withPropertyValues(ASKING, "hooks.approval.jdbc.initialize_schema=always")
			.withBean(DataSource.class, () -> file)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("Another one has to that shares its store");
			});
	}

	@Test
	void databaseInTheMemoryOfTheApplicationIsSharedWithNobody() {
		this.runner.withPropertyValues(ASKING)
			.withBean(DataSource.class, QuestionsStartTests::h2)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining("nobody could answer"));
	}

	@Test
	void severalDatabasesStopTheStartUnlessTheModeIsWritten(CapturedOutput output) {
		ApplicationContextRunner several = user(ByParameter.class).apply(this.runner)
			.withPropertyValues(ASKING)
			.withBean("orders", DataSource.class, QuestionsStartTests::h2)
			.withBean("people", DataSource.class, QuestionsStartTests::h2);
		several.run((context) -> assertThat(context.getStartupFailure())
			.hasStackTraceContaining("There are 2 DataSource beans, 'orders', 'people', and none is @Primary"));
		several.withPropertyValues("hooks.approval.mode=suspend")
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining("none is @Primary"));
		several.withPropertyValues("hooks.approval.mode=block").run((context) -> {
			assertThat(context.getBean(ApprovalStore.class)).isInstanceOf(MemoryApprovalStore.class);
			assertThat(output).contains("several DataSource beans, [orders, people], and none is @Primary")
				.doesNotContain("Add a DataSource");
		});
		several.withPropertyValues("hooks.approval.store=memory").run((context) -> assertThat(context).hasNotFailed());
		several
			.withBean("first", DataSource.class, QuestionsStartTests::h2, (definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context.getBean(ApprovalStore.class)).isInstanceOf(JdbcApprovalStore.class));
	}

	private static DataSource h2() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=2");
		return dataSource;
	}

	private static UnaryOperator<ApplicationContextRunner> properties(String... properties) {
		return (runner) -> runner.withPropertyValues(properties);
	}

	private static UnaryOperator<ApplicationContextRunner> rule(String then) {
		return properties(ENTRY + "type=policy", ENTRY + "config.rules[0].when=args.amount > 5",
				ENTRY + "config.rules[0].then=" + then, ENTRY + "config.rules[0].reason=too much");
	}

	private static UnaryOperator<ApplicationContextRunner> limit(String then) {
		return properties(ENTRY + "type=rate_limit", ENTRY + "config.limit=5 per hour", ENTRY + "config.key=user",
				ENTRY + "config.then=" + then);
	}

	private static ApplicationContextRunner withHook(ApplicationContextRunner runner) {
		return runner.withBean("hook", PreToolHook.class, () -> (call) -> ToolDecision.approve());
	}

	private static UnaryOperator<ApplicationContextRunner> user(Class<?> configuration) {
		return (runner) -> runner.withUserConfiguration(configuration);
	}

	@Configuration(proxyBeanMethods = false)
	static class ByParameter {

		@Bean
		Runnable bot(ToolApprovals approvals) {
			return () -> approvals.pending(1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ByProvider {

		@Bean
		Bot bot(ObjectProvider<ToolApprovals> approvals) {
			return new Bot(approvals);
		}

	}

	record Bot(ObjectProvider<ToolApprovals> approvals) {
	}

	@Configuration(proxyBeanMethods = false)
	static class BySetter {

		@Autowired
		void setApprovals(ToolApprovals approvals) {
			approvals.pending(1);
		}

	}

}
