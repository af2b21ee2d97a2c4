package io.agenthooks.spring.policy;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The values that something in a condition can have.
 */
final class PossibleValues {

	private @Nullable Set<Object> allowed;

	private Predicate<String> matching = (text) -> true;

	private @Nullable BigDecimal least;

	private boolean withLeast;

	private @Nullable BigDecimal greatest;

	private boolean withGreatest;

	void oneOf(List<Object> values) {
		if (this.allowed == null) {
			this.allowed = new HashSet<>(values);
		}
		else {
			this.allowed.retainAll(values);
		}
	}

	void matching(Predicate<String> condition) {
		this.matching = this.matching.and(condition);
	}

	void compare(String sign, Object value) {
		if (sign.equals("_==_")) {
			oneOf(List.of(value));
		}
		if (!(value instanceof BigDecimal number)) {
			return;
		}
		boolean with = sign.endsWith("=_");
		if (sign.startsWith("_>")) {
			int order = (this.least != null) ? number.compareTo(this.least) : 1;
			this.withLeast = (order == 0) ? this.withLeast && with : (order > 0) ? with : this.withLeast;
			this.least = (order > 0) ? number : this.least;
		}
		else if (sign.startsWith("_<")) {
			int order = (this.greatest != null) ? number.compareTo(this.greatest) : -1;
			this.withGreatest = (order == 0) ? this.withGreatest && with : (order < 0) ? with : this.withGreatest;
			this.greatest = (order < 0) ? number : this.greatest;
		}
	}

	boolean isNone() {
		if (this.allowed != null && this.allowed.stream().noneMatch(this::isInRange)) {
			return true;
		}
		if (this.least == null || this.greatest == null) {
			return false;
		}
		int order = this.least.compareTo(this.greatest);
		return order > 0 || (order == 0 && !(this.withLeast && this.withGreatest));
	}

	private boolean isInRange(Object value) {
		if (!(value instanceof BigDecimal number)) {
			return this.least == null && this.greatest == null
					&& (!(value instanceof String text) || !PlainTexts.isPlain(text) || this.matching.test(text));
		}
		int fromLeast = (this.least != null) ? number.compareTo(this.least) : 1;
		int fromGreatest = (this.greatest != null) ? number.compareTo(this.greatest) : -1;
		return (fromLeast > 0 || (fromLeast == 0 && this.withLeast))
				&& (fromGreatest < 0 || (fromGreatest == 0 && this.withGreatest));
	}

}
