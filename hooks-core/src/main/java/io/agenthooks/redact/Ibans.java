package io.agenthooks.redact;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

import io.agenthooks.pattern.Iban;

/**
 * Finds numbers of bank accounts: of a country that has them, as long as they are there,
 * in one piece or in groups, and with the right check digits.
 */
final class Ibans {

	/** How long the numbers of each country are. */
	private static final Map<String, Integer> LENGTHS = new TreeMap<>();

	static {
		String lengths = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24"
				+ "FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20"
				+ "LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31"
				+ "SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30";
		for (int i = 0; i < lengths.length(); i += 4) {
			LENGTHS.put(lengths.substring(i, i + 2), Integer.valueOf(lengths.substring(i + 2, i + 4)));
		}
	}

	private Ibans() {
	}

	/**
	 * Find the numbers in a text.
	 * @param text the text
	 * @param hits gets the start and the end of each
	 */
	static void find(String text, BiConsumer<Integer, Integer> hits) {
		for (int i = 2; i + 2 < text.length(); i++) {
			if (isDigit(text.charAt(i)) && isDigit(text.charAt(i + 1)) && mayStartAt(text, i - 2)) {
				int end = endOf(text, i - 2);
				if (end > 0) {
					hits.accept(i - 2, end);
					i = end;
				}
			}
		}
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

	private static boolean isLetter(char character) {
		return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
	}

	private static boolean mayStartAt(String text, int start) {
		return isLetter(text.charAt(start)) && isLetter(text.charAt(start + 1))
				&& (start == 0 || !Character.isLetterOrDigit(text.charAt(start - 1)) || Escapes.endsAt(text, start));
	}

	private static int endOf(String text, int start) {
		Integer length = LENGTHS.get(text.substring(start, start + 2).toUpperCase(Locale.ROOT));
		if (length == null) {
			return -1;
		}
		StringBuilder number = new StringBuilder(length);
		int position = start;
		for (boolean wasSign = false; position < text.length() && number.length() < length; position++) {
			char character = text.charAt(position);
			boolean isSign = !isDigit(character) && !isLetter(character);
			if (isSign && (wasSign || !isSeparator(character))) {
				return -1;
			}
			wasSign = isSign;
			if (!isSign) {
				number.append(character);
			}
		}
		boolean mayEnd = position == text.length() || !Character.isLetterOrDigit(text.charAt(position));
		return (mayEnd && number.length() == length && Iban.isValid(number)) ? position : -1;
	}

	private static boolean isSeparator(char character) {
		return Character.isSpaceChar(character) || Character.getType(character) == Character.DASH_PUNCTUATION;
	}

}
