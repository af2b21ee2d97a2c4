package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import io.agenthooks.redact.Written.Scalar;
import io.agenthooks.redact.Written.Style;

/**
 * Replaces scalars where they are written in a text, so that all around them stays as it
 * is.
 */
final class TextEdits {

	private final String text;

	/** In the order of their start. */
	private final List<Written> values;

	/** Scalars that go as a whole, and as what. */
	private final IdentityHashMap<Scalar, Integer> touched;

	private final List<Edit> edits = new ArrayList<>();

	TextEdits(String text, List<Written> values, IdentityHashMap<Scalar, Integer> touched) {
		this.text = text;
		this.values = values;
		this.touched = touched;
	}

	/** The kind as which a scalar goes as a whole, or {@code null} if it does not. */
	@Nullable Integer kindOf(Scalar scalar) {
		return this.touched.get(scalar);
	}

	@Nullable Object replace(Scalar scalar, @Nullable Object value) {
		boolean isBlock = scalar.style() == Style.BLOCK && String.valueOf(value).indexOf('\n') >= 0;
		this.edits
			.add(new Edit(scalar.start(), scalar.end(), (isBlock) ? block(scalar, value) : quoted(scalar, value)));
		return value;
	}

	private static String quoted(Scalar scalar, @Nullable Object value) {
		String json = JsonText.write(value);
		boolean isPlain = scalar.style() == Style.SINGLE && json.indexOf('\\') < 0 && json.indexOf('\'') < 0;
		return (isPlain && value != null) ? "'" + value + "'" : json;
	}

	/** Write lines below the sign of the block, as far in as they were. */
	private String block(Scalar scalar, @Nullable Object value) {
		int sign = this.text.indexOf('\n', scalar.start());
		StringBuilder block = new StringBuilder(this.text.substring(scalar.start(), sign));
		String indent = indentOf(sign + 1, scalar.end());
		String lines = String.valueOf(value).stripTrailing();
		lines.lines().forEach((line) -> block.append('\n').append((line.isEmpty()) ? "" : indent).append(line));
		return block.toString();
	}

	private String indentOf(int start, int end) {
		for (int line = start; line < end; line = this.text.indexOf('\n', line) + 1) {
			int position = line;
			while (position < end && this.text.charAt(position) == ' ') {
				position++;
			}
			if (position < end && this.text.charAt(position) != '\n' && this.text.charAt(position) != '\r') {
				return this.text.substring(line, position);
			}
		}
		return "";
	}

	/** Whether nothing stands around the values. */
	boolean isAll() {
		int position = 0;
		for (Written value : this.values) {
			if (!isBlank(position, value.start())) {
				return false;
			}
			position = value.end();
		}
		return isBlank(position, this.text.length());
	}

	private boolean isBlank(int start, int end) {
		for (int i = start; i < end; i++) {
			if (!Character.isWhitespace(this.text.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	String apply(BiFunction<String, List<Kept>, String> around) {
		if (this.edits.isEmpty() && isAll()) {
			return this.text;
		}
		this.edits.sort(Comparator.comparingInt(Edit::start));
		StringBuilder written = new StringBuilder(this.text.length());
		List<Kept> kept = new ArrayList<>();
		int position = 0;
		int edit = 0;
		for (Written value : this.values) {
			written.append(this.text, position, value.start());
			int start = written.length();
			position = value.start();
			for (; edit < this.edits.size() && this.edits.get(edit).start() < value.end(); edit++) {
				Edit next = this.edits.get(edit);
				written.append(this.text, position, next.start()).append(next.value());
				position = next.end();
			}
			written.append(this.text, position, Math.max(position, value.end()));
			position = Math.max(position, value.end());
			kept.add(new Kept(start, written.length()));
		}
		written.append(this.text, position, this.text.length());
		return (isAll()) ? written.toString() : around.apply(written.toString(), kept);
	}

	/** A part of a text that was redacted before. */
	record Kept(int start, int end) {

		Kept moved(int characters) {
			return new Kept(this.start + characters, this.end + characters);
		}

	}

	/** A replacement. */
	private record Edit(int start, int end, String value) {
	}

}
