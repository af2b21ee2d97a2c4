package io.agenthooks.spring.prompt;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Each placeholder becomes a block of data, whose tags have a number that nobody can know
 * who wrote the data. What looks like a placeholder in data is data, too.
 */
final class QuestionTemplate {

	private static final Pattern NAMES = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]*)");

	private final List<Part> parts = new ArrayList<>();

	private final Set<String> placeholders = new LinkedHashSet<>();

	QuestionTemplate(String prompt) {
		Matcher names = NAMES.matcher(prompt);
		int end = 0;
		while (names.find()) {
			String name = names.group(1);
			if (JudgedEvent.isPlaceholder(name)) {
				this.parts.add(new Part(prompt.substring(end, names.start()), null));
				this.parts.add(new Part("", name));
				this.placeholders.add(name);
				end = names.end();
			}
		}
		this.parts.add(new Part(prompt.substring(end), null));
	}

	/** Without the dollar sign. */
	Set<String> placeholders() {
		return Set.copyOf(this.placeholders);
	}

	String write(Map<String, @Nullable Object> data, String nonce, int limit) {
		DataWriter writer = new DataWriter(limit);
		for (Part part : this.parts) {
			if (part.placeholder() == null) {
				writer.plain(part.text());
			}
			else {
				Object value = (part.placeholder().equals(JudgedEvent.INPUT)) ? data
						: data.get(part.placeholder().toLowerCase(Locale.ROOT));
				writer.plain("<data-%s name=\"%s\">".formatted(nonce, part.placeholder()))
					.json(value)
					.plain("</data-%s>".formatted(nonce));
			}
		}
		return writer.toString();
	}

	private record Part(String text, @Nullable String placeholder) {
	}

}
