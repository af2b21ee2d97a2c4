package io.agenthooks.spring.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The effect that a call would have, in words of its tool: a text, or a table. What
 * stands in it is data of the tool, which is shown and never read.
 *
 * @param digest the SHA-256, in hexadecimal, of all that the tool said, also of what is
 * too much to be shown; empty if there is no preview
 * @param text the text, or {@code null} if it is a table
 * @param columns the names of the columns of the table
 * @param rows the rows of the table, with a text for each column
 * @param more the number of characters or rows beyond those that are kept
 * @param missing why there is no preview, in words for people, or {@code null} if there
 * is one
 * @since 0.1.0
 */
public record CallPreview(String digest, @Nullable String text, List<String> columns, List<List<String>> rows, int more,
		@Nullable String missing) {

	private static final Pattern LINES = Pattern.compile("\r\n|\n|\r");

	/** Create a preview. */
	public CallPreview {
		columns = List.copyOf(columns);
		rows = rows.stream().map(List::copyOf).toList();
		for (List<String> row : rows) {
			if (row.size() != columns.size()) {
				throw new IllegalArgumentException("'rows' must have a text for each column");
			}
		}
	}

	/**
	 * Say why there is no preview.
	 * @param why the reason, in words for people
	 * @return the preview
	 */
	public static CallPreview missing(String why) {
		return new CallPreview("", null, List.of(), List.of(), 0, why);
	}

	/**
	 * Whether the tool said the same, and said something.
	 * @param other what it said another time
	 * @return whether both have the same digest
	 */
	public boolean isSame(CallPreview other) {
		return !this.digest.isEmpty() && this.digest.equals(other.digest);
	}

	/**
	 * The preview as people should see it where there are no tables: the lines of the
	 * text, or a line for each row. What has no look of its own is written by its number,
	 * and a value of a table stands in quotes, so that it cannot look like another.
	 * @return the text
	 */
	public String display() {
		if (this.missing != null) {
			return this.missing;
		}
		List<String> lines = new ArrayList<>();
		if (this.text != null) {
			LINES.splitAsStream(this.text).map(ShownArguments::line).forEach(lines::add);
		}
		for (List<String> row : this.rows) {
			List<String> values = new ArrayList<>();
			for (int i = 0; i < row.size(); i++) {
				values.add("%s: \"%s\"".formatted(ShownArguments.line(this.columns.get(i)),
						ShownArguments.line(row.get(i).replace("\\", "\\\\").replace("\"", "\\\""))));
			}
			lines.add("- " + String.join(", ", values));
		}
		String rest = rest();
		return lines.stream().collect(Collectors.joining("\n")) + ((rest != null) ? "\n(" + rest + ")" : "");
	}

	/**
	 * Say how much of the preview is not shown.
	 * @return the words, or {@code null} if all of it is
	 */
	public @Nullable String rest() {
		return (this.more > 0) ? "%d more %s".formatted(this.more, (this.text != null) ? "characters" : "rows") : null;
	}

	/** The preview without what the tool said. */
	@Override
	public String toString() {
		return "CallPreview[digest=%s]".formatted(this.digest);
	}

}
