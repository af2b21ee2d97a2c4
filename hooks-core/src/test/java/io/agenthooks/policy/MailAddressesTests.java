package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.pattern.Budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MailAddresses}.
 */
class MailAddressesTests {

	private static List<String> read(@Nullable Object value) throws UnreadableValueException {
		return MailAddresses.of(value, new Budget()).stream().map(MailAddress::toString).toList();
	}

	/**
	 * What people and models write for mail to example.com alone.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "a@example.com", "A.b+tag@example.com", " a@example.com ", "a@EXAMPLE.com",
			"a@example.com.", "<a@example.com>", "Ann <a@example.com>", "Ann Müller <a@example.com>",
			"\"Müller, Ann\" <a@example.com>", "\"Ann @ Work\" <a@example.com>", "a@example.com (Ann)",
			"(Ann) a@example.com", "a@example.com, b@example.com", "a@example.com;b@example.com",
			"a@example.com,b@example.com,", "a@example.com\nb@example.com", "a@example.com,\r\n b@example.com",
			"a@example.com b@example.com", "Ann <a@example.com>, Bob <b@example.com>", "team: a@example.com;",
			"team: a@example.com, b@example.com;", "undisclosed-recipients:;a@example.com", "mailto:a@example.com",
			"MAILTO:a%40example.com", "mailto:a@example.com?subject=b%40evil.example", "\"a b\"@example.com",
			"\"a\"@example.com", "a.@example.com", "o'neil@example.com", "user_name-1@example.com",
			"=?utf-8?q?Ann?= <a@example.com>", "=?utf-8*en?Q?M=C3=BCller=2C_Ann?= <a@example.com>",
			"=?ISO-8859-1?b?TfxsbGVy?= <a@example.com>", "a@example.com (=?utf-8?q?Ann?=)", "a=b@example.com",
			"jöhn@example.com", "a@ｅxample.com" })
	void addressesOfOneDomainAreRead(String text) throws UnreadableValueException {
		assertThat(MailAddresses.of(text, new Budget())).isNotEmpty()
			.allSatisfy((each) -> assertThat(each.domain()).isEqualTo("example.com"));
	}

	/**
	 * What holds another address, whichever mail server reads it.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "eve@evil.example, a@example.com", "eve@evil.example;a@example.com",
			"a@example.com,eve@evil.example", "a@example.com, eve@evil.example", "a@example.com;eve@evil.example",
			"a@example.com eve@evil.example", "a@example.com\neve@evil.example", "a@example.com\r\neve@evil.example",
			"a@example.com\r\nBcc: eve@evil.example", "Bcc: eve@evil.example, a@example.com",
			"eve@evil.example <a@example.com>", "\"eve@evil.example\" <a@example.com>",
			"a@example.com <eve@evil.example>", "\"a@example.com\" <eve@evil.example>",
			"<eve@evil.example>a@example.com", "<eve@evil.example> a@example.com", "a@example.com<eve@evil.example>",
			"Ann <eve@evil.example>", "eve@evil.example#a@example.com", "eve@evil.example(a@example.com",
			"eve@evil.example (a@example.com)", "eve(x)@evil.example", "eve@evil.example@example.com",
			"\"eve@evil.example\"@example.com", "\"eve@evil.example, x\"@example.com", "eve%evil.example@example.com",
			"evil.example!eve@example.com", "@evil.example:eve@example.com", "<@evil.example:eve@example.com>",
			"team: eve@evil.example;, a@example.com", "team: a@example.com, eve@evil.example;",
			"mailto:eve@evil.example?x=@example.com", "mailto:a@example.com?cc=eve@evil.example",
			"mailto:a@example.com?BCC=eve%40evil.example", "mailto:a@example.com?to=x@example.com&bcc=eve@evil.example",
			"mailto:a@example.com%2Ceve@evil.example", "mailto:a@example.com%0Aeve@evil.example",
			"eve@evil.example\\,a@example.com", "eve@evil.example?@example.com", "eve@evil.example\u0000@example.com",
			"eve@example.com.evil.example", "eve@notexample.com", "eve@example.com@evil.example",
			"eve@evil.example>,<a@example.com>", "eve@[203.0.113.7]", "eve@203.0.113.7",
			"eve＠evil.example,a@example.com", "eve@evil.example，a@example.com", "eve@еxample.com", "a@example.com <",
			"\"a@example.com", "Ann a@example.com", "nobody", "a@", "@example.com", "a@example..com", "a@.example.com",
			"a@example.com:25", "a@exa mple.com", "a@example.com\\", "a(b(c))@example.com", "a@-example.com",
			"a@faß.example.com@example.com", "a@example\u200c.com", "\"x, eve@evil.example, y\" <a@example.com>",
			"\"x;eve@evil.example\" <a@example.com>", "\"x eve@evil.example\": a@example.com;",
			"\"x \"eve@evil.example\" y\" <a@example.com>", "\"eve@evil.example <\" <a@example.com>",
			"=?utf-8?q?eve=40evil.example=3e=20?=x@example.com", "\"=?utf-8?q?eve=40evil.example=3e?=\"@example.com",
			"=?utf-8?q?eve=40evil.example=2C?= <a@example.com>", "=?utf-8?q?eve?= =?utf-8?q?=40?= <a@example.com>",
			"=?utf-8?b?ZXZlQGV2aWwuZXhhbXBsZSw=?= <a@example.com>",
			"=?utf-8?q?=EF=BC?= =?utf-8?q?=A0?= <a@example.com>", "=?utf-8?q?=3Ceve?= <a@example.com>",
			"=?utf-7?q?eve+AEA-evil.example,?= <a@example.com>", "=?x?q?eve?= <a@example.com>",
			"=?utf-8?q?=4?= <a@example.com>", "=?utf-8?b?!?= <a@example.com>", "=?utf-8?q?eve <a@example.com>",
			"=?utf-8?z?eve?= <a@example.com>", "=?utf-8?q?team=40x?=: a@example.com;",
			"a@example.com (=?utf-8?q?=29.evil.example?=)", "a@example.com (=?utf-8?q?=2Ceve=40evil.example=2C?=)",
			"\"=?utf-8?q?eve=40evil.example=2C?=\" <a@example.com>", "mailto:a@example.com?subject=b@evil.example",
			"mailto:?x, eve@evil.example", "mailto:?x, =?utf-8?q?eve=40evil.example?=",
			"mailto:a@example.com?x=, eve@evil.example" })
	void otherAddressIsReadOrNothingIs(String text) {
		assertThat(domains(text)).satisfiesAnyOf((domains) -> assertThat(domains).isNull(),
				(domains) -> assertThat(domains).anyMatch((domain) -> !domain.equals("example.com")));
	}

	private static @Nullable List<String> domains(Object value) {
		try {
			return MailAddresses.of(value, new Budget()).stream().map(MailAddress::domain).toList();
		}
		catch (UnreadableValueException ex) {
			assertThat(ex.reason()).isNotBlank().doesNotContain("evil", "example");
			return null;
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "a@Example.COM | a@example.com", "a@bücher.example | a@xn--bcher-kva.example",
					"a@xn--bcher-kva.example | a@xn--bcher-kva.example", "a@[127.0.0.1] | a@127.0.0.1",
					"a@[IPv6:::1] | a@0:0:0:0:0:0:0:1", "a@0x7f.1 | a@127.0.0.1" })
	void domainHasOneSpelling(String text, String address) throws UnreadableValueException {
		assertThat(read(text)).containsExactly(address);
	}

	@ParameterizedTest
	@MethodSource
	void valuesOfAllFormsAreRead(Object value, List<String> addresses) throws UnreadableValueException {
		assertThat(read(value)).isEqualTo(addresses);
	}

	static List<Arguments> valuesOfAllFormsAreRead() {
		return List.of(Arguments.of("", List.of()), Arguments.of(" ", List.of()), Arguments.of(List.of(), List.of()),
				Arguments.of(List.of("a@x.example", "Bob <b@y.example>"), List.of("a@x.example", "b@y.example")),
				Arguments.of(List.of("a@x.example, b@y.example"), List.of("a@x.example", "b@y.example")),
				Arguments.of(List.of(List.of("a@x.example"), List.of()), List.of("a@x.example")),
				Arguments.of(Map.of("name", "Ann", "address", "a@x.example"), List.of("a@x.example")),
				Arguments.of(List.of(Map.of("emailAddress", Map.of("address", "a@x.example"))), List.of("a@x.example")),
				Arguments.of(List.of(Map.of("to", List.of("a@x.example"))), List.of("a@x.example")));
	}

	@Test
	void namesOfMembersMayBeAddresses() throws UnreadableValueException {
		assertThat(read(Map.of("eve@evil.example", "a@example.com"))).containsExactlyInAnyOrder("eve@evil.example",
				"a@example.com");
		assertThat(read(Map.of("a@example.com", "Ann"))).containsExactly("a@example.com");
	}

	@Test
	void whatIsNoTextIsNotRead() {
		List<@Nullable Object> withNull = new ArrayList<>();
		withNull.add(null);
		for (Object value : new @Nullable Object[] { null, 5, true, withNull, List.of("a@x.example", 5),
				List.of(Map.of("name", "Ann")), Map.of() }) {
			assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> read(value));
		}
	}

	@Test
	void workIsBounded() {
		String many = String.join(",", Collections.nCopies(20_000, "a@x.example"));
		assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> read(many));
		assertThatExceptionOfType(Budget.ExhaustedException.class)
			.isThrownBy(() -> MailAddresses.of(" ".repeat(10_000_000), new Budget()));
		Object nested = "a@x.example";
		for (int i = 0; i < 1_000; i++) {
			nested = List.of(nested);
		}
		Object deep = nested;
		assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> read(deep));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\n", "\"@@", "@", "a ", "[", "a@b\n" })
	void manyWordsCostNoMoreThanTheirNumber(String piece) {
		long start = System.nanoTime();
		String text = piece.repeat(200_000 / piece.length());
		assertThat(domains(text + " x\" <a@example.com>")).satisfiesAnyOf((domains) -> assertThat(domains).isNull(),
				(domains) -> assertThat(domains).isNotEmpty());
		assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
	}

	/**
	 * Whatever stands around it, an address that a comma, a bracket or a blank sets apart
	 * is found, or nothing is said.
	 */
	@Test
	void addressAmongOthersIsNeverOverlooked() {
		Random random = new Random(7);
		List<String> parts = List.of("a@example.com", "Ann", "\"Ann\"", "\"", "<", ">", ",", ";", ":", "(", ")", "[",
				"]", " ", "\n", "\\", "@", ".", "x", "\"x, y\"", "%", "=");
		for (int i = 0; i < 50_000; i++) {
			StringBuilder text = new StringBuilder();
			int count = random.nextInt(6);
			for (int j = 0; j < count; j++) {
				text.append(parts.get(random.nextInt(parts.size())));
			}
			int at = text.length();
			text.append(List.of(", eve@evil.example,", "<eve@evil.example>,", "; eve@evil.example;").get(i % 3));
			count = random.nextInt(6);
			for (int j = 0; j < count; j++) {
				text.append(parts.get(random.nextInt(parts.size())));
			}
			boolean quoted = text.substring(0, at).chars().filter((character) -> character == '"').count() % 2 == 1;
			List<String> domains = domains(text.toString());
			if (domains != null && !quoted) {
				assertThat(domains).as(text.toString()).contains("evil.example");
			}
		}
	}

}
