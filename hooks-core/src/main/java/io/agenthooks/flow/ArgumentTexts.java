package io.agenthooks.flow;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The texts that a model wrote into the arguments of a call. A tool that says them again
 * does not make them its own.
 */
final class ArgumentTexts {

	/** Of longer arguments nobody can tell what a tool says again. */
	private static final int MAX_LENGTH = 64 * 1024;

	private final Fingerprint fingerprint;

	private final TextIndex words;

	private final StringBuilder text = new StringBuilder();

	private final StringBuilder names = new StringBuilder();

	private boolean tooLong;

	private ArgumentTexts(Fingerprint fingerprint, TextIndex words) {
		this.fingerprint = fingerprint;
		this.words = words;
	}

	/** Read arguments; {@code null} if they are too much to tell. */
	static @Nullable Asked read(Fingerprint fingerprint, Map<String, @Nullable Object> arguments, TextIndex words) {
		ArgumentTexts texts = new ArgumentTexts(fingerprint, words);
		texts.add(arguments);
		if (texts.tooLong || Tokens.clean(texts.text.toString()) == null) {
			return null;
		}
		String whole = unescaped(texts.names.toString() + texts.text);
		// A tool may write a name before it, such as key=value.
		TextIndex index = Tokens.read(fingerprint, whole + "\n" + whole.replaceAll("[=:?&#@/\\\\]", " "),
				FlowState.MAX_HASHES);
		Echo echo = Echo.of(texts.text.toString(), texts.names.toString());
		boolean fits = index.sequence().length < FlowState.MAX_HASHES && index.forms().length < FlowState.MAX_HASHES;
		return (fits && echo != null) ? new Asked(index, echo) : null;
	}

	private void add(@Nullable Object value) {
		if (this.tooLong || value == null) {
			return;
		}
		if (value instanceof Map<?, ?> map) {
			map.forEach((key, each) -> {
				addText(key.toString(), this.names);
				add(each);
			});
		}
		else if (value instanceof Iterable<?> list) {
			list.forEach(this::add);
		}
		else {
			String text = (value instanceof Number number) ? plain(number) : value.toString();
			this.tooLong |= text == null;
			addText((text != null) ? text : "", this.text);
		}
	}

	private void addText(String value, StringBuilder texts) {
		if (this.text.length() + this.names.length() + value.length() >= MAX_LENGTH) {
			this.tooLong = true;
			return;
		}
		Meaning meaning = Meaning.ofText(this.fingerprint, value);
		if (meaning == null || !this.words.holds(meaning)) {
			texts.append(value).append("\n");
		}
	}

	/** Without an exponent, or {@code null} if it has too many digits. */
	private static @Nullable String plain(Number number) {
		return (io.agenthooks.pattern.NumberText.isWritable(number))
				? io.agenthooks.pattern.NumberText.plain(number, number.toString()) : null;
	}

	/** A text of JSON with what its strings say. */
	static String unescaped(String text) {
		return (text.indexOf('\\') < 0 || text.length() >= Tokens.MAX_LENGTH) ? text
				: text + "\n" + text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r").replace("\\/", "/");
	}

	record Asked(TextIndex index, Echo echo) {
	}

}
