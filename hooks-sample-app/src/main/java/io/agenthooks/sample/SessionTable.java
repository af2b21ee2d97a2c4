package io.agenthooks.sample;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.SafeText;
import io.agenthooks.redact.Redactor;

/** Writes calls as the rows of a table. */
final class SessionTable {

	private static final String ROW = "%-14s  %-44s  %-7s  %-9s  %-18s  %9s  %s";

	private static final int ARGUMENTS_WIDTH = 44;

	private static final int REASON_WIDTH = 110;

	private static final JsonMapper mapper = JsonMapper.shared();

	/** Agents may write secrets, which no terminal should show. */
	private static final Redactor redactor = Redactor.ofDefaults();

	private SessionTable() {
	}

	static String heading() {
		return ROW.formatted("TOOL", "ARGUMENTS", "VERDICT", "STATUS", "BY", "TIME", "REASON OR RESULT");
	}

	static String row(ToolCallReport report) {
		return ROW.formatted(report.toolName(),
				shorten(mapper.writeValueAsString(redactor.redact(report.arguments())), ARGUMENTS_WIDTH),
				report.verdict(), report.status(), Objects.requireNonNullElse(report.decidedBy(), "-"),
				String.format(Locale.ROOT, "%.1f ms", report.durationMs()),
				shorten(Objects.requireNonNullElse(report.reason(), report.content()), REASON_WIDTH));
	}

	static String steps(List<String> steps) {
		return "    events: " + String.join(", ", steps);
	}

	static void print(List<String> lines) {
		System.out.println(String.join(System.lineSeparator(), lines));
	}

	private static String shorten(String text, int width) {
		String line = SafeText.reason(text);
		return (line.length() <= width) ? line : line.substring(0, width - 3) + "...";
	}

}
