package io.agenthooks.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import reactor.core.scheduler.Scheduler;

import io.agenthooks.sample.tools.AgentTools;
import io.agenthooks.spring.ai.ResumedConversation;
import io.agenthooks.spring.ai.SpringAiApprovals;
import io.agenthooks.spring.approval.ApprovalChangedEvent;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * Lets the agent go on with a turn as soon as people have decided about its calls, also
 * if the sample was started anew meanwhile. In the profile {@code people}.
 */
@Component
@Profile("people")
class DecidedTurns {

	private static final Logger logger = LoggerFactory.getLogger(DecidedTurns.class);

	private static final int MAX_UNFINISHED = 100;

	private final SpringAiApprovals conversations;

	private final ToolApprovals questions;

	private final AgentTools tools;

	private final ChatAgent agent;

	private final Scheduler scheduler;

	DecidedTurns(SpringAiApprovals conversations, ToolApprovals questions, AgentTools tools, ChatAgent agent,
			Scheduler toolCallScheduler) {
		this.conversations = conversations;
		this.questions = questions;
		this.tools = tools;
		this.agent = agent;
		this.scheduler = toolCallScheduler;
	}

	/**
	 * A listener must not wait, so another thread goes on. The model also reads that
	 * nobody answered in time, or that the question was cancelled.
	 */
	@EventListener
	void onChange(ApprovalChangedEvent event) {
		if (event.resumable()) {
			this.scheduler.schedule(() -> goOn(event.request()));
		}
	}

	/**
	 * Calls that were approved just before this application ended last time have not run.
	 */
	@EventListener(ApplicationReadyEvent.class)
	void onStart() {
		this.questions.settled(MAX_UNFINISHED)
			.stream()
			.filter((request) -> request.state() == ApprovalState.APPROVED)
			.forEach((request) -> this.scheduler.schedule(() -> goOn(request)));
	}

	private void goOn(ApprovalRequest request) {
		try {
			ResumedConversation resumed = this.conversations.resume(request.id(), this.tools.callbacks());
			if (resumed.isComplete() && !resumed.messages().isEmpty()) {
				logger.info("The call of '{}' {}, and the agent goes on: {}", request.tool().modelName(),
						whatBecameOf(request), this.agent.goOn(resumed));
			}
		}
		catch (RuntimeException ex) {
			logger.warn("The turn that waits for '{}' cannot go on: {}", request.id(), ex.getClass().getName());
		}
	}

	/**
	 * The decision of people, and whether the call ran: hooks that are asked once more
	 * may deny a call that was approved.
	 */
	private String whatBecameOf(ApprovalRequest request) {
		ApprovalRequest now = this.questions.find(request.id()).orElse(request);
		return switch (now.state()) {
			case CLAIMED -> "was approved and made";
			case DENIED -> "was denied by a person";
			case EXPIRED -> "waited until its time was over";
			case CANCELLED -> (now.votes().isEmpty()) ? "was cancelled"
					: "was approved, but then not made, since a hook denied it or its run was over";
			case PENDING, APPROVED -> "has not been made";
		};
	}

}
