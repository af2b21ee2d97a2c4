package io.agenthooks.redact;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.agenthooks.pattern.Iban;

/**
 * A kind of number that is known by its shape and its digits: cards, telephones, bank
 * accounts, social security, and addresses of the internet protocol. Each shape has a
 * bound, so looking for it takes time that grows with the text alone.
 */
final class NumberKind {

	/** Characters between groups: blanks and dashes. */
	private static final String GAP = "[\\p{Zs}\\p{Cf}\\p{Pd}\\u2212]{1,2}";

	private static final String SIGN = "[\\p{Zs}\\p{Pd}./()]";

	private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])";

	private static final String FOUR = "(?:" + BYTE + "\\.){3}" + BYTE;

	private static final String SIX = "[0-9A-Fa-f]{1,4}";

	private static final String NO_MORE = "(?!:[0-9A-Za-z_:])";

	/** Countries, behind the length of their bank accounts. */
	private static final String ACCOUNTS = "15NO 16BE 18DK|FI|FK|FO|GL|NL|SD 19MK|SI 20AT|BA|EE|KZ|LT|LU|MN|XK "
			+ "21CH|CR|HR|LI|LV 22BG|BH|DE|GB|GE|IE|ME|RS|VA 23AE|GI|IL|IQ|OM|SO|TL 24AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG "
			+ "25LY|PT|ST 26IS|TR 27BI|DJ|FR|GR|IT|MC|MR|SM 28AL|AZ|BY|CY|DO|GT|HN|HU|LB|NI|PL|SV 29BR|EG|PS|QA|UA "
			+ "30JO|KW|MU|YE 31MT|SC 32LC 33RU";

	/** Payment cards: one number of ten has the right check digit by chance. */
	static final NumberKind CARDS = new NumberKind("23456", "[\\p{L}\\p{Nd}+]|[0-9]\\.", "[\\p{L}\\p{Nd}]|\\.[0-9]",
			NumberKind::isCard, "[0-9]{13,19}", "(?:[0-9]{4}" + GAP + "){3}[0-9]{1,4}",
			"(?:[0-9]{4}" + GAP + "){4}[0-9]{1,3}", "[0-9]{4}" + GAP + "[0-9]{6}" + GAP + "[0-9]{4,5}");

	/**
	 * With a country code, national ones that start with zero and are grouped, and those
	 * of North America.
	 */
	static final NumberKind PHONES = new NumberKind("+(0123456789",
			"[\\p{L}\\p{Nd}+._/]|[\\p{L}\\p{Nd}]-|[0-9][\\p{Zs}\\p{Pd}./()](?=[^+])", "[\\p{L}\\p{Nd}_]|[-./:][0-9]",
			(number) -> number.startsWith("+") || number.matches(".+" + SIGN + ".+"),
			"\\+" + SIGN + "{0,3}[1-9](?:" + SIGN + "{0,3}[0-9]){7,14}", "00[1-9](?:" + SIGN + "{0,3}[0-9]){7,12}",
			"0[1-9][0-9](?:" + SIGN + "{0,3}[0-9]){6,9}", "\\(0[1-9][0-9]{1,3}\\)(?:" + SIGN + "{0,3}[0-9]){4,8}",
			"(?:1" + SIGN + "{1,3})?(?:[2-9][0-9]{2}|\\([2-9][0-9]{2}\\))" + SIGN + "{1,3}[2-9][0-9]{2}" + SIGN
					+ "{1,3}[0-9]{4}");

	/** Bank accounts, as long as they are in their country. */
	static final NumberKind ACCOUNT_NUMBERS = new NumberKind("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "[\\p{L}\\p{Nd}]",
			"[\\p{L}\\p{Nd}]", (number) -> Iban.isValid(number.replaceAll("[^0-9A-Za-z]", "")),
			Stream.of(ACCOUNTS.split(" "))
				.map((country) -> "(?i:" + country.substring(2) + ")[0-9]{2}(?:[\\p{Z}\\p{Pd}]?[0-9A-Za-z]){"
						+ (Integer.parseInt(country.substring(0, 2)) - 4) + "}")
				.collect(Collectors.joining("|", "(?=[A-Za-z]{2}[0-9]{2})(?:", ")")));

	/** Social security numbers of the United States, of those that are given out. */
	static final NumberKind SOCIAL = new NumberKind("012345678", "[\\p{L}\\p{Nd}_-]", "[\\p{L}\\p{Nd}_-]",
			(number) -> true, "(?!000|666)[0-9]{3}([\\p{Pd} \\u00a0])(?!00)[0-9]{2}\\1(?!0000)[0-9]{4}");

	/** Addresses of version 4 and 6; a version of four numbers looks the same. */
	static final NumberKind ADDRESSES = new NumberKind(":0123456789ABCDEF", "[\\p{L}\\p{Nd}_.]",
			"[\\p{L}\\p{Nd}_]|\\.[\\p{L}\\p{Nd}_]", NumberKind::isAddress, FOUR,
			"(?<!:)(?:" + SIX + ":){7}" + SIX + NO_MORE, "(?<!:)(?:" + SIX + ":){6}" + FOUR + NO_MORE, "(?<!:)(?:" + SIX
					+ "(?::" + SIX + "){0,6})?::(?:(?:" + SIX + ":){0,6}(?:" + FOUR + "|" + SIX + "))?" + NO_MORE);

	/** No shape reaches farther, with what is behind it. */
	private static final int REACH = 80;

	private final String first;

	/** Where one may start. */
	private final Pattern edge;

	private final List<Pattern> shapes;

	private final Predicate<String> check;

	/**
	 * Create a kind.
	 * @param first the characters that it starts with, letters in upper case
	 * @param before what must not stand before it
	 * @param behind what must not stand behind it
	 * @param check tells whether what has one of the shapes is such a number
	 * @param shapes its shapes
	 */
	private NumberKind(String first, String before, String behind, Predicate<String> check, String... shapes) {
		this.first = first;
		this.check = check;
		this.edge = Pattern.compile("(?<!" + before + ")|(?<=\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})");
		this.shapes = Stream.of(shapes).map((shape) -> Pattern.compile(shape + "(?!" + behind + ")")).toList();
	}

	/**
	 * Find the numbers in a text.
	 * @param text the text
	 * @param hits gets the start and the end of each
	 */
	void find(String text, BiConsumer<Integer, Integer> hits) {
		Matcher edge = matcher(this.edge, text);
		List<Matcher> matchers = this.shapes.stream().map((shape) -> matcher(shape, text)).toList();
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (this.first.indexOf((character >= 'a') ? character - 0x20 : character) < 0
					|| !edge.region(i, text.length()).lookingAt()) {
				continue;
			}
			int end = -1;
			for (Matcher matcher : matchers) {
				matcher.region(i, Math.min(text.length(), i + REACH));
				if (matcher.lookingAt() && matcher.end() > end && this.check.test(matcher.group())) {
					end = matcher.end();
				}
			}
			if (end > 0) {
				hits.accept(i, end);
				i = end - 1;
			}
		}
	}

	private static Matcher matcher(Pattern pattern, String text) {
		return pattern.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
	}

	private static boolean isCard(String number) {
		int[] digits = number.chars().filter((character) -> character >= '0' && character <= '9').toArray();
		int sum = 0;
		for (int i = 0; i < digits.length; i++) {
			int digit = digits[digits.length - 1 - i] - '0';
			int doubled = (digit < 5) ? 2 * digit : 2 * digit - 9;
			sum += (i % 2 == 0) ? digit : doubled;
		}
		return digits.length >= 13 && digits.length <= 19 && sum % 10 == 0;
	}

	private static boolean isAddress(String address) {
		if (address.indexOf(':') < 0) {
			return true;
		}
		long groups = Arrays.stream(address.split(":")).filter((group) -> !group.isEmpty()).count();
		return (!address.contains("::") || groups < 8)
				&& address.chars().anyMatch((sign) -> sign <= '9' && sign != ':');
	}

}
