package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalRequest.Brief;
import io.agenthooks.spring.suspend.ApprovalRequest.Choices;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallEffect;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.spring.suspend.QuestionSentence;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * A question as a store keeps it: one line of ASCII, so that any database keeps any
 * character.
 */
final class ApprovalJson {

	private static final Set<String> MEMBERS = Set.of("id", "state", "revision", "tool", "arguments", "fingerprint",
			"call_id", "session_id", "run_id", "agent", "user", "askers", "reason", "earlier_calls", "asked_at",
			"expires_at", "approvals", "approvers", "votes", "remember_for", "choices", "brief", "effect");

	private static final Set<String> CHOICES = Set.of("edit", "scope", "max_scope", "tool_key");

	private static final Set<String> BRIEF = Set.of("template", "description", "order", "about");

	private static final Set<String> EFFECT = Set.of("preview", "must_match", "version");

	private static final Set<String> PREVIEW = Set.of("digest", "text", "columns", "rows", "more", "missing");

	private static final Set<String> APPROVERS = Set.of("authorities", "self");

	private static final String CONTEXT = "context";

	private static final Set<String> CONTEXT_MEMBERS = Set.of("root_run_id", "authorities", "claims", "role",
			"workspace", "attempt", "attributes");

	private static final Set<String> TOOL = Set.of("server", "name", "model_name", "other_names", "read_only",
			"destructive", "idempotent", "open_world");

	private static final Set<String> ASKER = Set.of("hook", "rule");

	private static final Set<String> VOTE = Set.of("person", "verdict", "reason", "at", "scope", "time");

	private static final Set<String> SUSPENDED_MEMBERS = Stream.concat(MEMBERS.stream(), Stream.of(CONTEXT))
		.collect(Collectors.toUnmodifiableSet());

	private ApprovalJson() {
	}

	static String write(ApprovalRequest request) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("id", request.id());
		members.put("state", request.state().name());
		members.put("revision", request.revision());
		members.put("tool", tool(request.tool()));
		members.put("arguments", request.arguments());
		addOrigin(members, request);
		members.put("approvers", approvers(request.approvers()));
		members.put("votes", request.votes().stream().map(ApprovalJson::vote).toList());
		members.put("remember_for", (request.rememberFor() != null) ? request.rememberFor().toString() : null);
		members.put("choices", choices(request.choices()));
		members.put("brief", brief(request.brief()));
		members.put("effect", effect(request.effect()));
		if (request.context() != null) {
			members.put(CONTEXT, context(request.context()));
		}
		return new String(StrictJson.write(members), StandardCharsets.US_ASCII);
	}

	static void addOrigin(Map<String, @Nullable Object> members, ApprovalRequest request) {
		members.put("fingerprint", request.fingerprint());
		members.put("call_id", request.callId());
		members.put("session_id", request.sessionId());
		members.put("run_id", request.runId());
		members.put("agent", request.agent());
		members.put("user", request.user());
		members.put("askers", request.askers().stream().map(ApprovalJson::asker).toList());
		members.put("reason", request.reason());
		members.put("earlier_calls", request.earlierCalls());
		members.put("asked_at", request.askedAt().toString());
		members.put("expires_at", request.expiresAt().toString());
		members.put("approvals", request.approvals());
	}

	private static Map<String, @Nullable Object> tool(ToolIdentity tool) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("server", tool.server());
		members.put("name", tool.name());
		members.put("model_name", tool.modelName());
		members.put("other_names", tool.otherNames());
		members.put("read_only", tool.hints().readOnly());
		members.put("destructive", tool.hints().destructive());
		members.put("idempotent", tool.hints().idempotent());
		members.put("open_world", tool.hints().openWorld());
		return members;
	}

	private static Map<String, @Nullable Object> context(CallContext context) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("root_run_id", context.rootRunId());
		members.put("authorities", List.copyOf(context.authorities()));
		members.put("claims", context.claims());
		members.put("role", context.role());
		members.put("workspace", context.workspace());
		members.put("attempt", context.attempt());
		Map<String, Object> attributes = new LinkedHashMap<>(context.attributes());
		attributes.values().removeIf((value) -> !StrictJson.isJson(value));
		members.put("attributes", attributes);
		return members;
	}

	private static Map<String, @Nullable Object> approvers(Approvers approvers) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("authorities",
				approvers.authorities().stream().map((authorities) -> authorities.stream().sorted().toList()).toList());
		members.put("self", approvers.self());
		return members;
	}

	private static Map<String, @Nullable Object> choices(Choices choices) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("edit", choices.edit());
		members.put("scope", choices.scope().name());
		members.put("max_scope", choices.maxScope().name());
		members.put("tool_key", choices.toolKey());
		return members;
	}

	private static Map<String, @Nullable Object> brief(Brief brief) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("template", brief.template());
		members.put("description", brief.description());
		members.put("order", brief.order());
		members.put("about", brief.about());
		return members;
	}

	private static Map<String, @Nullable Object> effect(CallEffect effect) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("preview", (effect.preview() != null) ? preview(effect.preview()) : null);
		members.put("must_match", effect.mustMatch());
		members.put("version", effect.version());
		return members;
	}

	static Map<String, @Nullable Object> preview(CallPreview preview) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("digest", preview.digest());
		members.put("text", preview.text());
		members.put("columns", preview.columns());
		members.put("rows", preview.rows());
		members.put("more", preview.more());
		members.put("missing", preview.missing());
		return members;
	}

	private static Map<String, @Nullable Object> asker(Asker asker) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("hook", asker.hook());
		members.put("rule", asker.rule());
		return members;
	}

	private static Map<String, @Nullable Object> vote(Vote vote) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("person", vote.person());
		members.put("verdict", vote.verdict().name());
		members.put("reason", vote.reason());
		members.put("at", vote.at().toString());
		members.put("scope", (vote.scope() != null) ? vote.scope().name() : null);
		members.put("time", (vote.time() != null) ? vote.time().toString() : null);
		return members;
	}

	static ApprovalRequest read(String line) {
		try {
			Map<String, @Nullable Object> values = KeptMembers.parse(line);
			boolean isSuspended = values.containsKey(CONTEXT);
			KeptMembers all = new KeptMembers(values, (isSuspended) ? SUSPENDED_MEMBERS : MEMBERS);
			return new ApprovalRequest(all.text("id"), all.constant(ApprovalState.class, "state"),
					all.number("revision"), tool(all.object("tool", TOOL)), all.text("arguments"),
					all.text("fingerprint"), all.text("call_id"), all.text("session_id"), all.optional("run_id"),
					all.optional("agent"), all.optional("user"),
					all.list("askers").stream().map((element) -> asker(KeptMembers.of(element, ASKER))).toList(),
					all.text("reason"), all.texts("earlier_calls"), all.time("asked_at"), all.time("expires_at"),
					all.number("approvals"), approvers(all.object("approvers", APPROVERS)), votes(all),
					(isSuspended) ? context(all) : null, all.duration("remember_for"),
					choices(all.object("choices", CHOICES)), brief(all.object("brief", BRIEF)),
					effect(all.object("effect", EFFECT)));
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			// The message may quote what is there.
			throw new InvalidJsonException("holds an invalid value");
		}
	}

	private static CallContext context(KeptMembers all) {
		KeptMembers context = all.object(CONTEXT, CONTEXT_MEMBERS);
		String session = all.text("session_id");
		CallContext read = CallContext.ofSession((session.isEmpty()) ? null : session)
			.withRunId(all.optional("run_id"))
			.withRootRunId(context.optional("root_run_id"))
			.withAgent(all.optional("agent"))
			.withUser(all.optional("user"))
			.withRole(context.text("role"))
			.withWorkspace(context.text("workspace"))
			.withAttempt(context.number("attempt"));
		List<String> authorities = context.texts("authorities");
		Map<String, Object> claims = context.values("claims");
		read = (authorities.isEmpty()) ? read : read.withAuthorities(authorities);
		read = (claims.isEmpty()) ? read : read.withClaims(claims);
		for (Map.Entry<String, Object> attribute : context.values("attributes").entrySet()) {
			read = read.withAttribute(attribute.getKey(), attribute.getValue());
		}
		return read;
	}

	private static ToolIdentity tool(KeptMembers tool) {
		return new ToolIdentity(tool.optional("server"), tool.text("name"), tool.text("model_name"),
				tool.texts("other_names"), new ToolHints(tool.flag("read_only"), tool.flag("destructive"),
						tool.flag("idempotent"), tool.flag("open_world")));
	}

	private static Approvers approvers(KeptMembers approvers) {
		List<Set<String>> authorities = new ArrayList<>();
		for (Object element : approvers.list("authorities")) {
			authorities.add(Set.copyOf(KeptMembers.texts(element, "authorities")));
		}
		return new Approvers(authorities, approvers.value("self", Boolean.class));
	}

	private static Brief brief(KeptMembers brief) {
		String template = brief.optional("template");
		if (template != null && QuestionSentence.mistakeIn(template) != null) {
			throw new InvalidJsonException("has a 'template' that is none");
		}
		return new Brief(template, brief.optional("description"), brief.texts("order"), brief.texts("about"));
	}

	private static CallEffect effect(KeptMembers effect) {
		KeptMembers preview = effect.optionalObject("preview", PREVIEW);
		return new CallEffect((preview != null) ? preview(preview) : null, effect.value("must_match", Boolean.class),
				effect.optional("version"));
	}

	private static CallPreview preview(KeptMembers preview) {
		List<List<String>> rows = new ArrayList<>();
		preview.list("rows").forEach((row) -> rows.add(KeptMembers.texts(row, "rows")));
		return new CallPreview(preview.text("digest"), preview.optional("text"), preview.texts("columns"), rows,
				preview.value("more", Integer.class), preview.optional("missing"));
	}

	private static Choices choices(KeptMembers choices) {
		return new Choices(choices.value("edit", Boolean.class), choices.constant(ApprovalScope.class, "scope"),
				choices.constant(ApprovalScope.class, "max_scope"), choices.text("tool_key"));
	}

	private static Asker asker(KeptMembers asker) {
		return new Asker(asker.text("hook"), asker.optional("rule"));
	}

	private static List<Vote> votes(KeptMembers all) {
		List<Vote> votes = new ArrayList<>();
		for (Object element : all.list("votes")) {
			KeptMembers vote = KeptMembers.of(element, VOTE);
			votes.add(new Vote(vote.text("person"), vote.constant(ApprovalAnswer.Verdict.class, "verdict"),
					vote.optional("reason"), vote.time("at"),
					(vote.optional("scope") != null) ? vote.constant(ApprovalScope.class, "scope") : null,
					vote.duration("time")));
		}
		return votes;
	}

}
