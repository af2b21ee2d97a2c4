package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.security.SecurityHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the conditions of alerts and the expressions of limits, which are verified as
 * the conditions of rules are.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConditionsOutsideRulesTests {

	private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(SecurityHooksAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
				SpringAiToolCallsAutoConfiguration.class))
		.withBean(ToolCallbackProvider.class, () -> ToolCallbackProvider.from(ToolCallbacks.from(new Payments())))
		.withBean(UserDetailsService.class, () -> new InMemoryUserDetailsManager(
				User.withUsername("ann").password("{noop}ann").roles("ADMIN").build()));

	private static final List<List<String>> KEYED = List.of(
			List.of("rate_limit", "limit=10 per 1m", "key_expression=%s"),
			List.of("budget", "limit=10", "per=day", "key=user", "key_expression=%s"),
			List.of("concurrency", "max_concurrent=2", "key_expression=%s"));

	private static ApplicationContextRunner with(String phase, List<String> entry, String expression, String... scope) {
		String prefix = "hooks.tool_call.%s[0].".formatted(phase);
		return APPLICATION.withPropertyValues(Stream.concat(Stream.of(prefix + "type=" + entry.get(0)),
				Stream.concat(entry.stream().skip(1).map((option) -> prefix + "config." + option.formatted(expression)),
						Stream.of(scope).map((option) -> prefix + option)))
			.toArray(String[]::new));
	}

	private static ApplicationContextRunner alert(String when, String... scope) {
		return with("post_call", List.of("alert", "when=%s"), when, scope);
	}

	private static String failure(ApplicationContextRunner application) {
		StringBuilder text = new StringBuilder();
		application.run((context) -> {
			assertThat(context).hasFailed();
			text.append(ConditionPlacesTests.analysis(context.getStartupFailure()));
		});
		return text.toString();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~', value = { "args.ammount > 500 ~ args.ammount ~ 'amount'",
			"outcome.status == 'denied' && args.ammount > 500 ~ args.ammount ~ 'amount'",
			"has(args.paye) ~ args.paye ~ 'payee'", "args['amonut'] > 5 ~ args.amonut ~ 'amount'",
			"args.amount > '500' ~ args.amount is compared ~ 500 without quotes",
			"args.payee > 500 ~ args.payee is compared ~ double(args.payee)",
			"args.currency == 'YEN' ~ 'YEN' ~ Known are", "args.urgent == 'true' ~ args.urgent ~ without quotes",
			"args.payee ~ args.payee is taken for true or false ~ args.payee == ...",
			"args.amount > 500 && args.amount < 100 ~ can never ~ ",
			"tool.name == 'run_command' && args.amount > 5 ~ run_command ~ pay",
			"'ADMIN' in user.authorities ~ ADMIN ~ ROLE_ADMIN", "user.name == 'Ann' ~ Ann ~ ann",
			"user.claims.tenant == 'x' ~ tenant ~ hooks.context.claims" })
	void mistakeInTheConditionOfAnAlertStopsTheStart(String condition, String mistake, String fix) {
		assertThat(failure(alert(condition).withPropertyValues("hooks.strict=true"))).contains(mistake,
				(fix != null) ? fix : "", "when");
	}

	@ParameterizedTest
	@MethodSource
	void mistakeInTheExpressionOfALimitStopsTheStart(List<String> entry, String expression, String mistake,
			String fix) {
		assertThat(failure(with("pre_call", entry, expression).withPropertyValues("hooks.strict=true")))
			.contains(mistake, fix, "key_expression");
	}

	static Stream<Arguments> mistakeInTheExpressionOfALimitStopsTheStart() {
		List<List<String>> mistakes = List.of(List.of("args.paye", "args.paye", "'payee'"),
				List.of("args['paye']", "args.paye", "'payee'"),
				List.of("args.payee + args.amonut", "args.amonut", "'amount'"),
				List.of("args.amount.lowerAscii()", "args.amount is given to lowerAscii()", "as what it is"),
				List.of("args.payee * 2", "args.payee is taken for a number", "double(args.payee)"),
				List.of("args.currency == 'YEN' ? 'a' : args.payee", "'YEN'", "Known are"),
				List.of("args.payee.city", "field 'city'", "Compare args.payee itself"),
				List.of("args.amount > 5 && args.amount < 3 ? 'a' : 'b'", "can never", ""),
				List.of("tool.name == 'pai' ? args.payee : user.name", "pai", "'pay'"),
				List.of("user.claims.tenant", "tenant", "hooks.context.claims"));
		return KEYED.stream()
			.flatMap((entry) -> mistakes.stream()
				.map((each) -> Arguments.of(entry, each.get(0), each.get(1), each.get(2))));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '"',
			value = { "args.ammount ~ The sum reads args.ammount, and no tool ~ Did you mean 'amount'?",
					"args.payee ~ it is 'string' in the tool 'pay' ~ a number: amount",
					"args.urgent ~ it is 'boolean' in the tool 'pay' ~ a number: amount",
					"args.currency.code ~ it is 'string' in the tool 'pay' ~ a number: amount" })
	void sumOfABudgetThatNoToolHasStopsTheStart(String sum, String mistake, String fix) {
		List<String> entry = List.of("budget", "limit=10", "per=day", "key=user", "sum=%s");
		assertThat(failure(with("pre_call", entry, sum))).contains(mistake, fix, "sum of the hook 'budget#0'");
		with("pre_call", entry, "args.amount").withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void whatIsRightStarts(CapturedOutput output) {
		alert("outcome.status == 'denied' && args.amount > 500 && args.currency == 'EUR' && user.name == 'ann'")
			.withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(context).hasNotFailed());
		for (List<String> entry : KEYED) {
			with("pre_call", entry, "args.payee").run((context) -> assertThat(context).hasNotFailed());
			with("pre_call", entry, "string(args.amount) + args.currency")
				.run((context) -> assertThat(context).hasNotFailed());
		}
		assertThat(output).doesNotContain("RuleVerifier", "ScopeVerifier");
	}

	@Test
	void alertAboutAToolThatItsEntryIsNotForIsWarnedOf(CapturedOutput output) {
		alert("tool.name == 'pay'", "match[0]=refund").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getAll().lines().filter((line) -> line.contains("RuleVerifier"))).singleElement()
			.asString()
			.contains("when of the hook 'alert#0'", "'pay'", "the condition never holds of them");
	}

	@Test
	void onlyToolsOfTheEntryCount() {
		alert("args.reason == 'x'", "match[0]=refund").withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(failure(alert("args.reason == 'x'", "match[0]=pay").withPropertyValues("hooks.strict=true")))
			.contains("args.reason");
	}

	/**
	 * Currencies that can be paid in.
	 */
	enum Currency {

		EUR, USD

	}

	static class Payments {

		@Tool(name = "pay")
		String pay(double amount, String payee, Currency currency, boolean urgent) {
			return payee + amount + currency + urgent;
		}

		@Tool(name = "refund")
		String refund(double amount, String payee, Currency currency, boolean urgent, String reason) {
			return payee + amount + currency + urgent + reason;
		}

	}

}
