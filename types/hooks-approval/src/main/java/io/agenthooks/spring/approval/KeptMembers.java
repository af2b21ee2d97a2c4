package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * The members of an object that a store keeps, all of them and no others. What is not
 * exactly as it was written cannot be read.
 */
record KeptMembers(Map<String, @Nullable Object> values) {

	private static final StrictJson strict = new StrictJson(1);

	KeptMembers(Map<String, @Nullable Object> values, Set<String> names) {
		this(values);
		if (!values.keySet().equals(names)) {
			throw new InvalidJsonException("has other members than were written");
		}
	}

	static Map<String, @Nullable Object> parse(String line) {
		return strict.readObject(line.getBytes(StandardCharsets.UTF_8));
	}

	static KeptMembers read(String line, Set<String> names) {
		return new KeptMembers(parse(line), names);
	}

	static KeptMembers of(@Nullable Object value, Set<String> names) {
		if (value instanceof Map<?, ?> map) {
			return new KeptMembers(StrictJson.object(map), names);
		}
		throw new InvalidJsonException("holds something else than an object");
	}

	KeptMembers object(String name, Set<String> names) {
		return of(this.values.get(name), names);
	}

	@Nullable KeptMembers optionalObject(String name, Set<String> names) {
		return (this.values.get(name) != null) ? object(name, names) : null;
	}

	Map<String, Object> values(String name) {
		Map<String, Object> values = new LinkedHashMap<>();
		StrictJson.object(value(name, Map.class)).forEach((key, value) -> {
			if (value == null) {
				throw new InvalidJsonException("has a '%s' with a null".formatted(name));
			}
			values.put(key, value);
		});
		return values;
	}

	String text(String name) {
		return value(name, String.class);
	}

	@Nullable String optional(String name) {
		return (this.values.get(name) != null) ? text(name) : null;
	}

	@Nullable Boolean flag(String name) {
		return (this.values.get(name) != null) ? value(name, Boolean.class) : null;
	}

	int number(String name) {
		int number = value(name, Integer.class);
		if (number < 1) {
			throw new InvalidJsonException("has a '%s' below 1".formatted(name));
		}
		return number;
	}

	Instant time(String name) {
		return Instant.parse(text(name));
	}

	@Nullable Duration duration(String name) {
		String text = optional(name);
		return (text != null) ? Duration.parse(text) : null;
	}

	<E extends Enum<E>> E constant(Class<E> type, String name) {
		return Enum.valueOf(type, text(name));
	}

	List<?> list(String name) {
		return value(name, List.class);
	}

	List<String> texts(String name) {
		return texts(list(name), name);
	}

	static List<String> texts(@Nullable Object value, String name) {
		if (!(value instanceof List<?> list)) {
			throw new InvalidJsonException("has a '%s' that is not a list of texts".formatted(name));
		}
		List<String> texts = new ArrayList<>();
		for (Object element : list) {
			if (!(element instanceof String text)) {
				throw new InvalidJsonException("has a '%s' that is not a list of texts".formatted(name));
			}
			texts.add(text);
		}
		return texts;
	}

	<T> T value(String name, Class<T> type) {
		Object value = this.values.get(name);
		if (!type.isInstance(value)) {
			throw new InvalidJsonException("has a '%s' of another type".formatted(name));
		}
		return type.cast(value);
	}

}
