package io.agenthooks.spring.approval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.Sha256;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalRequest.Choices;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Makes the hash of all that an approval is bound to. If anything of it is another one
 * later, the approval is void.
 *
 * @param targets say the version of what a call is about, or {@code null}
 */
record ApprovalFingerprint(Function<ToolIdentity, String> schemas, Function<ToolCall, @Nullable String> targets,
		Supplier<String> version) {

	/** Told apart from later ways to make it. */
	private static final String FORMAT = "6";

	/** The hash of what is called; behind it stands that of who else calls. */
	private static final int LENGTH = 64;

	/** The version of what a call is about, or {@code null} if its tool gives none. */
	@Nullable String targetOf(ToolCall call) {
		return this.targets.apply(call);
	}

	static String argumentsOf(ToolCall call) {
		return CanonicalJson.writeExact(call.arguments());
	}

	static boolean hasSession(ToolCall call) {
		String session = call.context().sessionId();
		return session != null && !session.isEmpty();
	}

	/**
	 * The arguments are in their only form; the target is the version of what the call is
	 * about.
	 */
	String of(ToolCall call, String arguments, Approvers approvers, int approvals, Choices choices,
			@Nullable String target, List<Asker> askers) {
		List<@Nullable Object> bound = new ArrayList<>();
		bound.add(arguments);
		bound.add(written(askers));
		// Nobody can say that two calls without a session belong together.
		bound.add((hasSession(call)) ? null : call.id());
		bound.add(choices.edit());
		bound.add(choices.scope().name());
		bound.add(choices.maxScope().name());
		bound.add(choices.toolKey());
		bound.add(target);
		return of(call, approvers, approvals, bound);
	}

	/** The hash for an approval of the whole tool: of all but the arguments. */
	String ofTool(ToolCall call, Approvers approvers, int approvals, List<Asker> askers) {
		List<@Nullable Object> bound = new ArrayList<>();
		bound.add("tool");
		bound.add(written(askers));
		return of(call, approvers, approvals, bound);
	}

	/** The hooks and rules: each may ask for a reason of its own. */
	private static List<List<@Nullable String>> written(List<Asker> askers) {
		return askers.stream().map((asker) -> Arrays.<@Nullable String>asList(asker.hook(), asker.rule())).toList();
	}

	private String of(ToolCall call, Approvers approvers, int approvals, List<@Nullable Object> what) {
		ToolIdentity tool = call.identity();
		List<@Nullable Object> bound = new ArrayList<>();
		bound.add(FORMAT);
		bound.add(tool.server());
		bound.add(tool.name());
		bound.add(tool.modelName());
		bound.add(tool.otherNames());
		bound.add(this.schemas.apply(tool));
		bound.add(what);
		bound.add((hasSession(call)) ? call.context().sessionId() : null);
		bound.add(call.context().user());
		bound.add(approvers.authorities()
			.stream()
			.map((authorities) -> authorities.stream().sorted().toList().toString())
			.sorted()
			.toList());
		bound.add(approvers.self());
		bound.add(approvals);
		bound.add(this.version.get());
		return Sha256.hex(CanonicalJson.write(bound)) + place(call.context());
	}

	String of(ToolCall call, String arguments, ApprovalRequest request) {
		return of(call, arguments, request, targetOf(call));
	}

	private String of(ToolCall call, String arguments, ApprovalRequest request, @Nullable String target) {
		return of(call, arguments, request.approvers(), request.approvals(), request.choices(), target,
				request.askers());
	}

	/** An edit does not change who calls, of which another node may not know all. */
	String ofEdited(ToolCall edited, String arguments, ApprovalRequest request, @Nullable String target) {
		String before = request.fingerprint();
		return of(edited, arguments, request, target).substring(0, LENGTH)
				+ before.substring(Math.min(LENGTH, before.length()));
	}

	/**
	 * A session may have several agents and workspaces, and its name may be that of
	 * another tenant, too.
	 */
	private static String place(CallContext context) {
		List<@Nullable Object> bound = new ArrayList<>();
		bound.add(context.agent());
		bound.add(context.role());
		bound.add(context.workspace());
		bound.add(context.claims());
		return Sha256.hex(CanonicalJson.write(bound));
	}

}
