package io.agenthooks.spring.approval;

import java.util.List;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;
import io.agenthooks.toolcall.ToolApprover;

/**
 * Adds the type {@code approval}, which wants a person to approve calls.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnHookType("approval")
public final class ApprovalHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "approvalToolHookFactory")
	ToolHookFactory<ApprovalToolConfig> approvalToolHookFactory(ListableBeanFactory beanFactory) {
		return ToolHookFactory.of("approval", ApprovalToolConfig.class, (config) -> {
			requireApprover(beanFactory);
			requireTime(config, beanFactory);
			return new ApprovalToolHook(config);
		});
	}

	/** Only a turn that ends leaves people more time than a thread can wait. */
	private static void requireTime(ApprovalToolConfig config, ListableBeanFactory beanFactory) {
		if (config.timeout() == null || config.timeout().compareTo(ApprovalConfig.MAX_TIMEOUT) <= 0) {
			return;
		}
		ApprovalMode mode = beanFactory.getBeanProvider(ApprovalMode.class).getIfAvailable();
		if (mode == null || !mode.suspends()) {
			throw new InvalidHookConfigException(List
				.of(new Problem(List.of("timeout"), "is out of range, because calls wait on their threads",
						"Write a time of more than zero and at most 1h, or set 'hooks.approval.mode' to 'suspend'.")));
		}
	}

	/** An entry that cannot ask a person would deny every call, so it stops the start. */
	private static void requireApprover(ListableBeanFactory beanFactory) {
		if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, ToolApprover.class, true,
				false).length == 0) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of(),
					"asks people, but no person can be asked: 'hooks.approval.enabled' is not true, and there is no "
							+ "ToolApprover bean",
					"Set 'hooks.approval.enabled' to true and 'hooks.approval.approvers' to the authorities of people "
							+ "who may approve, such as ['ROLE_APPROVER'].")));
		}
	}

}
