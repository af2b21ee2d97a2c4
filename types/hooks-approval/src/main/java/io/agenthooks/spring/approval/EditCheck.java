package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.approval.ApprovalRules.Edited;
import io.agenthooks.spring.approval.CallEffects.UnstatedException;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.ToolCall;

/**
 * Tells people at once what is wrong with arguments that they edited. Nothing depends on
 * it: the chain looks again before the tool gets them.
 */
final class EditCheck {

	/** The most characters of arguments that people see and edit. */
	static final int MAX_ARGUMENTS = 1_000_000;

	private static final Logger logger = LoggerFactory.getLogger(EditCheck.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final Supplier<ToolHooks> hooks;

	private final ApprovalFingerprint fingerprint;

	private final WaitingCalls waiting;

	private final CalledTools tools;

	EditCheck(Supplier<ToolHooks> hooks, ApprovalFingerprint fingerprint, WaitingCalls waiting, CalledTools tools) {
		this.hooks = hooks;
		this.fingerprint = fingerprint;
		this.waiting = waiting;
		this.tools = tools;
	}

	Edited check(ApprovalRequest request, String json, Supplier<String> format) {
		ToolCall edited = callOf(request, parse(json));
		String arguments = ApprovalFingerprint.argumentsOf(edited);
		if (arguments.length() > MAX_ARGUMENTS) {
			throw invalid("The arguments are too large: they may have %d characters".formatted(MAX_ARGUMENTS));
		}
		String objection = objection(edited, request, !this.waiting.of(request.id()).isEmpty());
		if (objection == null) {
			objection = objectionOfTool(edited, format);
		}
		if (objection != null) {
			throw invalid(objection);
		}
		String target;
		try {
			target = this.fingerprint.targetOf(edited);
		}
		catch (UnstatedException ex) {
			throw invalid(String.valueOf(ex.getMessage()));
		}
		return new Edited(arguments, this.fingerprint.ofEdited(edited, arguments, request, target), target);
	}

	private static Map<String, @Nullable Object> parse(String json) {
		try {
			if (json.isBlank()) {
				throw invalid("The arguments are missing: write a JSON object");
			}
			return ToolArguments.parse(json, MAX_ARGUMENTS);
		}
		catch (InvalidToolArgumentsException ex) {
			throw invalid(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Of one that waits on another node less is known, so some policies may object only
	 * there.
	 */
	private ToolCall callOf(ApprovalRequest request, Map<String, @Nullable Object> arguments) {
		List<ToolCall> calls = this.waiting.of(request.id());
		return (!calls.isEmpty()) ? calls.get(0).withArguments(arguments) : storedCall(request, arguments);
	}

	static ToolCall storedCall(ApprovalRequest request, Map<String, @Nullable Object> arguments) {
		CallContext context = (request.context() != null) ? request.context() : contextOf(request);
		return ToolCall.of(request.callId(), request.tool(), arguments, context);
	}

	private static CallContext contextOf(ApprovalRequest request) {
		return CallContext.ofSession((request.sessionId().isEmpty()) ? null : request.sessionId())
			.withRunId(request.runId())
			.withAgent(request.agent())
			.withUser(request.user());
	}

	/**
	 * Only hooks are asked that can be asked again, such as policies; {@code null} if
	 * none objects.
	 */
	@Nullable String objection(ToolCall edited, ApprovalRequest request) {
		return objection(edited, request, false);
	}

	/** If the call waits here, what counts calls has counted it. */
	private @Nullable String objection(ToolCall edited, ApprovalRequest request, boolean waits) {
		Explanation explanation;
		try {
			explanation = (waits) ? CallNotes.of(edited).execute(() -> this.hooks.get().explain(edited))
					: this.hooks.get().explain(edited);
		}
		catch (RuntimeException ex) {
			this.warnings
				.warn("A call is denied, because hooks could not be asked about it again: " + ex.getClass().getName());
			return "it could not be checked again";
		}
		AskTerms terms = explanation.terms();
		if (terms != null && !request.approvers().authorities().containsAll(terms.approvers())) {
			return "'%s' wants others to decide about the call: deny it, and let the agent make it anew"
				.formatted(explanation.decidedBy());
		}
		if (explanation.verdict() != Verdict.DENY && explanation.verdict() != Verdict.ABORT) {
			return null;
		}
		return "'%s' denies the call: %s".formatted(explanation.decidedBy(), explanation.reason());
	}

	/** Hooks cannot tell that of all tools; {@code null} if the tool accepts the call. */
	private @Nullable String objectionOfTool(ToolCall edited, Supplier<String> format) {
		try {
			return WithoutLogin.get(() -> Optional.ofNullable(this.tools.objection(edited, format.get()))).orElse(null);
		}
		catch (ApprovalRefusedException ex) {
			// Nobody knows which tool it is.
			return null;
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("What a person edited is checked only when the call runs, because its tool could not "
					+ "be found: " + ex.getClass().getName());
			return null;
		}
	}

	private static ApprovalRefusedException invalid(String mistake) {
		return new ApprovalRefusedException(Reason.INVALID_EDIT, "The edited arguments cannot be used.",
				List.of(mistake));
	}

}
