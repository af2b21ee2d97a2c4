package io.agenthooks.flow;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.policy.PercentEncoding;

/**
 * The letters and digits of the arguments of a call, also as they are once they are
 * decoded. A tool that says some of them again, in whatever it stands, does not make them
 * its own.
 */
final class Echo {

	/** Fewer letters and digits stand in most texts by chance; those count as words. */
	private static final int MIN_LENGTH = 4;

	/** How often what was decoded is decoded again. */
	private static final int ROUNDS = 3;

	/** How many comparisons of characters one step of a budget is. */
	private static final int PER_STEP = 8;

	private static final Pattern ENTITY = Pattern.compile("&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([a-z]{2,8}));?");

	private static final Map<String, String> ENTITIES = Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos",
			"'", "commat", "@", "period", ".", "nbsp", " ", "hyphen", "-", "lowbar", "_");

	private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-Fa-f]{4})");

	private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_-]{8,}={0,2}");

	private final String said;

	private final Budget budget = new Budget();

	private Echo(String said) {
		this.said = said;
	}

	/**
	 * What a tool may say again.
	 * @param values the values of the arguments, one after the other
	 * @param names their names
	 * @return what it may, or {@code null} if that takes too long to find out
	 */
	static @Nullable Echo of(String values, String names) {
		StringBuilder said = new StringBuilder();
		String decoded = values + "\n" + names;
		String own = values;
		for (int i = 0; i <= ROUNDS; i++) {
			String letters = letters(own);
			if (letters == null) {
				return null;
			}
			// Two values may be said in either order.
			said.append(letters).append(letters).append('\n');
			String next = decoded(own);
			if (next.equals(own)) {
				break;
			}
			own = next;
		}
		String all = letters(decoded);
		return (all != null) ? new Echo(said.append(all).toString()) : null;
	}

	/**
	 * The letters and digits of a text as it is compared, or {@code null} if that takes
	 * too long to find out.
	 */
	private static @Nullable String letters(String text) {
		String clean = Tokens.clean(text);
		return (clean != null) ? squeezed(clean) : null;
	}

	private static String squeezed(String clean) {
		StringBuilder letters = new StringBuilder(clean.length());
		for (int i = 0; i < clean.length(); i++) {
			char character = clean.charAt(i);
			if (Character.isLetterOrDigit(character) || Character.isSurrogate(character)) {
				letters.append(character);
			}
		}
		return letters.toString();
	}

	private static String decoded(String text) {
		String decoded = (text.indexOf('%') >= 0) ? PercentEncoding.decode(text) : text;
		if (decoded.indexOf('\\') >= 0) {
			decoded = ESCAPE.matcher(decoded)
				.replaceAll((escape) -> Matcher
					.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
			decoded = decoded.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r");
		}
		if (decoded.indexOf('&') >= 0) {
			decoded = ENTITY.matcher(decoded).replaceAll((entity) -> Matcher.quoteReplacement(character(entity)));
		}
		return BASE64.matcher(decoded).replaceAll((part) -> Matcher.quoteReplacement(ofBase64(part.group())));
	}

	private static String character(MatchResult entity) {
		if (entity.group(3) != null) {
			return ENTITIES.getOrDefault(entity.group(3), entity.group());
		}
		int code = (entity.group(1) != null) ? Integer.parseInt(entity.group(1))
				: Integer.parseInt(entity.group(2), 16);
		return (Character.isValidCodePoint(code)) ? Character.toString(code) : entity.group();
	}

	/**
	 * What a word says in Base64, or the word itself if that is no text.
	 */
	private static String ofBase64(String word) {
		try {
			byte[] bytes = Base64.getDecoder().decode(word.replace('-', '+').replace('_', '/'));
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			return (text.chars().noneMatch((character) -> Character.isISOControl(character) && character != '\n'))
					? text : word;
		}
		catch (IllegalArgumentException | CharacterCodingException ex) {
			return word;
		}
	}

	/**
	 * Whether the letters and digits of a token stand in the arguments, in this order and
	 * one after the other.
	 * @param token the token, as it is compared
	 * @throws Budget.ExhaustedException if it takes too long to find out
	 */
	boolean holds(String token) {
		if (this.said.isEmpty()) {
			return false;
		}
		return holdsLetters(squeezed(token))
				|| (token.indexOf('%') >= 0 && holdsLetters(squeezed(PercentEncoding.decode(token))))
				|| (token.indexOf('&') >= 0 && holdsLetters(squeezed(decoded(token))));
	}

	private boolean holdsLetters(String letters) {
		int length = letters.length();
		if (length < MIN_LENGTH || length > this.said.length()) {
			return false;
		}
		// As many as there are if all letters are the same.
		this.budget.spend(1 + (long) this.said.length() * length / PER_STEP);
		return this.said.contains(letters);
	}

}
