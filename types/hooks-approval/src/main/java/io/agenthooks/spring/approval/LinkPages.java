package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;

import io.agenthooks.Sha256;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ShownArguments;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Writes the pages behind links: no script, nothing loaded, and every text of others as
 * text, which can neither leave its box nor hide a character.
 */
final class LinkPages {

	private static final String STYLE = """
			body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem;
				color: #1b1b1b; background: #fff; }
			h1 { font-size: 1.5rem; }
			dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
			dt { color: #555; }
			dd { margin: 0; overflow-wrap: anywhere; }
			pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #767676; padding: .75rem;
				background: #f4f4f4; }
			.table { overflow-x: auto; border: 1px solid #767676; }
			table { border-collapse: collapse; width: 100%; }
			th, td { text-align: left; padding: .25rem .75rem; border-bottom: 1px solid #ccc; unicode-bidi: isolate; }
			mark { color: #1b1b1b; background: #ffe08a; }
			label { display: block; margin: 1rem 0 .25rem; }
			input, select { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem; }
			button { font: inherit; margin: 1rem .5rem 0 0; padding: .5rem 1.5rem; }
			@media (prefers-color-scheme: dark) {
				body { color: #eee; background: #161616; }
				dt { color: #bbb; }
				pre { background: #262626; }
			}
			""";

	/** No other site may frame the page to have its buttons clicked. */
	static final String POLICY = "default-src 'none'; style-src 'sha256-%s'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
		.formatted(hash(STYLE));

	private static final List<Duration> TIMES = List.of(Duration.ofMinutes(15), Duration.ofHours(1),
			Duration.ofHours(4), Duration.ofHours(8), Duration.ofDays(1));

	private LinkPages() {
	}

	static byte[] question(ApprovalRequest request, Person person, int maxReason) {
		StringBuilder body = new StringBuilder("<p>An agent wants to make this call. You decide as <b>")
			.append(line(person.name()))
			.append("</b>, once.</p>\n<dl>\n");
		item(body, "What", request.sentence());
		item(body, "Tool", tool(request.tool()));
		item(body, "What the tool does", request.brief().description());
		item(body, "Why you are asked", request.reason());
		item(body, "Asked by", String.join("; ", request.askers().stream().map(Asker::describe).toList()));
		item(body, "Agent", request.agent());
		item(body, "For the user", request.user());
		item(body, "Session", request.sessionId());
		item(body, "Run", request.runId());
		item(body, "Called before", String.join(", ", request.earlierCalls()));
		item(body, "Version of what it is about", request.effect().version());
		item(body, "Waits until", request.expiresAt().toString());
		item(body, "Approvals", "%d of %d".formatted(ApprovalRules.approvers(request.votes()).size(),
				Math.max(1, request.approvals())));
		body.append("</dl>\n")
			.append(preview(request))
			.append("<h2 id=\"arguments\">Arguments</h2>\n<pre aria-labelledby=\"arguments\">\n")
			.append(arguments(request))
			.append("</pre>\n<form method=\"post\">\n")
			.append("<label for=\"reason\">Reason (if you deny, the agent reads it)</label>\n")
			.append("<input id=\"reason\" name=\"reason\" maxlength=\"%d\" autocomplete=\"off\">\n"
				.formatted(maxReason))
			.append(scopes(request))
			.append("<button name=\"verdict\" value=\"approve\">Approve</button>\n")
			.append("<button name=\"verdict\" value=\"deny\">Deny</button>\n</form>\n");
		return page("A call waits for your decision", body.toString());
	}

	private static String preview(ApprovalRequest request) {
		CallPreview preview = request.effect().preview();
		if (preview == null) {
			return "";
		}
		StringBuilder shown = new StringBuilder("<h2>What this call would do, as its tool says</h2>\n");
		if (preview.missing() != null || preview.columns().isEmpty()) {
			return shown.append((preview.missing() != null) ? "<p>" : "<pre>\n")
				.append(escaped(preview.display()))
				.append((preview.missing() != null) ? "</p>\n" : "</pre>\n")
				.toString();
		}
		shown.append("<div class=\"table\"><table>\n<tr>");
		preview.columns().forEach((column) -> shown.append("<th scope=\"col\">").append(line(column)).append("</th>"));
		for (List<String> row : preview.rows()) {
			shown.append("</tr>\n<tr>");
			row.forEach((cell) -> shown.append("<td>").append(line(cell)).append("</td>"));
		}
		String rest = preview.rest();
		return shown.append("</tr>\n</table></div>\n")
			.append((rest != null) ? "<p>And " + rest + ".</p>\n" : "")
			.toString();
	}

	private static String arguments(ApprovalRequest request) {
		List<String> about = request.about();
		if (about.isEmpty()) {
			return escaped(request.display());
		}
		StringBuilder arguments = new StringBuilder();
		for (ShownArguments.Argument argument : request.displayed()) {
			String shown = escaped("\"" + argument.label() + "\": " + argument.value());
			arguments.append(
					(about.contains(argument.name())) ? "<mark>" + shown + "</mark> (asked because of this)" : shown)
				.append('\n');
		}
		return arguments.toString();
	}

	private static String scopes(ApprovalRequest request) {
		ApprovalScope widest = ApprovalRules.widest(request, ApprovalAnswer.Verdict.APPROVE);
		Duration longest = request.rememberFor();
		if (widest == ApprovalScope.ONCE || longest == null) {
			return "";
		}
		ApprovalScope usual = request.choices().scope().narrower(widest);
		StringBuilder fields = new StringBuilder("<label for=\"scope\">If you approve, it counts for</label>\n")
			.append("<select id=\"scope\" name=\"scope\">\n");
		for (ApprovalScope scope : ApprovalScope.values()) {
			if (scope.compareTo(widest) <= 0) {
				option(fields, scope.name().toLowerCase(Locale.ROOT), scope == usual, switch (scope) {
					case ONCE -> "this call only";
					case CALL -> "this call, and the very same again in its session";
					case TOOL -> "calls of this tool in its session, whatever the arguments";
				});
			}
		}
		fields.append("</select>\n<label for=\"for\">For how long, if it is more than this call</label>\n")
			.append("<select id=\"for\" name=\"for\">\n");
		TIMES.stream()
			.filter((time) -> time.compareTo(longest) < 0)
			.forEach((time) -> option(fields, time.toString(), false, PeopleDecisions.words(time)));
		option(fields, longest.toString(), true, PeopleDecisions.words(longest));
		return fields.append("</select>\n").toString();
	}

	private static void option(StringBuilder fields, String value, boolean selected, String text) {
		fields.append("<option value=\"%s\"%s>%s</option>\n".formatted(value, (selected) ? " selected" : "", text));
	}

	static byte[] done(ApprovalRequest request, ApprovalAnswer.Verdict verdict) {
		String open = (request.state().isOpen()) ? " Others have to approve, too." : "";
		return (verdict == ApprovalAnswer.Verdict.DENY)
				? page("You denied the call", "<p>The call is not made. You can close this page.</p>\n")
				: page("You approved the call", "<p>Thank you.%s You can close this page.</p>\n".formatted(open));
	}

	/** The same whatever the cause is, so that nobody learns from it. */
	static byte[] refused() {
		return page("This link does not work",
				"<p>It was used, its time is over, the question is settled or has changed, or the link is not complete. "
						+ "Nothing was decided by it now.</p>\n");
	}

	static byte[] misunderstood(int maxReason) {
		return page("This was not understood",
				"<p>Nothing was decided. Go back, choose one of the two buttons, and write a reason of at most %d characters.</p>\n"
					.formatted(maxReason));
	}

	static byte[] unavailable() {
		return page("Questions cannot be read now", "<p>Nothing was decided. Try again in a moment.</p>\n");
	}

	/** A store may fail after it has taken the answer. */
	static byte[] unknown() {
		return page("It is not known whether your answer was taken",
				"<p>Open the link again in a moment. If it still shows the question, your answer was not taken, and you can "
						+ "give it again. If the link does not work any more, the question is settled or has changed.</p>\n");
	}

	private static void item(StringBuilder body, String name, @Nullable String value) {
		if (value != null && !value.isEmpty()) {
			body.append("<dt>").append(name).append("</dt><dd>").append(line(value)).append("</dd>\n");
		}
	}

	private static String tool(ToolIdentity tool) {
		return (tool.isOfApplication()) ? tool.modelName() : "%s (%s on the server %s)".formatted(tool.modelName(),
				tool.name(), Objects.requireNonNullElse(tool.server(), "?"));
	}

	private static String line(String text) {
		return escaped(ShownArguments.line(text));
	}

	private static String escaped(String text) {
		return HtmlUtils.htmlEscape(text, StandardCharsets.UTF_8.name());
	}

	private static byte[] page(String title, String body) {
		List<String> lines = List.of("<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
				"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
				"<meta name=\"robots\" content=\"noindex, nofollow\">", "<title>" + title + "</title>",
				"<style>" + STYLE + "</style>", "</head>", "<body>", "<main>", "<h1>" + title + "</h1>",
				body + "</main>", "</body>", "</html>", "");
		return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
	}

	private static String hash(String style) {
		return Base64.getEncoder().encodeToString(Sha256.digest().digest(style.getBytes(StandardCharsets.UTF_8)));
	}

}
