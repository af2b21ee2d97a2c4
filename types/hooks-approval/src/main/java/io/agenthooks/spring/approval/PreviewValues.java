package io.agenthooks.spring.approval;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.net.URI;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Sha256;
import io.agenthooks.pattern.NumberText;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.suspend.CallPreview;

/**
 * Makes a table of a list of maps or records, a row of one of them, a text of anything
 * else. What is too large is no preview: a digest of a part would not tell that the rest
 * has changed.
 */
final class PreviewValues {

	static final int MAX_TEXT = 4_000;

	static final int MAX_ROWS = 50;

	static final int MAX_COLUMNS = 12;

	static final int MAX_CELL = 200;

	static final int MAX_TABLE = 16_000;

	/** The most values of a preview, and the most characters. */
	static final int MAX_VALUES = 20_000;

	static final int MAX_CHARACTERS = 500_000;

	private static final int MAX_DEPTH = 20;

	private static final int REPLACEMENT = 0xFFFD;

	private int values;

	private int characters;

	private PreviewValues() {
	}

	/** The message of the exception does not quote the value. */
	static CallPreview of(@Nullable Object returned) {
		Object value = new PreviewValues().plain(returned, 0);
		String digest = Sha256.hex(CanonicalJson.write(value));
		if (value instanceof Map<?, ?> row) {
			return table(List.of(row), digest);
		}
		if (value instanceof List<?> list && !list.isEmpty()) {
			return table(list.stream()
				.<Map<?, ?>>map((each) -> (each instanceof Map<?, ?> map) ? map : single(each))
				.toList(), digest);
		}
		String text = (value == null || value instanceof List<?>) ? "Nothing." : written(value);
		String shown = cut(text, MAX_TEXT);
		return new CallPreview(digest, shown, List.of(), List.of(), text.length() - shown.length(), null);
	}

	private static Map<?, ?> single(@Nullable Object value) {
		Map<String, @Nullable Object> row = new LinkedHashMap<>();
		row.put("value", value);
		return row;
	}

	private static CallPreview table(List<Map<?, ?>> all, String digest) {
		Set<String> names = new LinkedHashSet<>();
		all.forEach((row) -> row.keySet().forEach((name) -> names.add((String) name)));
		if (names.size() > MAX_COLUMNS) {
			throw new UnshowableException("said more than fits into %d columns".formatted(MAX_COLUMNS));
		}
		List<List<String>> rows = new ArrayList<>();
		int length = 0;
		for (Map<?, ?> each : all) {
			List<String> row = names.stream().map((name) -> cell(each.get(name))).toList();
			length += row.stream().mapToInt(String::length).sum();
			if (rows.size() == MAX_ROWS || length > MAX_TABLE) {
				break;
			}
			rows.add(row);
		}
		return new CallPreview(digest, null, names.stream().map((name) -> cut(name, MAX_CELL)).toList(), rows,
				all.size() - rows.size(), null);
	}

	private static String cell(@Nullable Object value) {
		String text = (value != null) ? written(value) : "";
		String cut = cut(text, MAX_CELL);
		return (cut.length() < text.length()) ? cut + "..." : cut;
	}

	private static String written(Object value) {
		if (value instanceof BigDecimal decimal) {
			return NumberText.plain(decimal, decimal.toString());
		}
		return (value instanceof Map || value instanceof List) ? CanonicalJson.write(value) : value.toString();
	}

	/** The beginning of a text, without half characters. */
	private static String cut(String text, int most) {
		StringBuilder cut = new StringBuilder();
		text.codePoints()
			.limit(most)
			.map((character) -> (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE)
					? REPLACEMENT : character)
			.forEach(cut::appendCodePoint);
		return cut.toString();
	}

	private @Nullable Object plain(@Nullable Object value, int depth) {
		if (++this.values > MAX_VALUES || depth > MAX_DEPTH) {
			throw tooLarge();
		}
		if (value == null || value instanceof Boolean) {
			return value;
		}
		if (value instanceof Number number) {
			return number(number);
		}
		if (value instanceof Optional<?> optional) {
			return plain(optional.orElse(null), depth + 1);
		}
		if (value instanceof Map<?, ?> map) {
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			for (Map.Entry<?, ?> entry : map.entrySet()) {
				members.put(counted(String.valueOf(entry.getKey())), plain(entry.getValue(), depth + 1));
			}
			return members;
		}
		if (value instanceof Collection<?> collection) {
			List<@Nullable Object> list = new ArrayList<>();
			for (Object each : collection) {
				list.add(plain(each, depth + 1));
			}
			return list;
		}
		if (value.getClass().isArray()) {
			List<@Nullable Object> list = new ArrayList<>();
			for (int i = 0; i < Array.getLength(value); i++) {
				list.add(plain(Array.get(value, i), depth + 1));
			}
			return list;
		}
		return (value instanceof Record record) ? components(record, depth) : text(value);
	}

	private Object number(Number number) {
		if (!NumberText.isWritable(number)) {
			throw tooLarge();
		}
		double binary = (number instanceof Double || number instanceof Float) ? number.doubleValue() : 0;
		return (Double.isFinite(binary)) ? number : number.toString();
	}

	private String text(Object value) {
		if (value instanceof Enum<?> constant) {
			return counted(constant.name());
		}
		if (value instanceof CharSequence || value instanceof Character || value instanceof TemporalAccessor
				|| value instanceof TemporalAmount || value instanceof ZoneId || value instanceof UUID
				|| value instanceof URI || value instanceof Currency || value instanceof Locale) {
			return counted(value.toString());
		}
		throw new UnshowableException(
				"said something of the type '%s', which cannot be shown".formatted(value.getClass().getName()));
	}

	private String counted(String text) {
		this.characters += Math.min(text.length(), MAX_CHARACTERS + 1);
		if (this.characters > MAX_CHARACTERS) {
			throw tooLarge();
		}
		return text;
	}

	private Map<String, @Nullable Object> components(Record record, int depth) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		for (RecordComponent component : record.getClass().getRecordComponents()) {
			try {
				component.getAccessor().setAccessible(true);
				members.put(component.getName(), plain(component.getAccessor().invoke(record), depth + 1));
			}
			catch (IllegalAccessException | InvocationTargetException ex) {
				throw new UnshowableException("said something that cannot be read");
			}
		}
		return members;
	}

	static UnshowableException tooLarge() {
		return new UnshowableException("said more than can be shown");
	}

	/** The message says why, without quoting the value. */
	static final class UnshowableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnshowableException(String why) {
			super(why);
		}

	}

}
