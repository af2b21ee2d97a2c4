package io.agenthooks.toolcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.chain.People;

final class ApproverOfTools implements People.Approver<ToolCall, ToolDecision> {

	private static final Logger logger = LoggerFactory.getLogger(ToolHookChain.class);

	private final ToolApprover approver;

	/** Read once: the end of a call must not depend on it. */
	private final String name;

	ApproverOfTools(ToolApprover approver) {
		this.approver = Objects.requireNonNull(approver, "'approver' must not be null");
		this.name = nameOf(approver);
	}

	private static String nameOf(ToolApprover approver) {
		try {
			@Nullable String name = approver.name();
			if (name != null) {
				return name;
			}
		}
		catch (RuntimeException | LinkageError ex) {
			logger.warn("The name of the approver {} cannot be read: {}", approver.getClass().getName(),
					ex.getClass().getName());
		}
		String name = approver.getClass().getSimpleName();
		return (approver.getClass().isHidden() || name.isEmpty()) ? ToolApprover.UNNAMED : name;
	}

	@Override
	public @Nullable ToolDecision answer(ToolCall call, ToolDecision question) {
		return this.approver.approve(call, (ToolDecision.Ask) question);
	}

	@Override
	public boolean hasPerson() {
		return !(this.approver instanceof NoApprover);
	}

	@Override
	public String name() {
		return this.name;
	}

}
