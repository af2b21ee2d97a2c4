package io.agenthooks.spring.approval;

import java.time.InstantSource;
import java.util.Objects;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * Makes links for mail and chat if {@code hooks.approval.links} is configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ApprovalAutoConfiguration.class)
@Conditional(ApprovalLinksAutoConfiguration.OnLinks.class)
public final class ApprovalLinksAutoConfiguration {

	/**
	 * Links end by the clock that questions end by: that of the store, unless the
	 * application keeps its questions itself.
	 */
	@Bean
	SignedLinks hooksApprovalLinks(FeatureOptions<ApprovalConfig> options, ApprovalWeb web, ToolApprovals approvals,
			ObjectProvider<SharedApprovals> shared) {
		ApprovalLinksConfig links = Objects.requireNonNull(options.value().links());
		SharedApprovals kept = shared.getIfAvailable();
		InstantSource clock = (kept != null) ? kept::now : InstantSource.system();
		return new SignedLinks(new LinkTokens(links.secrets()), links.base() + web.linkPrefix(),
				links.validForOrDefault(), options.value().authorities(), approvals, clock);
	}

	/** Whether there are links. */
	static final class OnLinks extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			boolean on = false;
			if (context.getEnvironment() instanceof ConfigurableEnvironment environment) {
				HookPropertySources properties = HookPropertySources.of(environment);
				on = properties.isFeatureEnabled(ApprovalAutoConfiguration.FEATURE)
						&& properties.isWritten(ApprovalAutoConfiguration.FEATURE, "links");
			}
			return new ConditionOutcome(on, ConditionMessage.of("hooks.approval.links is written: " + on));
		}

	}

}
