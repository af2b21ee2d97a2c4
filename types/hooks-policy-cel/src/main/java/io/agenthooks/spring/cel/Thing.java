package io.agenthooks.spring.cel;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.policy.FilePath;
import io.agenthooks.policy.MailAddress;
import io.agenthooks.policy.UnreadableValueException;
import io.agenthooks.policy.WebAddress;

/**
 * The meaning of a text, such as an address, with the fields that conditions may name.
 */
final class Thing extends AbstractMap<String, @Nullable Object> {

	private final Object meaning;

	private final Map<String, @Nullable Object> fields;

	private Thing(Object meaning, Map<String, @Nullable Object> fields) {
		this.meaning = meaning;
		this.fields = Collections.unmodifiableMap(fields);
	}

	static Thing of(MailAddress mail) {
		Map<String, @Nullable Object> fields = new LinkedHashMap<>();
		fields.put("address", mail.toString());
		fields.put("local", mail.local());
		fields.put("domain", mail.domain());
		return new Thing(mail, fields);
	}

	static Thing of(WebAddress url, String label) {
		Map<String, @Nullable Object> fields = new LinkedHashMap<>();
		fields.put("scheme", url.scheme());
		fields.put("host", url.host());
		fields.put("port", (long) url.port());
		fields.put("path", (url.path() != null) ? url.path()
				: new Failure("servers do not agree what the path of %s is".formatted(label)));
		fields.put("user", url.user());
		return new Thing(url, fields);
	}

	static Thing of(FilePath path, String label) {
		Map<String, @Nullable Object> fields = new LinkedHashMap<>();
		fields.put("name", field(path::name, label));
		fields.put("ext", field(path::ext, label));
		return new Thing(path, fields);
	}

	private static Object field(Reading reading, String label) {
		try {
			return reading.read();
		}
		catch (UnreadableValueException ex) {
			return new Failure("%s cannot be read by path(): %s".formatted(label, ex.reason()));
		}
	}

	Object meaning() {
		return this.meaning;
	}

	@Override
	public Set<Entry<String, @Nullable Object>> entrySet() {
		return this.fields.entrySet();
	}

	@Override
	public @Nullable Object get(@Nullable Object name) {
		return this.fields.get(name);
	}

	@Override
	public boolean containsKey(@Nullable Object name) {
		return this.fields.containsKey(name);
	}

	@FunctionalInterface
	private interface Reading {

		String read() throws UnreadableValueException;

	}

}
