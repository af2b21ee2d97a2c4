package io.agenthooks.spring.limit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Sha256;
import io.agenthooks.spring.caller.NameSpelling;
import io.agenthooks.spring.expression.CallExpression;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.toolcall.ToolCall;

/**
 * Calls with the same key, the SHA-256 digest of its parts, are counted together.
 * Spellings of a value are one value (case, Unicode NFKC, invisible characters, blanks):
 * another spelling must not be another limit.
 */
final class LimitKey {

	/** To normalize a text costs by its length. */
	static final int MAX_LENGTH = 2_000;

	private final List<KeyPart> parts;

	private final @Nullable CallExpression expression;

	LimitKey(List<KeyPart> parts, @Nullable CallExpression expression) {
		this.parts = List.copyOf(parts);
		this.expression = expression;
	}

	/** Arguments may still be changed. */
	boolean readsArguments() {
		return this.expression != null && this.expression.readsArguments();
	}

	List<?> expressions() {
		return (this.expression != null) ? List.of(this.expression) : List.of();
	}

	String describe() {
		if (this.parts.isEmpty() && this.expression == null) {
			return "all calls";
		}
		List<String> names = this.parts.stream().map(KeyPart::describe).collect(Collectors.toList());
		if (this.expression != null) {
			names.add("key_expression");
		}
		return "this " + String.join(" and ", names);
	}

	/**
	 * For stores that nodes share. With another expression other calls are counted
	 * together.
	 */
	String identity() {
		return (this.expression != null) ? describe() + "\n" + this.expression.text() : describe();
	}

	Found of(ToolCall call) {
		MessageDigest digest = Sha256.digest();
		for (KeyPart part : this.parts) {
			Found problem = add(digest, part.value().apply(call), part.describe());
			if (problem != null) {
				return problem;
			}
		}
		CallExpression more = this.expression;
		if (more != null) {
			@Nullable Object value;
			try {
				value = more.value(call);
			}
			catch (IllegalStateException ex) {
				// What a model wrote must not make a limit disappear.
				return Found.unusable("The 'key_expression' of the limit cannot be evaluated for this call");
			}
			Found problem = add(digest, value, "value of the 'key_expression'");
			if (problem != null) {
				// Nor must a blank that it wrote.
				return Found.unusable(String.valueOf(problem.problem()));
			}
		}
		return new Found(HexFormat.of().formatHex(digest.digest()), null, false);
	}

	private static @Nullable Found add(MessageDigest digest, @Nullable Object value, String part) {
		String written = (value != null) ? written(value) : "";
		if (written.length() > MAX_LENGTH) {
			return Found.unusable("The %s of the call is too long for the key of a limit".formatted(part));
		}
		String text = NameSpelling.plain(written);
		if (text.isEmpty()) {
			return new Found(null, "The call has no %s, by which its limit is counted".formatted(part), true);
		}
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		// With its length no part can pass for another one, or for two.
		digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
		digest.update(bytes);
		return null;
	}

	/** A number and the text of its digits are one value: tools take both. */
	private static String written(Object value) {
		if (value instanceof Collection<?> list) {
			return CanonicalJson.write(new ArrayList<>(list));
		}
		return (value instanceof Number || value instanceof Map<?, ?>) ? CanonicalJson.write(value) : value.toString();
	}

	/** Either is {@code null}; the problem is a sentence without values of the call. */
	record Found(@Nullable String key, @Nullable String problem, boolean missing) {

		static Found unusable(String problem) {
			return new Found(null, problem, false);
		}

	}

}
