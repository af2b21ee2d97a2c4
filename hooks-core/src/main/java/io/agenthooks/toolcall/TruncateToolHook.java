package io.agenthooks.toolcall;

import java.util.BitSet;

/**
 * Cuts results that are larger than a size: the model reads the head, a note, and the
 * tail. It comes behind hooks that search results, because half a secret is not found.
 * The value of a result that is cut goes, as it holds all that was cut.
 *
 * @since 0.1.0
 */
public final class TruncateToolHook implements ToolResultHook {

	/** The smallest size, in which a note has room. */
	public static final int MIN_SIZE = 1_024;

	/** The share of the head unless somebody says another one. */
	public static final double HEAD_SHARE = 0.75;

	/** How far a line break may be from where the text is cut. */
	private static final int LINE = 200;

	private final int maxSize;

	private final double headShare;

	/**
	 * Create a hook.
	 * @param maxSize the most characters that a result may have
	 * @param headShare how much of what is left of it is its head, from 0 to 1
	 */
	public TruncateToolHook(int maxSize, double headShare) {
		if (maxSize < MIN_SIZE) {
			throw new IllegalArgumentException("'maxSize' must be %d or more".formatted(MIN_SIZE));
		}
		if (!(headShare >= 0 && headShare <= 1)) {
			throw new IllegalArgumentException("'headShare' must be between 0 and 1");
		}
		this.maxSize = maxSize;
		this.headShare = headShare;
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		String content = cut(result.content());
		return (content.equals(result.content())) ? ToolDecision.approve()
				: ToolDecision.respond(new ToolResult(result.succeeded(), content, null, result.additionalContext()));
	}

	/**
	 * Cut a text. A text in quotes, as JSON writes it, stays one, and an object or array
	 * of JSON becomes one: clients of some models refuse results that are no JSON any
	 * more.
	 * @param text the text
	 * @return the text if it is small enough, or its head and tail with a note between
	 */
	public String cut(String text) {
		if (text.length() <= this.maxSize) {
			return text;
		}
		return cutLarge((isContainer(text)) ? quoted(text) : text);
	}

	private String cutLarge(String text) {
		int length = text.length();
		boolean isQuoted = text.charAt(0) == '"' && text.charAt(length - 1) == '"' && isOneLine(text);
		String note = (isQuoted) ? " [%d of %d characters left out] " : "\n[%d of %d characters left out]\n";
		int left = this.maxSize - note.formatted(length, length).length();
		int head = (int) (left * this.headShare);
		int tail = length - (left - head);
		if (isQuoted) {
			head = edge(text, Math.max(1, head), false);
			tail = edge(text, Math.min(length - 1, tail), true);
		}
		else {
			head = endOfHead(text, head);
			tail = startOfTail(text, tail);
		}
		return text.substring(0, head) + note.formatted(tail - head, length) + text.substring(tail);
	}

	/**
	 * Brackets belong together from the first character to the last, as far as they are
	 * not quoted.
	 */
	private static boolean isContainer(String text) {
		String json = text.strip();
		if (!json.startsWith("{") && !json.startsWith("[")) {
			return false;
		}
		BitSet objects = new BitSet();
		int depth = 0;
		boolean isText = false;
		for (int i = 0; i < json.length(); i++) {
			char sign = json.charAt(i);
			if (isText) {
				i += (sign == '\\') ? 1 : 0;
				isText = sign != '"';
			}
			else if (sign == '"') {
				isText = true;
			}
			else if (sign == '{' || sign == '[') {
				objects.set(depth++, sign == '{');
			}
			else if (sign == '}' || sign == ']') {
				if (objects.get(--depth) != (sign == '}')) {
					return false;
				}
				if (depth == 0) {
					return i == json.length() - 1;
				}
			}
		}
		return false;
	}

	private static String quoted(String text) {
		StringBuilder quoted = new StringBuilder(text.length() + text.length() / 8).append('"');
		for (int i = 0; i < text.length(); i++) {
			char sign = text.charAt(i);
			switch (sign) {
				case '"', '\\' -> quoted.append('\\').append(sign);
				case '\n' -> quoted.append("\\n");
				case '\r' -> quoted.append("\\r");
				case '\t' -> quoted.append("\\t");
				default -> {
					if (sign < ' ') {
						quoted.append("\\u%04x".formatted((int) sign));
					}
					else {
						quoted.append(sign);
					}
				}
			}
		}
		return quoted.append('"').toString();
	}

	private static boolean isOneLine(String text) {
		return text.indexOf('\n') < 0 && text.indexOf('\r') < 0;
	}

	private static int endOfHead(String text, int end) {
		int line = text.lastIndexOf('\n', end - 1);
		if (line > 0 && end - line < LINE) {
			return line;
		}
		return (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) ? end - 1 : end;
	}

	private static int startOfTail(String text, int start) {
		for (int i = start; i < Math.min(text.length(), start + LINE); i++) {
			if (text.charAt(i) == '\n') {
				return i + 1;
			}
		}
		return (start < text.length() && Character.isLowSurrogate(text.charAt(start))) ? start + 1 : start;
	}

	/** Where no escape of JSON and no pair of surrogates is taken apart. */
	private static int edge(String text, int position, boolean isBehind) {
		int edge = 1;
		int next = 1;
		while (next < position) {
			edge = next;
			next += (text.charAt(next) == '\\') ? escape(text, next)
					: (Character.isHighSurrogate(text.charAt(next))) ? 2 : 1;
		}
		return (next == position || isBehind) ? Math.min(next, text.length() - 1) : edge;
	}

	private static int escape(String text, int start) {
		if (text.charAt(start + 1) != 'u') {
			return 2;
		}
		boolean isPair = isSurrogate(text, start, "89ab") && text.startsWith("\\u", start + 6)
				&& isSurrogate(text, start + 6, "cdef");
		return (isPair) ? 12 : 6;
	}

	private static boolean isSurrogate(String text, int escape, String kind) {
		return text.length() > escape + 3 && (text.charAt(escape + 2) | ' ') == 'd'
				&& kind.indexOf(text.charAt(escape + 3) | ' ') >= 0;
	}

}
