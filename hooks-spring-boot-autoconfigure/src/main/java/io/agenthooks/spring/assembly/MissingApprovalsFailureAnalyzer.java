package io.agenthooks.spring.assembly;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/** Tells how to get a bean that is there only if people are asked. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingApprovalsFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String ENABLE = "Set 'hooks.approval.enabled' to true and 'hooks.approval.approvers' to the "
			+ "authorities of people who may decide, such as ROLE_APPROVER";

	private static final Map<String, String> TYPES = Map.of("io.agenthooks.spring.suspend.ToolApprovals", "",
			"io.agenthooks.spring.ai.SpringAiApprovals", "", "io.agenthooks.spring.langchain4j.LangChain4jApprovals",
			", and 'hooks.approval.mode' to suspend");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		ResolvableType type = cause.getResolvableType();
		Class<?> needed = (type != null) ? type.resolve() : null;
		String more = (needed != null) ? TYPES.get(needed.getName()) : null;
		if (needed == null || more == null) {
			return null;
		}
		return new FailureAnalysis(
				"A bean of the type %s was needed, and there is none: it is there only if people are asked about calls."
					.formatted(needed.getName()),
				ENABLE + more + ". If people are to be asked in some profiles only, take an ObjectProvider<"
						+ needed.getSimpleName() + ">.",
				cause);
	}

}
