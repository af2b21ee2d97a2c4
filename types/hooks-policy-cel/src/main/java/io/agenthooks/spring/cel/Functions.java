package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

final class Functions {

	/** For each character. */
	private static final int CHARACTER = 2;

	/** For each pair of characters. */
	private static final int PAIRS = 8;

	private static final Set<String> OF_TIMES = Set.of("getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth",
			"getDate", "getDayOfWeek", "getHours", "getMinutes", "getSeconds", "getMilliseconds");

	private static final Set<String> OF_ONE = Set.of("size", "lowerAscii", "upperAscii", "trim", "int", "double",
			"string", "bool", "dyn", "timestamp", "duration");

	private static final Set<String> OF_TWO_TEXTS = Set.of("contains", "startsWith", "endsWith");

	private static final Pattern DURATION_PART = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(h|ms|us|ns|m|s)");

	private Functions() {
	}

	static boolean isOfTimes(String name) {
		return OF_TIMES.contains(name);
	}

	static boolean isOfOne(String name) {
		return OF_ONE.contains(name);
	}

	static boolean isOfTwoTexts(String name) {
		return OF_TWO_TEXTS.contains(name);
	}

	static ZoneId zone(String text) {
		return (text.matches("\\d\\d:\\d\\d")) ? ZoneId.of("+" + text) : ZoneId.of(text);
	}

	static Failure unfit(String function, String label, @Nullable Object value) {
		return new Failure("%s is %s, which is not for %s()".formatted(label, Values.kind(value), function));
	}

	record OfOne(String function, Expression part, String label) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.part.value(scope);
			if (value instanceof Failure || this.function.equals("dyn")) {
				return value;
			}
			if (value instanceof String text) {
				scope.spend((long) CHARACTER * text.length());
			}
			if (value instanceof Number number) {
				Numbers.spend(number, scope);
			}
			Object result = apply(value);
			return (result != null) ? result : unfit(this.function, this.label, value);
		}

		private @Nullable Object apply(@Nullable Object value) {
			return switch (this.function) {
				case "size" -> size(value);
				case "lowerAscii" -> (value instanceof String text) ? ascii(text, false) : null;
				case "upperAscii" -> (value instanceof String text) ? ascii(text, true) : null;
				case "trim" -> (value instanceof String text) ? text.strip() : null;
				case "int" -> (value instanceof Instant time) ? (Object) time.getEpochSecond() : whole(number(value));
				case "double" -> number(value);
				case "string" -> string(value);
				case "bool" -> truth(value);
				case "timestamp" -> time(value);
				case "duration" ->
					(value instanceof Duration) ? value : (value instanceof String text) ? duration(text) : null;
				default -> throw new IllegalStateException("No function " + this.function);
			};
		}

		private static @Nullable Object size(@Nullable Object value) {
			if (value instanceof String text) {
				return (long) text.codePointCount(0, text.length());
			}
			return (value instanceof Collection<?> list) ? (Object) (long) list.size()
					: (value instanceof Map<?, ?> map) ? (Object) (long) map.size() : null;
		}

		private static String ascii(String text, boolean upper) {
			StringBuilder changed = new StringBuilder(text.length());
			for (int i = 0; i < text.length(); i++) {
				char ch = text.charAt(i);
				boolean letter = (upper) ? ch >= 'a' && ch <= 'z' : ch >= 'A' && ch <= 'Z';
				changed.append((letter) ? (char) (ch ^ 0x20) : ch);
			}
			return changed.toString();
		}

		private static @Nullable Number number(@Nullable Object value) {
			return (value instanceof Number number) ? Numbers.exact(number)
					: (value instanceof String text) ? Numbers.read(text) : null;
		}

		private static @Nullable Object whole(@Nullable Number number) {
			BigInteger whole = (number != null) ? Numbers.whole(number) : null;
			return (whole != null) ? new BigDecimal(whole) : null;
		}

		private static @Nullable Object string(@Nullable Object value) {
			return (value instanceof Number number) ? Numbers.write(number)
					: (value instanceof String || value instanceof Boolean || value instanceof Instant)
							? value.toString() : null;
		}

		private static @Nullable Object truth(@Nullable Object value) {
			if (value instanceof String text) {
				return (text.equals("true")) ? (Object) true : (text.equals("false")) ? false : null;
			}
			return (value instanceof Boolean) ? value : null;
		}

		private static @Nullable Object time(@Nullable Object value) {
			try {
				return (value instanceof String text) ? OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant()
						: (value instanceof Instant) ? value : null;
			}
			catch (DateTimeException ex) {
				return null;
			}
		}

		private static @Nullable Object duration(String text) {
			boolean negative = text.startsWith("-");
			Matcher parts = DURATION_PART.matcher(text);
			int end = (negative) ? 1 : 0;
			BigDecimal nanos = BigDecimal.ZERO;
			while (end < text.length() && parts.find(end) && parts.start() == end) {
				nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(nanosOf(parts.group(2))));
				end = parts.end();
			}
			if (end < text.length() || text.length() > 100 || end <= ((negative) ? 1 : 0)) {
				return null;
			}
			BigInteger[] seconds = nanos.toBigInteger().divideAndRemainder(BigInteger.valueOf(1_000_000_000));
			Duration duration = Duration.ofSeconds(seconds[0].longValue(), seconds[1].longValue());
			return (negative) ? duration.negated() : duration;
		}

		private static BigDecimal nanosOf(String unit) {
			long nanos = switch (unit) {
				case "h" -> 3_600_000_000_000L;
				case "m" -> 60_000_000_000L;
				case "s" -> 1_000_000_000L;
				case "ms" -> 1_000_000L;
				case "us" -> 1_000L;
				default -> 1L;
			};
			return BigDecimal.valueOf(nanos);
		}

	}

	record OfTwoTexts(String function, Expression whole, Expression wanted, String label) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.whole.value(scope);
			Object other = this.wanted.value(scope);
			if (!(value instanceof String text)) {
				return (value instanceof Failure) ? value : unfit(this.function, this.label, value);
			}
			if (!(other instanceof String part)) {
				return (other instanceof Failure) ? other : unfit(this.function, "the text that is looked for", other);
			}
			return switch (this.function) {
				case "startsWith" -> text.startsWith(part);
				case "endsWith" -> text.endsWith(part);
				default -> {
					scope.spend(1 + (long) text.length() * part.length() / PAIRS);
					yield text.contains(part);
				}
			};
		}

	}

	record Matches(Expression whole, com.google.re2j.Pattern pattern, com.google.re2j.Pattern plain,
			String label) implements Expression {

		/** Of a character, for each part of the expression. */
		private static final int PART = 4;

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.whole.value(scope);
			if (!(value instanceof String text)) {
				return (value instanceof Failure) ? value : unfit("matches", this.label, value);
			}
			com.google.re2j.Pattern pattern = (scope.isPlain()) ? this.plain : this.pattern;
			scope.spend((text.length() + 1L) * (PART * (2L + pattern.programSize())));
			return pattern.matcher(text).find();
		}

	}

	/** A part of a time in a zone that is written in the condition; or of a duration. */
	record OfTimes(String function, Expression moment, ZoneId zone, String label) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.moment.value(scope);
			if (value instanceof Failure) {
				return value;
			}
			if (value instanceof Instant time) {
				return part(time);
			}
			Long part = (value instanceof Duration duration) ? part(duration) : null;
			return (part != null) ? part : unfit(this.function, this.label, value);
		}

		private Object part(Instant time) {
			try {
				return (long) part(time.atZone(this.zone));
			}
			catch (DateTimeException ex) {
				return new Failure(this.label + " is out of the range of times");
			}
		}

		private int part(ZonedDateTime time) {
			return switch (this.function) {
				case "getFullYear" -> time.getYear();
				case "getMonth" -> time.getMonthValue() - 1;
				case "getDayOfYear" -> time.getDayOfYear() - 1;
				case "getDayOfMonth" -> time.getDayOfMonth() - 1;
				case "getDate" -> time.getDayOfMonth();
				case "getDayOfWeek" -> time.getDayOfWeek().getValue() % 7;
				case "getHours" -> time.getHour();
				case "getMinutes" -> time.getMinute();
				case "getSeconds" -> time.getSecond();
				default -> time.getNano() / 1_000_000;
			};
		}

		private @Nullable Long part(Duration duration) {
			return switch (this.function) {
				case "getHours" -> duration.toHours();
				case "getMinutes" -> duration.toMinutes();
				case "getSeconds" -> duration.toSeconds();
				case "getMilliseconds" -> (long) duration.toMillisPart();
				default -> null;
			};
		}

	}

}
