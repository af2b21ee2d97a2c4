package io.agenthooks.spring.binding;

import java.util.Objects;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Former}: options that are no more.
 */
class FormerOptionsTests {

	private static final String LATER = "Questions and approvals are kept in a database";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			hooks.approval.store=redis           | 'hooks.approval.store' is no word that is known any more
			hooks.approval.store=REDIS           | 'hooks.approval.store' is no word that is known any more
			hooks.approval.redis.key_prefix=shop | 'hooks.approval.redis' is no option any more
			hooks.approval.Redis.keyPrefix=shop  | 'hooks.approval.Redis' is no option any more
			""")
	void redisKeepsNoQuestionsAnyMore(String property, String mistake) {
		assertThat(start(property)).contains(mistake, LATER, "write 'hooks.approval.store: jdbc' and add a DataSource");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					hooks.approval.jdbc.listen=true                | 'hooks.approval.jdbc.listen' is no option | every 250 ms
					hooks.approval.notify[0].template=classpath:a  | [0].template' is no option any more       | ApprovalChangedEvent
					""")
	void startSaysWhatToDoInstead(String property, String mistake, String advice) {
		assertThat(start(property)).contains(mistake, advice);
	}

	private static String start(String property) {
		StringBuilder told = new StringBuilder();
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ApprovalAutoConfiguration.class))
			.withPropertyValues("hooks.approval.enabled=true", "hooks.approval.approvers=ROLE_APPROVER", property)
			.run((context) -> {
				FailureAnalysis analysis = Objects.requireNonNull(new InvalidHooksConfigurationFailureAnalyzer()
					.analyze(Objects.requireNonNull(context.getStartupFailure())));
				told.append(analysis.getDescription()).append('\n').append(analysis.getAction());
			});
		return told.toString();
	}

}
