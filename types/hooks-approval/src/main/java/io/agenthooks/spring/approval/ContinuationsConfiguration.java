package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.toolcall.ToolHookChain;

@Configuration(proxyBeanMethods = false)
class ContinuationsConfiguration {

	/** No bean if the application goes on itself. */
	@Bean
	@Nullable TurnContinuations hooksTurnContinuations(FeatureOptions<ApprovalConfig> options, ApprovalMode mode,
			ApprovalStore store, SharedApprovals approvals, ListableBeanFactory beanFactory,
			ObjectProvider<ToolHooks> toolHooks, ObjectProvider<AbortedRuns> abortedRuns,
			ApplicationEventPublisher events, ObjectProvider<TurnContinuations.Times> times) {
		SuspendedStore suspended = store.suspended();
		if (!options.value().isResumedByItself() || !mode.suspends() || suspended == null) {
			return null;
		}
		ContinuationAttempt attempt = new ContinuationAttempt(approvals, () -> suspended,
				() -> beanFactory.getBeansOfType(ConversationContinuation.class), (request) -> AbortedQuestions.whyVoid(
						(request.context() != null) ? request.context() : CallContext.empty(), toolHooks, abortedRuns));
		return new TurnContinuations(suspended.continuations(), approvals, attempt,
				() -> AbortedQuestions.isKillSwitchUnknown(toolHooks), events::publishEvent,
				times.getIfAvailable(() -> TurnContinuations.Times.DEFAULT));
	}

	@Bean
	ContinuationsStart hooksContinuationsStart(ObjectProvider<TurnContinuations> continuations,
			ObjectProvider<ToolHookChain> chain, ListableBeanFactory beanFactory) {
		return new ContinuationsStart(continuations, chain, beanFactory);
	}

}
