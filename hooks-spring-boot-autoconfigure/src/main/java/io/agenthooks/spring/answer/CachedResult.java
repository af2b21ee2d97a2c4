package io.agenthooks.spring.answer;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/** Deeply immutable, as many callers get the same one. */
record CachedResult(String content, @Nullable Object value) implements Serializable {

	/** The most characters of a text, and of the data beside it. */
	static final int MAX_LENGTH = 256 * 1024;

	/** The characters that would take as much memory as a value beside its text. */
	private static final int VALUE = 20;

	CachedResult {
		Objects.requireNonNull(content, "'content' must not be null");
	}

	/**
	 * Null if it is too large, or no JSON value: it is unknown who changes such data, or
	 * how to write it into a remote cache.
	 */
	static @Nullable CachedResult of(ToolResult result) {
		if (result.content().length() > MAX_LENGTH) {
			return null;
		}
		Object value = result.value();
		if (value == null) {
			return new CachedResult(result.content(), null);
		}
		Object copy = copyOf(value);
		// A set or an array would come back as a list.
		return (weightOf(copy) <= MAX_LENGTH && value.equals(copy)) ? new CachedResult(result.content(), copy) : null;
	}

	private static long weightOf(@Nullable Object value) {
		long weight = VALUE;
		if (value instanceof Map<?, ?> map) {
			for (Map.Entry<?, ?> member : map.entrySet()) {
				weight += VALUE + ((String) member.getKey()).length() + weightOf(member.getValue());
			}
		}
		else if (value instanceof List<?> list) {
			for (Object element : list) {
				weight += weightOf(element);
			}
		}
		else if (value instanceof String text) {
			weight += text.length();
		}
		else if (value instanceof BigInteger integer) {
			weight += integer.bitLength() / Character.SIZE;
		}
		else if (value instanceof BigDecimal decimal) {
			weight += decimal.unscaledValue().bitLength() / Character.SIZE;
		}
		return weight;
	}

	/** Copy data the way arguments are copied, which checks it, too. */
	private static @Nullable Object copyOf(Object value) {
		try {
			return new ToolDecision.Modify(Map.of("value", value), null, null).arguments().get("value");
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** In characters. */
	int weight() {
		return (int) Math.min(Integer.MAX_VALUE, VALUE + this.content.length() + weightOf(this.value));
	}

	ToolResult toResult() {
		return ToolResult.success(this.content, this.value);
	}

	/** The result without its content, which may be secret. */
	@Override
	public String toString() {
		return "CachedResult[content=%d characters]".formatted(this.content.length());
	}

}
