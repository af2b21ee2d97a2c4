package io.agenthooks.spring.json;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.util.RawValue;

import io.agenthooks.toolcall.ToolDecision;

/**
 * Reads JSON that decides about calls: UTF-8, no name twice, nothing after it, bounded
 * nesting and numbers. Two readers must not understand it differently. Writes JSON in one
 * line of ASCII: half a surrogate pair, which a tool may well return, is then no reason
 * to fail, and no character is taken for the end of a line.
 *
 * @since 0.1.0
 */
public final class StrictJson {

	/** The most levels of arguments. */
	private static final int MAX_DEPTH = 64;

	/** A number like 1e1000000000 is short to write and takes a gigabyte to write out. */
	private static final int MAX_SCALE = 1000;

	/**
	 * The longest JSON that is written for the outside: a tool may return more than fits
	 * into memory several times.
	 */
	public static final int MAX_WRITTEN = 32 * 1024 * 1024;

	/** To write a number of more bits takes time that grows with their square. */
	private static final int MAX_BITS = 10_000;

	private static final JsonMapper writer = JsonMapper.builder()
		.enable(JsonWriteFeature.ESCAPE_NON_ASCII)
		.addModule(new SimpleModule().addSerializer(BigInteger.class, new BoundedNumber<BigInteger>((number) -> number))
			.addSerializer(BigDecimal.class, new BoundedNumber<BigDecimal>(BigDecimal::unscaledValue)))
		.build();

	private final JsonMapper reader;

	public StrictJson(int levels) {
		this.reader = reader(levels);
	}

	/**
	 * Return a mapper that reads JSON as strictly, and keeps numbers as they are written.
	 * @param levels how many levels of JSON there may be around the arguments of a call
	 * @return the reader
	 */
	public static JsonMapper reader(int levels) {
		return JsonMapper
			.builder(JsonFactory.builder()
				.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH + levels).build())
				.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
				.build())
			.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
			.build();
	}

	/**
	 * Read an object whose numbers stay as they are written.
	 * @param text the text, which {@link #readObject} has read before
	 * @return its members
	 */
	public Map<?, ?> readExactly(byte[] text) {
		return this.reader.readValue(new String(text, StandardCharsets.UTF_8), Map.class);
	}

	/**
	 * Read a text, with numbers as they are written.
	 * @param text the text
	 * @return its value
	 * @throws InvalidJsonException if it is no JSON
	 */
	public Object read(String text) {
		try {
			return this.reader.readValue(text, Object.class);
		}
		catch (JacksonException | NumberFormatException ex) {
			throw new InvalidJsonException("is not valid JSON");
		}
	}

	/**
	 * JSON that is written as it is.
	 * @param json the text
	 * @return a value to write
	 */
	public static Object written(String json) {
		return new RawValue(json);
	}

	/**
	 * Read an object.
	 * @param text the text
	 * @return its members
	 * @throws InvalidJsonException if it is anything else
	 */
	public Map<String, @Nullable Object> readObject(byte[] text) {
		try {
			String decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
			if (plain(this.reader.readValue(decoded, Object.class)) instanceof Map<?, ?> members) {
				return object(members);
			}
			throw new InvalidJsonException("is not a JSON object");
		}
		catch (CharacterCodingException ex) {
			throw new InvalidJsonException("is not UTF-8");
		}
		catch (JacksonException | NumberFormatException ex) {
			throw new InvalidJsonException("is not valid JSON");
		}
	}

	public static Map<String, @Nullable Object> object(Map<?, ?> members) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		members.forEach((name, value) -> object.put((String) name, value));
		return object;
	}

	/**
	 * Write a value as one line.
	 * @param value a value that consists of what JSON knows
	 * @return the line, without an end
	 * @throws InvalidJsonException if it would be longer than {@link #MAX_WRITTEN}, or
	 * has a number of thousands of digits
	 */
	public static byte[] write(Object value) {
		BoundedBytes bytes = new BoundedBytes();
		try {
			writer.writeValue(bytes, value);
		}
		catch (JacksonException ex) {
			if (ex.getCause() instanceof InvalidJsonException cause) {
				throw cause;
			}
			throw (bytes.isOver()) ? tooLong() : ex;
		}
		return bytes.toByteArray();
	}

	public static InvalidJsonException tooLong() {
		return new InvalidJsonException("would be longer than %d characters".formatted(MAX_WRITTEN));
	}

	/**
	 * A value as a text for a model.
	 * @param value a value that consists of what JSON knows
	 * @return the text itself, or else JSON
	 */
	public static String textOf(Object value) {
		return (value instanceof String text) ? text : writer.writeValueAsString(value);
	}

	/**
	 * Whether a value consists of what arguments may consist of, which is for the core to
	 * say.
	 * @param value the value
	 * @return whether it does
	 */
	public static boolean isJson(@Nullable Object value) {
		if (value == null) {
			return false;
		}
		try {
			return ToolDecision.modify(Collections.singletonMap("value", value)) != null;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * With the number types that tools are used to, and no number that is too big for
	 * them.
	 */
	private static @Nullable Object plain(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
			map.forEach((name, member) -> copy.put(name, plain(member)));
			return copy;
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> copy = new ArrayList<>(list.size());
			list.forEach((element) -> copy.add(plain(element)));
			return copy;
		}
		if (value instanceof BigInteger integer && Double.isInfinite(integer.doubleValue())) {
			throw new InvalidJsonException("holds a number that is too big");
		}
		return (value instanceof BigDecimal decimal) ? plain(decimal) : value;
	}

	/** The number as a double if that is exactly the same number. */
	private static Number plain(BigDecimal decimal) {
		double number = decimal.doubleValue();
		if (Math.abs((long) decimal.scale()) > MAX_SCALE || Double.isInfinite(number)) {
			throw new InvalidJsonException("holds a number that is too big");
		}
		return (new BigDecimal(Double.toString(number)).compareTo(decimal) == 0) ? (Number) number : decimal;
	}

	private static final class BoundedNumber<N extends Number> extends ValueSerializer<N> {

		private final Function<N, BigInteger> digits;

		BoundedNumber(Function<N, BigInteger> digits) {
			this.digits = digits;
		}

		@Override
		public void serialize(N number, JsonGenerator generator, SerializationContext context) {
			if (this.digits.apply(number).bitLength() > MAX_BITS) {
				throw new InvalidJsonException("would have a number that is too long");
			}
			generator.writeNumber(number.toString());
		}

	}

	private static final class BoundedBytes extends ByteArrayOutputStream {

		private boolean over;

		BoundedBytes() {
			super(512);
		}

		@Override
		public synchronized void write(byte[] bytes, int offset, int length) {
			if (length > MAX_WRITTEN - this.count) {
				this.over = true;
				throw tooLong();
			}
			super.write(bytes, offset, length);
		}

		@Override
		public synchronized void write(int character) {
			write(new byte[] { (byte) character }, 0, 1);
		}

		boolean isOver() {
			return this.over;
		}

	}

}
