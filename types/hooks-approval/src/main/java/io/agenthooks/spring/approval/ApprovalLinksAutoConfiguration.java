package io.agenthooks.spring.approval;

import java.time.InstantSource;
import java.util.Objects;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.assembly.ConditionalOnFeature;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * Makes links for mail and chat if {@code hooks.approval.links} is configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ApprovalAutoConfiguration.class)
@ConditionalOnFeature(value = "approval", option = "links")
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

}
