package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.spring.suspend.ShownArguments;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.ToolIdentity;

final class ApprovalWriter {

	/**
	 * A list and a stream show arguments up to this length: with more of them, one answer
	 * would have no bound. The question itself shows all.
	 */
	static final int MAX_LISTED = 8_000;

	private static final int LAST_ASCII = 0x7E;

	private ApprovalWriter() {
	}

	static Map<String, @Nullable Object> whole(ApprovalRequest request, boolean mayDecide) {
		return write(request, mayDecide, true);
	}

	static Map<String, @Nullable Object> listed(ApprovalRequest request, boolean mayDecide) {
		return write(request, mayDecide, request.arguments().length() <= MAX_LISTED);
	}

	private static Map<String, @Nullable Object> write(ApprovalRequest request, boolean mayDecide,
			boolean withArguments) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("id", request.id());
		members.put("state", lowerCase(request.state()));
		members.put("revision", request.revision());
		members.put("mode", (request.isSuspended()) ? "suspend" : "block");
		members.put("may_decide", mayDecide && request.state().isOpen());
		Instant remembered = request.rememberedUntil();
		members.put("may_revoke", mayDecide && (request.state() == ApprovalState.APPROVED
				|| (remembered != null && Instant.now().isBefore(remembered))));
		members.put("remembered_until", (remembered != null) ? remembered.toString() : null);
		addChoices(members, request);
		members.put("tool", request.tool().modelName());
		members.put("tool_name", request.tool().name());
		members.put("server", server(request.tool()));
		members.put("description", description(request));
		members.put("sentence", (withArguments) ? request.sentence() : null);
		members.put("preview", (withArguments) ? preview(request) : null);
		members.put("target_version", (withArguments) ? request.effect().version() : null);
		members.put("arguments", (withArguments) ? StrictJson.written(ascii(request.arguments())) : null);
		members.put("display", (withArguments) ? request.display() : null);
		members.put("order", (withArguments) ? names(request) : null);
		members.put("about", (withArguments) ? request.about() : null);
		ApprovalJson.addOrigin(members, request);
		members.put("votes", request.votes().stream().map(ApprovalWriter::write).toList());
		return members;
	}

	/** First the choices while the question waits, then what they chose. */
	private static void addChoices(Map<String, @Nullable Object> members, ApprovalRequest request) {
		boolean open = request.state().isOpen();
		ApprovalScope widest = ApprovalRules.widest(request, Verdict.APPROVE);
		members.put("approvers",
				request.approvers()
					.authorities()
					.stream()
					.map((authorities) -> authorities.stream().sorted().toList())
					.toList());
		members.put("decisions",
				(request.choices().edit()) ? List.of("approve", "edit", "deny") : List.of("approve", "deny"));
		members.put("scope", lowerCase((open) ? request.choices().scope().narrower(widest) : request.scope()));
		members.put("max_scope", (open) ? lowerCase(widest) : null);
		members.put("max_time", (open && widest != ApprovalScope.ONCE) ? String.valueOf(request.rememberFor()) : null);
	}

	private static List<String> names(ApprovalRequest request) {
		return request.displayed().stream().map(ShownArguments.Argument::name).toList();
	}

	private static @Nullable Map<String, @Nullable Object> preview(ApprovalRequest request) {
		CallPreview preview = request.effect().preview();
		if (preview == null) {
			return null;
		}
		Map<String, @Nullable Object> members = ApprovalJson.preview(preview);
		members.put("display", preview.display());
		members.put("must_match", request.effect().mustMatch());
		return members;
	}

	static @Nullable String description(ApprovalRequest request) {
		String description = request.brief().description();
		return (description != null) ? ShownArguments.line(description) : null;
	}

	private static Map<String, @Nullable Object> write(Vote vote) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("person", vote.person());
		members.put("verdict", lowerCase(vote.verdict()));
		members.put("reason", vote.reason());
		members.put("at", vote.at().toString());
		members.put("scope", (vote.scope() != null) ? lowerCase(vote.scope()) : null);
		return members;
	}

	/** {@code ?} if it is not known, {@code null} if the tool is on none. */
	private static @Nullable String server(ToolIdentity tool) {
		return (tool.isOfApplication()) ? null : Objects.requireNonNullElse(tool.server(), "?");
	}

	private static String lowerCase(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Escaped, and not read and written again: a tool may tell {@code 1.00} from {@code
	 * 1.0}.
	 */
	private static String ascii(String json) {
		StringBuilder ascii = new StringBuilder(json.length());
		json.chars().forEach((character) -> {
			if (character > LAST_ASCII) {
				ascii.append("\\u%04x".formatted(character));
			}
			else {
				ascii.append((char) character);
			}
		});
		return ascii.toString();
	}

}
