package io.agenthooks.spring.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.io.Resource;

/**
 * Finds where in a file a character of a text stands that is written there: in one line
 * or several, in quotes or not. It reads the file once more, and says nothing rather than
 * something wrong.
 */
final class PlaceInText {

	private final String file;

	private final String text;

	/** Where the reading has come to. */
	private int index;

	/** The quotes around the text, or 0. */
	private char quotes;

	/** How far the lines of a block are indented, or -1 if white space does not count. */
	private int indent = -1;

	private PlaceInText(String file, String text) {
		this.file = file;
		this.text = text;
	}

	/**
	 * Find the place.
	 * @param origin where the text begins
	 * @param text the text as it was read
	 * @param position which of its characters
	 * @return the place, such as {@code application.yaml:6:23}, or {@code null} if it is
	 * not certain
	 */
	static @Nullable String find(Origin origin, String text, int position) {
		if (!(origin instanceof TextResourceOrigin written) || written.getLocation() == null
				|| written.getResource() == null || position > text.length()) {
			return null;
		}
		TextResourceOrigin.Location start = written.getLocation();
		String file = read(written.getResource());
		if (file == null) {
			return null;
		}
		PlaceInText place = new PlaceInText(file, text);
		if (!place.begin(start.getLine(), start.getColumn()) || !place.goTo(position)) {
			return null;
		}
		return "%s:%d:%d".formatted(ConfigProblem.file(written.getResource()), place.line(), place.column());
	}

	private static @Nullable String read(Resource resource) {
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			return null;
		}
	}

	private boolean begin(int line, int column) {
		List<String> lines = this.file.lines().toList();
		if (line >= lines.size()) {
			return false;
		}
		for (int i = 0; i < line; i++) {
			this.index = endOfLine() + 1;
		}
		String first = lines.get(line);
		if (column >= first.codePointCount(0, first.length())) {
			return false;
		}
		this.index = this.file.offsetByCodePoints(this.index, column);
		char sign = this.file.charAt(this.index);
		if (sign == '\'' || sign == '"') {
			this.quotes = sign;
			this.index++;
		}
		else if (sign == '|' || sign == '>') {
			this.index = endOfLine() + 1;
			while (this.index < this.file.length() && this.file.substring(this.index, endOfLine()).isBlank()) {
				this.index = endOfLine() + 1;
			}
			int content = this.index;
			skipSpaces();
			this.indent = this.index - content;
		}
		return this.index < this.file.length();
	}

	private int endOfLine() {
		int end = this.file.indexOf('\n', this.index);
		return (end < 0) ? this.file.length() : end;
	}

	private void skipSpaces() {
		while (this.index < this.file.length() && this.file.charAt(this.index) == ' ') {
			this.index++;
		}
	}

	/**
	 * Read both, character by character.
	 * @return whether they are the same
	 */
	private boolean goTo(int position) {
		for (int i = 0; i < position; i++) {
			if (!accept(this.text.charAt(i))) {
				return false;
			}
		}
		return position == this.text.length() || this.index >= this.file.length() || isNext(this.text.charAt(position));
	}

	private boolean isNext(char ch) {
		int before = this.index;
		boolean next = accept(ch);
		this.index = before;
		return next;
	}

	private boolean accept(char ch) {
		if (this.index >= this.file.length()) {
			return false;
		}
		char written = this.file.charAt(this.index);
		if ((ch == ' ' || ch == '\n') && (written == '\n' || written == '\r')) {
			this.index = endOfLine() + 1;
			if (this.indent < 0) {
				skipSpaces();
			}
			else {
				this.index += Math.min(this.indent, Math.max(0, endOfLine() - this.index));
			}
			return true;
		}
		if (this.quotes == '"' && written == '\\') {
			this.index++;
			written = escaped();
		}
		else if (this.quotes == '\'' && written == '\'') {
			this.index++;
			written = (this.index < this.file.length()) ? this.file.charAt(this.index) : 0;
		}
		this.index++;
		return written == ch;
	}

	private char escaped() {
		char escaped = (this.index < this.file.length()) ? this.file.charAt(this.index) : 0;
		return switch (escaped) {
			case 'n' -> '\n';
			case 't' -> '\t';
			case '"', '\\', '/', ' ' -> escaped;
			default -> 0;
		};
	}

	private int line() {
		return 1 + (int) this.file.substring(0, this.index).chars().filter((ch) -> ch == '\n').count();
	}

	private int column() {
		int start = this.file.lastIndexOf('\n', Math.max(0, this.index - 1)) + 1;
		return 1 + this.file.codePointCount(start, this.index);
	}

}
