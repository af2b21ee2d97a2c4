package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;

/** One, or the number in an argument. */
record BudgetAmount(List<String> path) {

	/** More digits than money has anywhere, and few enough to reckon with. */
	private static final int MAX_DIGITS = 38;

	/** Numbers of more bits need not be counted in digits, which takes long. */
	private static final int MAX_BITS = 127;

	private static final Pattern TEXT = Pattern.compile("args(\\.[\\p{L}_][\\p{L}\\p{N}_-]{0,99}){1,10}");

	/** {@code null} if it names no argument. */
	static @Nullable BudgetAmount of(@Nullable String written) {
		if (written == null) {
			return new BudgetAmount(List.of());
		}
		String text = written.strip();
		if (!TEXT.matcher(text).matches()) {
			return null;
		}
		return new BudgetAmount(List.of(text.substring(text.indexOf('.') + 1).split("\\.", -1)));
	}

	boolean readsArguments() {
		return !this.path.isEmpty();
	}

	/**
	 * From zero on with few digits; {@code null} if it is none, in which case the call
	 * must not pass.
	 */
	@Nullable BigDecimal of(ToolCall call) {
		if (this.path.isEmpty()) {
			return BigDecimal.ONE;
		}
		@Nullable Object value = call.arguments();
		for (String name : this.path) {
			if (!(value instanceof Map<?, ?> map) || isAmbiguous(map, name)) {
				return null;
			}
			value = map.get(name);
		}
		BigDecimal amount = (value instanceof Number number) ? exact(number) : null;
		return (amount != null && amount.signum() >= 0) ? amount : null;
	}

	/** Whether another name differs only in case. Some tools read that one. */
	private static boolean isAmbiguous(Map<?, ?> map, String name) {
		for (Object other : map.keySet()) {
			if (other instanceof String text && text.equalsIgnoreCase(name) && !text.equals(name)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Without rounding: of a double, the shortest number that is read as this one.
	 * {@code null} if it is none or has too many digits.
	 */
	static @Nullable BigDecimal exact(Number number) {
		BigDecimal exact;
		if (number instanceof BigDecimal decimal) {
			exact = decimal;
		}
		else if (number instanceof BigInteger integer) {
			exact = (integer.bitLength() <= MAX_BITS) ? new BigDecimal(integer) : null;
		}
		else if (number instanceof Double || number instanceof Float) {
			exact = (Double.isFinite(number.doubleValue())) ? new BigDecimal(number.toString()) : null;
		}
		else {
			exact = BigDecimal.valueOf(number.longValue());
		}
		return (exact != null && isShort(exact)) ? exact : null;
	}

	/**
	 * Before and behind the point. To tell takes no time, and to add such numbers little.
	 */
	private static boolean isShort(BigDecimal number) {
		return number.unscaledValue().bitLength() <= MAX_BITS && number.scale() <= MAX_DIGITS
				&& (long) number.precision() - number.scale() <= MAX_DIGITS;
	}

	String describe() {
		return "argument '" + String.join(".", this.path) + "'";
	}

}
