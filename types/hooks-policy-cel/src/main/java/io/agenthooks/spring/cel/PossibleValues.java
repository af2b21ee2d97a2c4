package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

final class PossibleValues {

	private @Nullable Set<Object> allowed;

	private final Set<Object> forbidden = new HashSet<>();

	private Predicate<String> matching = (text) -> true;

	/** Beginnings, ends and parts of a text. */
	private final List<String> begins = new ArrayList<>();

	private final List<String> ends = new ArrayList<>();

	private final List<String> has = new ArrayList<>();

	/** Beginnings, ends and parts that it must not have, given what it has. */
	private final List<Predicate<PossibleValues>> denied = new ArrayList<>();

	private Predicate<List<?>> lists = (list) -> true;

	private boolean withElement;

	/** Of numbers, of texts or of times. */
	private @Nullable Object least;

	private boolean withLeast;

	private @Nullable Object greatest;

	private boolean withGreatest;

	void oneOf(List<Object> values) {
		if (this.allowed == null) {
			this.allowed = new HashSet<>(values);
		}
		else {
			this.allowed.retainAll(values);
		}
	}

	void noneOf(List<Object> values) {
		this.forbidden.addAll(values);
	}

	@Nullable Set<Object> allowed() {
		return this.allowed;
	}

	void matching(Predicate<String> condition) {
		this.matching = this.matching.and(condition);
	}

	void hasElement(Object element, boolean negated) {
		this.lists = this.lists.and((list) -> list.contains(element) != negated);
		this.withElement |= !negated;
	}

	void has(String function, String part, boolean negated) {
		if (negated && part.isEmpty()) {
			oneOf(List.of());
		}
		Predicate<String> has = test(function, part);
		matching((negated) ? has.negate() : has);
		if (negated) {
			this.denied.add((values) -> switch (function) {
				case "startsWith" -> values.begins.stream().anyMatch(has);
				case "endsWith" -> values.ends.stream().anyMatch(has);
				default -> values.has.stream().anyMatch(has);
			});
			return;
		}
		this.has.add(part);
		if (function.equals("startsWith")) {
			this.begins.add(part);
		}
		else if (function.equals("endsWith")) {
			this.ends.add(part);
		}
	}

	private static Predicate<String> test(String function, String part) {
		return switch (function) {
			case "startsWith" -> (text) -> text.startsWith(part);
			case "endsWith" -> (text) -> text.endsWith(part);
			default -> (text) -> text.contains(part);
		};
	}

	/** Of the longest text that it is known to have in it. */
	int leastLength() {
		return this.has.stream()
			.mapToInt((part) -> part.codePointCount(0, part.length()))
			.max()
			.orElse((this.withElement) ? 1 : 0);
	}

	void compare(String sign, Object value) {
		if (sign.equals("_==_")) {
			oneOf(List.of(value));
		}
		if (sign.equals("_!=_")) {
			noneOf(List.of(value));
		}
		if (order(value, value) == null) {
			return;
		}
		boolean with = sign.endsWith("=_");
		if (sign.startsWith("_>")) {
			Integer order = (this.least != null) ? order(value, this.least) : Integer.valueOf(1);
			if (order != null && order >= 0) {
				this.withLeast = (order > 0 || this.withLeast) && with;
				this.least = value;
			}
		}
		else if (sign.startsWith("_<")) {
			Integer order = (this.greatest != null) ? order(value, this.greatest) : Integer.valueOf(-1);
			if (order != null && order <= 0) {
				this.withGreatest = (order < 0 || this.withGreatest) && with;
				this.greatest = value;
			}
		}
	}

	/** {@code null} if they have none, as texts that have several spellings. */
	private static @Nullable Integer order(Object one, Object other) {
		if (one instanceof BigDecimal number && other instanceof BigDecimal bound) {
			return number.compareTo(bound);
		}
		if (one instanceof String text && other instanceof String bound) {
			return (PlainTexts.isPlain(text) && PlainTexts.isPlain(bound)) ? text.compareTo(bound) : null;
		}
		if (one instanceof Instant time && other instanceof Instant bound) {
			return time.compareTo(bound);
		}
		return (one instanceof Duration time && other instanceof Duration bound) ? time.compareTo(bound) : null;
	}

	boolean isNone() {
		if (this.allowed != null && this.allowed.stream().noneMatch(this::accepts)) {
			return true;
		}
		if (isApart(this.begins, "startsWith") || isApart(this.ends, "endsWith")
				|| this.denied.stream().anyMatch((each) -> each.test(this))) {
			return true;
		}
		if (this.least == null || this.greatest == null) {
			return false;
		}
		Integer order = order(this.least, this.greatest);
		return order == null || order > 0
				|| (order == 0 && (!(this.withLeast && this.withGreatest) || this.forbidden.contains(this.least)));
	}

	/** No text has all of them at the same place. */
	private static boolean isApart(List<String> parts, String function) {
		return parts.stream()
			.anyMatch((one) -> parts.stream()
				.anyMatch((other) -> !test(function, one).test(other) && !test(function, other).test(one)));
	}

	boolean accepts(Object value) {
		if (this.forbidden.contains(value) || (this.allowed != null && !this.allowed.contains(value))) {
			return false;
		}
		if (value instanceof String text && !PlainTexts.isPlain(text)) {
			return (this.least == null || this.least instanceof String)
					&& (this.greatest == null || this.greatest instanceof String);
		}
		if ((value instanceof String text && !this.matching.test(text))
				|| (value instanceof List<?> list && !this.lists.test(list))) {
			return false;
		}
		Integer fromLeast = (this.least != null) ? order(value, this.least) : Integer.valueOf(1);
		Integer fromGreatest = (this.greatest != null) ? order(value, this.greatest) : Integer.valueOf(-1);
		return fromLeast != null && (fromLeast > 0 || (fromLeast == 0 && this.withLeast)) && fromGreatest != null
				&& (fromGreatest < 0 || (fromGreatest == 0 && this.withGreatest));
	}

}
