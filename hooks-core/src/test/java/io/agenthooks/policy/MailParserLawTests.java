package io.agenthooks.policy;

import java.io.UnsupportedEncodingException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeUtility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.pattern.Budget;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law: each address that a mail parser finds in a text is found by {@link MailAddresses},
 * or the text is not read, so that no spelling of a domain passes as another.
 */
class MailParserLawTests {

	private static final int TEXTS = 60_000;

	private static final List<String> DOMAINS = List.of("example.com", "example.com", "evil.example", "EVIL.example.",
			"bücher.example", "xn--bcher-kva.example", "[203.0.113.7]", "[IPv6:::1]", "example.com.evil.example",
			"evil .example", "evil.(x)example", "evil．example", "ｅvil.example", "evil\\.example", "еvil.example");

	private static final List<String> LOCALS = List.of("a", "eve", "a.b+c", "\"a b\"", "\"a\\\"b\"",
			"\"a@evil.example\"", "\"eve@evil.example, x\"", "jöhn", "a(x)", "(x)a", "=?utf-8?q?eve=40evil.example?=",
			"eve%evil.example", "evil.example!eve", "\"\"", "a..b", ".a", "\"a\".b", "a\\@b", "\"eve@evil.example>\"");

	private static final List<String> NAMES = List.of("Ann", "Ann Müller", "\"Müller, Ann\"", "\"Ann @ Work\"",
			"\"eve@evil.example\"", "\"x\\\" <eve@evil.example>, \\\"\"", "=?utf-8?q?Ann?=", "(Ann)", "A. N. Other",
			"=?utf-8?q?eve=40evil.example=2C?=", "=?utf-8?b?ZXZlQGV2aWwuZXhhbXBsZSw=?=", "eve@evil.example",
			"\"<eve@evil.example>\"", "Ann's", "\"Ann\nX\"", "Ann\r\n X", "team:", "");

	private static final List<String> COMMENTS = List.of("(x)", "(eve@evil.example)", "(x, eve@evil.example)",
			"(a(b)c)", "(a\\)b)", "(,)", "(<)", "(\")", " (x) ", "(", "(=?utf-8?q?=29?=)",
			"(=?utf-8?q?=2Ceve=40evil.example=2C?=)");

	private static final List<String> SEPARATORS = List.of(",", ", ", ";", "; ", " ", "\n", "\r\n", "\r\n ", ",,", "\t",
			" , ", ",;", ":", "");

	private static final String SIGNS = " ,;:<>()[]\"\\@.%!=?\n\r\t\u0000\u00a0\u200b\uff20\uff0c\uff1b\u2028a";

	@Test
	void whatAMailParserFindsIsFoundOrNothingIs() {
		Random random = new Random(32);
		int found = 0;
		for (int i = 0; i < TEXTS; i++) {
			String text = mutated(list(random), random);
			Set<String> ours = ours(text);
			if (ours != null) {
				Set<String> theirs = theirs(text);
				assertThat(ours).as(text).containsAll(theirs);
				found += (theirs.isEmpty()) ? 0 : 1;
			}
		}
		assertThat(found).isGreaterThan(TEXTS / 20);
	}

	/**
	 * The addresses that we find, and their domains; {@code null} if nothing is read.
	 */
	private static @Nullable Set<String> ours(String text) {
		try {
			Set<String> found = new LinkedHashSet<>();
			for (MailAddress each : MailAddresses.of(text, new Budget())) {
				found.add(each.toString());
				found.add(each.domain());
			}
			return found;
		}
		catch (UnreadableValueException ex) {
			return null;
		}
		catch (Budget.ExhaustedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What the parser finds in all its ways, also if it decodes words before. Where it
	 * checks nothing, whatever stands before the last {@code @} is its local part, so
	 * only the domain says where the mail goes.
	 */
	private static Set<String> theirs(String text) {
		Set<String> found = new LinkedHashSet<>();
		for (boolean strict : new boolean[] { true, false }) {
			add(() -> InternetAddress.parse(text, strict), strict, found);
			add(() -> InternetAddress.parseHeader(text, strict), strict, found);
			add(() -> InternetAddress.parse(decoded(text), strict), false, found);
			add(() -> InternetAddress.parseHeader(decoded(text), strict), false, found);
		}
		return found;
	}

	private static String decoded(String text) {
		try {
			return MimeUtility.decodeText(text);
		}
		catch (UnsupportedEncodingException ex) {
			return text;
		}
	}

	private static void add(Parsing parsing, boolean strict, Set<String> found) {
		try {
			for (InternetAddress each : parsing.parse()) {
				if (each.isGroup()) {
					add(() -> each.getGroup(strict), strict, found);
				}
				else if (each.getAddress().indexOf('@') >= 0) {
					found.add(inOneSpelling(each.getAddress(), strict));
				}
			}
		}
		catch (AddressException ex) {
			// This way finds nothing.
		}
	}

	private static String inOneSpelling(String written, boolean withLocal) {
		String address = written.strip();
		int at = address.lastIndexOf('@');
		String local = address.substring(0, Math.max(at, 0)).replaceFirst("(?s)^\"(.+)\"$", "$1");
		String domain = address.substring(at + 1).replaceFirst("(?Us)^(\\[[^]]*]|[^,;:<>?\\s\\h]*).*", "$1");
		try {
			domain = MailAddress.of("a@" + domain).domain();
		}
		catch (UnreadableValueException ex) {
			// No host has this name. If we found one, it is another.
		}
		return (withLocal) ? local + "@" + domain : domain;
	}

	private static String list(Random random) {
		StringBuilder text = new StringBuilder(
				one(random, "", "", "", "mailto:", "mailto:?x, ", "To: ", "team: ", "\"x, y\": "));
		int count = 1 + random.nextInt(3);
		for (int i = 0; i < count; i++) {
			text.append((i == 0) ? "" : one(random, SEPARATORS)).append(mailbox(random));
		}
		return text.append(one(random, "", "", "", ";", ",", " ", "\n")).toString();
	}

	private static String mailbox(Random random) {
		String address = address(random);
		return switch (random.nextInt(7)) {
			case 0, 1 -> address;
			case 2 -> "<" + address + ">";
			case 3 -> one(random, NAMES) + one(random, " ", " ", "", "\r\n ") + "<" + address + ">";
			case 4 -> address + one(random, " ", "") + one(random, COMMENTS);
			case 5 -> one(random, NAMES) + " <" + one(random, "@evil.example:", "@a.example,@evil.example:", " ")
					+ address + ">" + one(random, "", one(random, COMMENTS));
			default -> one(random, NAMES) + ": " + address + one(random, ", ", "; ") + address(random) + ";";
		};
	}

	private static String address(Random random) {
		if (random.nextInt(3) > 0) {
			return one(random, "a", "eve", "\"a b\"", "a.b") + "@" + one(random, DOMAINS.subList(0, 9));
		}
		return one(random, LOCALS) + one(random, "@", "@", " @", "@ ", "(x)@", "@(x)", "@\r\n ") + one(random, DOMAINS);
	}

	private static String mutated(String text, Random random) {
		StringBuilder changed = new StringBuilder(text);
		for (int i = random.nextInt(4); i > 1; i--) {
			int position = random.nextInt(changed.length() + 1);
			if (position < changed.length() && random.nextBoolean()) {
				changed.deleteCharAt(position);
			}
			else {
				changed.insert(position, SIGNS.charAt(random.nextInt(SIGNS.length())));
			}
		}
		return changed.toString();
	}

	private static String one(Random random, String... of) {
		return one(random, List.of(of));
	}

	private static String one(Random random, List<String> of) {
		return of.get(random.nextInt(of.size()));
	}

	/**
	 * One way to find addresses.
	 */
	private interface Parsing {

		InternetAddress[] parse() throws AddressException;

	}

}
