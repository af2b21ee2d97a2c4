package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

import io.agenthooks.spring.approval.ApprovalNotifyConfig.Format;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * A message in JSON with placeholders such as {@code {{tool}}} in its texts. They are
 * replaced within the JSON that was read, so no value can end a text; nothing is
 * evaluated, and what a value holds is not looked at again.
 * <p>
 * An element of a list that needs a value which is missing is left out; so is a list that
 * has lost all its elements, and a member of the message. A message of which nothing
 * would be left is refused when it is read.
 */
final class NotifyTemplate {

	/** The most bytes of the file. */
	static final int MAX_FILE = 64 * 1024;

	private static final int LEVELS = 1;

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*\\}\\}");

	/** What Slack takes of a value in a text of 3,000 characters. */
	private static final int MAX_SLACK = 500;

	private static final int MAX_SLACK_ARGUMENTS = 2_500;

	private final Map<String, @Nullable Object> message;

	private final Format format;

	private NotifyTemplate(Map<String, @Nullable Object> message, Format format) {
		this.message = message;
		this.format = format;
	}

	/**
	 * Read a template.
	 * @param arguments whether there may be arguments
	 * @param link whether there may be a link
	 * @throws IllegalArgumentException if it is none, with what is wrong
	 */
	static NotifyTemplate read(byte[] file, Format format, boolean arguments, boolean link) {
		if (file.length > MAX_FILE) {
			throw new IllegalArgumentException("has more than %d bytes".formatted(MAX_FILE));
		}
		NotifyTemplate template;
		try {
			template = new NotifyTemplate(new StrictJson(LEVELS).readObject(file), format);
		}
		catch (InvalidJsonException ex) {
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
		template.check(template.message, arguments, link);
		template.checkNeverEmpty(arguments);
		return template;
	}

	/**
	 * A value that is there never takes anything away, so the message with the fewest
	 * values is the smallest.
	 */
	private void checkNeverEmpty(boolean arguments) {
		if (this.message.isEmpty()) {
			throw new IllegalArgumentException("is an empty message");
		}
		Map<String, String> fewest = new LinkedHashMap<>();
		NotifyValues.ALWAYS.forEach((name) -> fewest.put(name, "?"));
		if (arguments) {
			fewest.put(NotifyValues.ARGUMENTS, "?");
		}
		if (filled(fewest).isEmpty()) {
			throw new IllegalArgumentException(
					"would be an empty message for a question that lacks values, such as {{agent}}; add a member "
							+ "without placeholders, or with those that each question has: "
							+ String.join(", ", NotifyValues.ALWAYS));
		}
	}

	private void check(@Nullable Object part, boolean arguments, boolean link) {
		if (part instanceof Map<?, ?> object) {
			object.values().forEach((member) -> check(member, arguments, link));
		}
		else if (part instanceof List<?> list) {
			list.forEach((element) -> check(element, arguments, link));
		}
		else if (part instanceof String text) {
			checkText(text, arguments, link);
		}
	}

	private void checkText(String text, boolean arguments, boolean link) {
		Matcher placeholder = PLACEHOLDER.matcher(text);
		boolean found = false;
		while (placeholder.find()) {
			found = true;
			String name = placeholder.group(1);
			if (!NotifyValues.NAMES.contains(name)) {
				throw new IllegalArgumentException(
						"has a placeholder that is not known; there are " + String.join(", ", NotifyValues.NAMES));
			}
			if (name.equals(NotifyValues.ARGUMENTS) && !arguments) {
				throw new IllegalArgumentException("has {{arguments}}, but 'arguments: shown' is not written");
			}
			if (name.equals(NotifyValues.LINK) && !link) {
				throw new IllegalArgumentException("has {{link}}, but 'as' names no person");
			}
		}
		if (found && this.format == Format.SLACK && text.indexOf('`') >= 0) {
			throw new IllegalArgumentException(
					"has a backtick beside a placeholder, but each value stands in a code span already");
		}
	}

	/**
	 * The message with values in it.
	 */
	byte[] fill(Map<String, String> values) {
		return StrictJson.write(filled(values));
	}

	private Map<String, @Nullable Object> filled(Map<String, String> values) {
		Map<String, @Nullable Object> filled = new LinkedHashMap<>();
		this.message.forEach((name, member) -> {
			Object value = fill(member, name, false, values);
			if (value != null || member == null) {
				filled.put(name, value);
			}
		});
		return filled;
	}

	/**
	 * A part with values in it, or {@code null} if it needs one that is missing.
	 * @param name the name of the member that it is
	 * @param plain whether the object that it stands in says that its text is plain
	 */
	private @Nullable Object fill(@Nullable Object part, String name, boolean plain, Map<String, String> values) {
		if (part instanceof Map<?, ?> object) {
			return fillObject(object, values);
		}
		if (part instanceof List<?> list) {
			List<Object> filled = new ArrayList<>();
			for (Object element : list) {
				Object value = fill(element, name, plain, values);
				if (value != null) {
					filled.add(value);
				}
			}
			return (filled.isEmpty() && !list.isEmpty()) ? null : filled;
		}
		return (part instanceof String text) ? fillText(text, name, plain, values) : part;
	}

	private @Nullable Object fillObject(Map<?, ?> object, Map<String, String> values) {
		boolean plain = "plain_text".equals(object.get("type"));
		Map<String, @Nullable Object> filled = new LinkedHashMap<>();
		for (Map.Entry<?, ?> member : object.entrySet()) {
			String name = String.valueOf(member.getKey());
			Object value = fill(member.getValue(), name, plain, values);
			if (value == null && member.getValue() != null) {
				return null;
			}
			filled.put(name, value);
		}
		return filled;
	}

	private @Nullable String fillText(String text, String name, boolean plain, Map<String, String> values) {
		Matcher placeholder = PLACEHOLDER.matcher(text);
		StringBuilder filled = new StringBuilder();
		while (placeholder.find()) {
			String key = placeholder.group(1);
			String value = values.get(key);
			if (value == null) {
				return null;
			}
			placeholder.appendReplacement(filled, Matcher.quoteReplacement(written(key, value, name, plain)));
		}
		return placeholder.appendTail(filled).toString();
	}

	private String written(String key, String value, String member, boolean plain) {
		if (key.equals(NotifyValues.LINK)) {
			return value;
		}
		boolean arguments = key.equals(NotifyValues.ARGUMENTS);
		if (this.format == Format.JSON) {
			return (arguments) ? cut(value) : ShownArguments.line(value);
		}
		if (member.equals("url") || member.endsWith("_url")) {
			return UriUtils.encode(value, StandardCharsets.UTF_8);
		}
		int max = (arguments) ? MAX_SLACK_ARGUMENTS : MAX_SLACK;
		if (plain) {
			return SlackText.plain(value, max);
		}
		return (arguments) ? SlackText.block(value, max) : SlackText.code(value, max);
	}

	/**
	 * Arguments that are not too long for a message.
	 */
	private static String cut(String shown) {
		if (shown.length() <= ApprovalWriter.MAX_LISTED) {
			return shown;
		}
		int end = ApprovalWriter.MAX_LISTED;
		return shown.substring(0, (Character.isHighSurrogate(shown.charAt(end - 1))) ? end - 1 : end) + "...";
	}

}
