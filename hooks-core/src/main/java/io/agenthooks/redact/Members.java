package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.redact.Written.Mapping;
import io.agenthooks.redact.Written.Member;
import io.agenthooks.redact.Written.Scalar;
import io.agenthooks.redact.Written.Sequence;

/** The members of a map, or those that are written in a text. */
final class Members {

	private final Object original;

	private final List<?> members;

	private final Predicate<String> names;

	Members(Map<?, ?> map) {
		this.original = map;
		this.members = new ArrayList<>(map.entrySet());
		this.names = map::containsKey;
	}

	Members(Mapping mapping) {
		this.original = mapping;
		this.members = mapping.members();
		Set<String> names = new HashSet<>();
		mapping.members().forEach((member) -> names.add(String.valueOf(member.name().value())));
		this.names = names::contains;
	}

	/** The members of a value, or {@code null} if it has none. */
	static @Nullable Members in(@Nullable Object value) {
		if (value instanceof Mapping mapping) {
			return new Members(mapping);
		}
		return (value instanceof Map<?, ?> map) ? new Members(map) : null;
	}

	/** A text, also as it is written, or {@code null} if a value is none. */
	static @Nullable String textIn(@Nullable Object value) {
		Object said = (value instanceof Scalar scalar) ? scalar.value() : value;
		return (said instanceof String text) ? text : null;
	}

	/** The elements of a list, also as it is written, or none. */
	static List<?> listIn(@Nullable Object value) {
		if (value instanceof Sequence sequence) {
			return sequence.elements();
		}
		return (value instanceof List<?> list) ? list : List.of();
	}

	Object original() {
		return this.original;
	}

	int size() {
		return this.members.size();
	}

	@Nullable Scalar scalar(int position) {
		return (this.members.get(position) instanceof Member member) ? member.name() : null;
	}

	String name(int position) {
		Scalar written = scalar(position);
		return String
			.valueOf((written != null) ? written.value() : ((Map.Entry<?, ?>) this.members.get(position)).getKey());
	}

	@Nullable Object value(int position) {
		return (this.members.get(position) instanceof Member member) ? member.value()
				: ((Map.Entry<?, ?>) this.members.get(position)).getValue();
	}

	boolean has(String name) {
		return this.names.test(name);
	}

	void rename(int position, String name, @Nullable TextEdits edits) {
		Scalar written = scalar(position);
		if (written != null) {
			Objects.requireNonNull(edits).replace(written, name);
		}
	}

}
