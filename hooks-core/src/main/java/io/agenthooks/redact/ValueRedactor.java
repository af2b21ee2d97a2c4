package io.agenthooks.redact;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.NumberText;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.PatternSet;

/**
 * Redacts a JSON-like value. What has nothing to hide stays the same object; what cannot
 * be searched becomes {@code null}.
 */
final class ValueRedactor {

	private static final int MAX_DEPTH = 64;

	/** What looking at a value costs, beside searching it. */
	private static final int VALUE = 20;

	private static final PatternSet PASSWORD_NAMES = PatternSet.of(new PatternReader().read(Format.KEY_AT_END));

	private final Redactor redactor;

	/** Names of passwords and the like that are not part of longer ones. */
	private static final Set<String> STRICT_NAMES = Set.of("pass", "passwords", "passwds", "secrets", "tokens",
			"apikeys", "credential", "credentials", "creds", "cookie", "cookies", "setcookie", "pin", "otp", "cvv",
			"cvc", "jwt", "bearer", "privatekeys");

	/** What a pair calls the name of its value, as in a list of headers. */
	private static final Set<String> PAIR_NAMES = Set.of("name", "key", "header", "field", "variable", "env", "param",
			"parameter", "option", "property", "attribute");

	/** Longer texts are no names. */
	private static final int MAX_NAME = 256;

	private static final Set<String> PAIR_VALUES = Set.of("value", "values", "val");

	private final Budget budget;

	/** Whether everything goes that may be a password. */
	private final boolean strict;

	private int depth;

	ValueRedactor(Redactor redactor, Budget budget) {
		this(redactor, budget, false);
	}

	private ValueRedactor(Redactor redactor, Budget budget, boolean strict) {
		this.redactor = redactor;
		this.budget = budget;
		this.strict = strict;
	}

	/**
	 * One that hides where it is unsure.
	 */
	static ValueRedactor strict(Redactor redactor, Budget budget) {
		return new ValueRedactor(redactor, budget, true);
	}

	/**
	 * Redact a value.
	 * @throws Budget.ExhaustedException if it is too large or nested too deep
	 */
	@Nullable Object redact(@Nullable Object value) {
		return redact(value, false);
	}

	@SuppressWarnings("unchecked")
	Map<String, @Nullable Object> redactMembers(Map<String, ? extends @Nullable Object> members) {
		Object redacted = redact(members, false);
		return (redacted != null) ? (Map<String, @Nullable Object>) redacted : Map.of();
	}

	/**
	 * Redact a value.
	 * @param isPassword whether its name says that it is a password
	 */
	private @Nullable Object redact(@Nullable Object value, boolean isPassword) {
		this.budget.spend(VALUE);
		if (value == null || value instanceof Boolean) {
			return value;
		}
		if (value instanceof String text) {
			return redactText(text, isPassword);
		}
		if (value instanceof Number number) {
			return redactNumber(number, isPassword);
		}
		if (++this.depth > MAX_DEPTH) {
			throw new Budget.ExhaustedException();
		}
		try {
			if (value instanceof Map<?, ?> map) {
				return redactMap(map, this.strict && isPassword);
			}
			if (value instanceof Collection<?> collection) {
				return redactList(collection, value, isPassword);
			}
			return (value instanceof Object[] array) ? redactList(Arrays.asList(array), value, isPassword) : null;
		}
		finally {
			this.depth--;
		}
	}

	private String redactText(String text, boolean isPassword) {
		if (isPassword && !text.isEmpty() && (this.strict || !Harmless.placeholder(text, 0, text.length()))) {
			return this.redactor.replacement(text, Detector.PASSWORD, this.budget);
		}
		return this.redactor.redact(text, this.budget);
	}

	private @Nullable Object redactNumber(Number number, boolean isPassword) {
		String text = textOf(number);
		if (text == null) {
			return null;
		}
		String redacted = redactText(text, isPassword);
		return (redacted.equals(text)) ? number : redacted;
	}

	/**
	 * The digits of a number, without an exponent, or {@code null} if it is none of JSON
	 * or has too many of them.
	 */
	private static @Nullable String textOf(Number number) {
		if (number instanceof Integer || number instanceof Long || number instanceof Short || number instanceof Byte) {
			return number.toString();
		}
		if ((number instanceof Double || number instanceof Float) && !Double.isFinite(number.doubleValue())) {
			return number.toString();
		}
		boolean isSearchable = (number instanceof BigDecimal decimal) ? !NumberText.hasManyZeros(decimal)
				: number instanceof BigInteger || number instanceof Double || number instanceof Float;
		return (isSearchable && NumberText.isWritable(number)) ? NumberText.plain(number, number.toString()) : null;
	}

	private Object redactList(Collection<?> list, Object original, boolean isPassword) {
		List<@Nullable Object> redacted = new ArrayList<>();
		boolean isSame = true;
		boolean isNamed = false;
		for (Object element : list) {
			Object searched = redact(element, isPassword || isNamed);
			isSame &= Objects.equals(searched, element);
			redacted.add(searched);
			isNamed = isOption(element);
		}
		return (isSame) ? original : Collections.unmodifiableList(redacted);
	}

	/**
	 * Whether an element of a list says that the next one is a password, as words of a
	 * command line do.
	 */
	private boolean isOption(@Nullable Object element) {
		return this.strict && element instanceof String text && text.startsWith("-") && text.length() <= MAX_NAME
				&& text.indexOf('=') < 0 && isPassword(text);
	}

	/**
	 * Whether a map is a pair whose value is a password, because of the name that it says
	 * the value has.
	 */
	private boolean isPairOfPassword(Map<?, ?> map) {
		if (!this.strict) {
			return false;
		}
		for (Map.Entry<?, ?> member : map.entrySet()) {
			if (member.getKey() instanceof String name && member.getValue() instanceof String text
					&& PAIR_NAMES.contains(name.toLowerCase(Locale.ROOT)) && text.length() <= MAX_NAME
					&& isPassword(text.strip())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Redact a map; one whose names are not texts cannot be searched.
	 */
	private @Nullable Object redactMap(Map<?, ?> map, boolean isPassword) {
		Map<String, @Nullable Object> redacted = new LinkedHashMap<>();
		boolean isSame = true;
		boolean isPair = isPairOfPassword(map);
		for (Map.Entry<?, ?> member : map.entrySet()) {
			if (!(member.getKey() instanceof String name)) {
				return null;
			}
			String searched = this.redactor.redact(name, this.budget);
			Object value = redact(member.getValue(),
					isPassword || isPassword(name) || (isPair && PAIR_VALUES.contains(name.toLowerCase(Locale.ROOT))));
			isSame &= searched.equals(name) && Objects.equals(value, member.getValue());
			redacted.put((searched.equals(name)) ? name : unused(searched, map, redacted), value);
		}
		return (isSame) ? map : Collections.unmodifiableMap(redacted);
	}

	private boolean isPassword(String name) {
		if (isCredentials(name)) {
			return true;
		}
		if (this.strict && this.redactor.searchesFor(Detector.PASSWORD)) {
			String plain = plain(name);
			if (STRICT_NAMES.contains(plain.replaceAll("[_.\\s-]", "").toLowerCase(Locale.ROOT))) {
				return true;
			}
			return PASSWORD_NAMES.find(plain, this.budget) != null && !Harmless.isPageToken(plain);
		}
		return this.redactor.searchesFor(Detector.PASSWORD) && PASSWORD_NAMES.find(name, this.budget) != null
				&& !Harmless.isPageToken(name);
	}

	/**
	 * A name as a person reads it: without invisible characters, in the usual letters.
	 */
	private String plain(String name) {
		this.budget.spend(name.length());
		if (name.chars().allMatch((character) -> character < 0x80)) {
			return name;
		}
		String usual = Normalizer.normalize(name, Normalizer.Form.NFKC);
		VisibleText visible = VisibleText.of(usual);
		return (visible != null) ? visible.toString() : usual;
	}

	/**
	 * Whether this is the name of a header that holds nothing but credentials.
	 */
	private boolean isCredentials(String name) {
		return this.redactor.searchesFor(Detector.SECRET)
				&& (name.equalsIgnoreCase("authorization") || name.equalsIgnoreCase("proxy-authorization"));
	}

	/**
	 * A name that no other member has: several secrets may leave the same.
	 */
	private String unused(String name, Map<?, ?> map, Map<String, @Nullable Object> redacted) {
		String unused = name;
		for (int i = 2; map.containsKey(unused) || redacted.containsKey(unused); i++) {
			this.budget.spend(VALUE + (long) name.length());
			unused = name + "#" + i;
		}
		return unused;
	}

}
