package io.agenthooks.spring.assembly;

import java.util.Objects;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.ai.SpringAiApprovals;
import io.agenthooks.spring.langchain4j.LangChain4jApprovals;
import io.agenthooks.spring.suspend.ToolApprovals;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that needs people and has not switched them on is told how.
 */
class MissingApprovalsTests {

	@ParameterizedTest
	@ValueSource(classes = { NeedsSpringAi.class, NeedsLangChain4j.class, NeedsApprovals.class, HasField.class })
	void beanThatIsThereOnlyWithApprovalIsNamed(Class<?> bean) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ToolCallHooksAutoConfiguration.class))
			.withBean(bean)
			.run((context) -> {
				FailureAnalysis analysis = new MissingApprovalsFailureAnalyzer()
					.analyze(Objects.requireNonNull(context.getStartupFailure()));
				assertThat(analysis).isNotNull();
				assertThat(analysis.getDescription()).contains("Approvals");
				assertThat(String.valueOf(analysis.getAction())).contains("'hooks.approval.enabled' to true",
						"approvers");
				assertThat(String.valueOf(analysis.getAction()).contains("suspend"))
					.isEqualTo(bean == NeedsLangChain4j.class);
			});
	}

	@ParameterizedTest
	@ValueSource(classes = NeedsOther.class)
	void otherBeanIsNoneOfIt(Class<?> bean) {
		new ApplicationContextRunner().withBean(bean)
			.run((context) -> assertThat(
					new MissingApprovalsFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure())))
				.isNull());
	}

	record NeedsSpringAi(SpringAiApprovals approvals) {
	}

	record NeedsLangChain4j(LangChain4jApprovals approvals) {
	}

	record NeedsApprovals(ToolApprovals approvals) {
	}

	record NeedsOther(Runnable other) {
	}

	static class HasField {

		@Autowired
		SpringAiApprovals approvals;

	}

}
