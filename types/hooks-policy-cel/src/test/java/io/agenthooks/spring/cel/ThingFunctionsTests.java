package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the functions of conditions that read what a text means, and for those about
 * who calls.
 */
class ThingFunctionsTests {

	private static final CallContext ADMIN = CallContext.empty()
		.withUser("ann")
		.withAuthorities(List.of("ROLE_ADMIN", "mail:send", "ROLE_EU.SALES"));

	private static Object holds(String condition, @Nullable Object value) {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		arguments.put("x", value);
		return ConditionTests.holds(condition, ToolCall.of("run", arguments, ADMIN));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`',
			value = { "mails(args.x).all(m, m.domain == 'example.com') ~ a@example.com ~ true",
					"mails(args.x).all(m, m.domain == 'example.com') ~ Ann <a@EXAMPLE.com>, b@example.com ~ true",
					"mails(args.x).all(m, m.domain == 'example.com') ~ eve@evil.example, a@example.com ~ false",
					"mails(args.x).all(m, m.domain == 'example.com') ~ eve@evil.example;a@example.com ~ false",
					"mails(args.x).all(m, m.domain.under('example.com')) ~ a@mail.example.com ~ true",
					"mails(args.x).all(m, m.domain.under('example.com')) ~ a@notexample.com ~ false",
					"mails(args.x).exists(m, m.local == 'ceo') ~ ceo@example.com ~ true",
					"mails(args.x)[0].address == 'a@example.com' ~ <a@EXAMPLE.COM> ~ true",
					"mails(args.x).size() > 1 ~ a@example.com, b@example.com ~ true",
					"mails(args.x).all(m, m.domain == 'example.com') ~ nobody ~ unknown",
					"mails(args.x).all(m, m.domain == 'example.com') ~ a@example.com, nobody ~ unknown",
					"mails(args.x).exists(m, m.domain == 'evil.example') ~ nobody ~ unknown",
					"mails(args.x).all(m, m.domain == 'example.com') ~ a＠evil.example, b@example.com ~ unknown",
					"url(args.x).host == 'example.com' ~ https://EXAMPLE.com./a ~ true",
					"url(args.x).host.under('example.com') ~ https://www.example.com/ ~ true",
					"url(args.x).host.under('example.com') ~ https://example.com.evil.net/ ~ false",
					"url(args.x).host.under('example.com') ~ https://example.com@evil.net/ ~ false",
					"url(args.x).host.under('example.com') ~ https://example.community/ ~ false",
					"url(args.x).host.under('example.com') ~ https://evil.net\\\\@example.com/ ~ unknown",
					"url(args.x).host.under('evil.net') ~ evil.net ~ unknown",
					"url(args.x).host.under('bücher.example') ~ https://www.xn--bcher-kva.example/ ~ true",
					"url(args.x).scheme == 'https' ~ HTTPS://a.example ~ true",
					"url(args.x).port == 443 ~ https://a.example ~ true",
					"url(args.x).port in [80, 443] ~ https://a.example:8443 ~ false",
					"url(args.x).user != '' ~ https://ann@a.example ~ true",
					"url(args.x).path.startsWith('/api/') ~ https://a.example/api/../admin ~ false",
					"url(args.x).path.startsWith('/api/') ~ https://a.example/api/%2e%2e/admin ~ false",
					"url(args.x).path.startsWith('/api/') ~ https://a.example/api/%2f..%2f ~ unknown",
					"url(args.x).isInternal() ~ http://0x7f.1/ ~ true",
					"url(args.x).host.isInternal() ~ http://127.1/ ~ true",
					"url(args.x).isInternal() ~ https://example.com/ ~ false",
					"url(args.x).isInternal() ~ http://0177.0.0.1/ ~ unknown", "args.x.isInternal() ~ localhost ~ true",
					"args.x.isInternal() ~ 0177.0.0.1 ~ true", "args.x.isInternal() ~ example.com ~ false",
					"args.x.isInternal() ~ a b ~ unknown", "args.x.under('example.com') ~ Www.Example.com ~ true",
					"args.x.under('example.com') ~ evil.net ~ false",
					"args.x.under('example.com') ~ evil.net/example.com ~ unknown",
					"url(args.x).host in ['a.example', 'b.example'] ~ https://b.example/ ~ true" })
	void textsMeanThings(String condition, String text, String expected) {
		assertHolds(condition, text, expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`', value = { "path(args.x).under('/data') ~ /data/a ~ true",
			"path(args.x).under('/data') ~ /data/../etc ~ false", "path(args.x).under('/data') ~ /database ~ false",
			"path(args.x).under('/data') ~ /data/a,/etc/passwd ~ unknown",
			"path(args.x).under('/data') ~ /data/a ../etc/passwd ~ unknown",
			"path(args.x).under('/data') ~ /data/My Files, 1/a ~ true", "path(args.x).under('/data') ~ a/b ~ unknown",
			"path(args.x, '/data').under('/data') ~ a/b ~ true",
			"path(args.x, '/data').under('/data') ~ ../etc ~ false",
			"path(args.x, '/data').under('/data') ~ a\\..\\..\\x ~ unknown",
			"path(args.x, '/data').under('/data') ~ %2e%2e/x ~ unknown",
			"path(args.x).under('/etc') ~ /ETC/passwd ~ unknown", "path(args.x).under('/etc') ~ $X/etc ~ unknown",
			"path(args.x).name == '.env' ~ /a/.env ~ true", "path(args.x).ext in ['pem', 'key'] ~ a/b.PEM ~ true",
			"path(args.x).ext == 'php' ~ /a/b.php. ~ unknown", "path(args.x).under('/data') ~ /data/．．/etc ~ unknown",
			"path(args.x, '/nowhere', true).under('/nowhere') ~ a ~ true",
			"words(args.x)[0] == 'git' ~ git push ~ true",
			"words(args.x).exists(w, w == 'sudo') ~ echo 'sudo x' ~ false",
			"words(args.x).exists(w, w == 'sudo') ~ a; s\"ud\"o x ~ true",
			"words(args.x).exists(w, w == 'sudo') ~ $X y ~ unknown",
			"'push' in words(args.x) && '--force' in words(args.x) ~ git push --force ~ true",
			"money(args.x) > 500 ~ 1.234,50 EUR ~ true", "money(args.x) > 500 ~ 499.99 ~ false",
			"money(args.x) > 500 ~ 1.234 ~ unknown", "money(args.x) == 0.3 ~ 0.3 EUR ~ true",
			"money(args.x) > 500.0 ~ much ~ unknown" })
	void pathsCommandsAndAmountsAreRead(String condition, String text, String expected) {
		assertHolds(condition, text, expected);
	}

	@Test
	void numbersAndListsAreWhatTheyAre() {
		assertHolds("money(args.x) > 500", 500.01, "true");
		assertHolds("money(args.x) > 500", 500, "false");
		assertHolds("money(args.x) > 500", List.of(5), "unknown");
		assertHolds("'--force' in words(args.x)", List.of("push", "--force"), "true");
		assertHolds("'--force' in words(args.x)", List.of("push", 5), "unknown");
		assertHolds("path(args.x).name == 'a'", 5, "unknown");
	}

	private static void assertHolds(String condition, @Nullable Object value, String expected) {
		Object holds = holds(condition, value);
		if (expected.equals("unknown")) {
			assertThat(holds).isInstanceOfSatisfying(Failure.class,
					(failure) -> assertThat(failure.why()).doesNotContain("evil", "nobody", "127"));
		}
		else {
			assertThat(holds).isEqualTo(Boolean.valueOf(expected));
		}
	}

	@Test
	void valuesOfOtherKindsAreReadOrNothingIsSaid() {
		String all = "mails(args.x).all(m, m.domain == 'example.com')";
		assertHolds(all, List.of("a@example.com", "Bob <b@example.com>"), "true");
		assertHolds(all, List.of("a@example.com", "eve@evil.example"), "false");
		assertHolds(all, List.of(Map.of("address", "eve@evil.example")), "false");
		assertHolds(all, List.of(), "true");
		assertHolds(all, "", "true");
		List<@Nullable Object> withNull = new ArrayList<@Nullable Object>(Arrays.asList("a@example.com", null));
		for (Object value : new @Nullable Object[] { null, 5, true, withNull, List.of(5) }) {
			assertHolds(all, value, "unknown");
			assertHolds("url(args.x).host == 'a.example'", value, "unknown");
			assertHolds("args.x.under('a.example')", value, "unknown");
		}
		assertThat(ConditionTests.holds(all.replace("args.x", "args.y"), ToolCall.of("run", Map.of(), ADMIN)))
			.isInstanceOf(Failure.class);
		assertHolds("has(args.x) && url(args.x).host == 'a.example'", "https://a.example", "true");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`', value = { "hasRole('ADMIN') ~ true", "hasRole('admin') ~ false",
			"hasRole('USER') ~ false", "hasAnyRole('USER', 'ADMIN') ~ true", "hasAnyRole('USER', 'GUEST') ~ false",
			"hasAuthority('mail:send') ~ true", "hasAuthority('ADMIN') ~ false", "hasAuthority('ROLE_ADMIN') ~ true",
			"hasAnyAuthority('x', 'mail:send') ~ true", "'ADMIN' in user.roles ~ true", "'USER' in user.roles ~ false",
			"user.roles.size() == 2 ~ true", "user.roles.exists(r, r.endsWith('.SALES')) ~ true",
			"user.isAnonymous ~ false", "!hasRole('ADMIN') ~ false", "hasRole('ADMIN') && args.x == 'y' ~ true" })
	void whoCallsIsKnown(String condition, boolean expected) {
		assertThat(holds(condition, "y")).isEqualTo(expected);
	}

	@Test
	void nobodyHasNoRole() {
		ToolCall call = ToolCall.of("run", Map.of());
		assertThat(ConditionTests.holds("user.isAnonymous", call)).isEqualTo(true);
		assertThat(ConditionTests.holds("hasRole('ADMIN')", call)).isEqualTo(false);
		assertThat(ConditionTests.holds("'ADMIN' in user.roles", call)).isEqualTo(false);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`',
			value = { "hasRole('ROLE_ADMIN') ~ without 'ROLE_' ~ 'ADMIN'",
					"hasAnyRole('A', 'ROLE_B') ~ without 'ROLE_' ~ 'B'",
					"hasRole(args.x) ~ cannot come from a call ~ hasRole('ADMIN')",
					"hasRole('') ~ cannot come from a call ~ in the rule",
					"'ROLE_ADMIN' in user.roles ~ without 'ROLE_' ~ 'ADMIN'",
					"user.roles.exists(r, r == 'ROLE_A') ~ without 'ROLE_' ~ 'A'",
					"user.hasRole('ADMIN') ~ of no object ~ hasRole(...)",
					"user.hasRol('ADMIN') ~ no function 'hasRol' ~ Known are contains",
					"hasRol('ADMIN') ~ no function 'hasRol' ~ Did you mean 'hasRole'",
					"mail(args.x).size() > 1 ~ no function 'mail' ~ Did you mean 'mails'",
					"url(args.x).hots == 'a' ~ no field 'hots' ~ Did you mean 'host'",
					"url(args.x).domain == 'a' ~ no field 'domain' ~ 'url(...)' has scheme, host",
					"mails(args.x).all(m, m.domian == 'a') ~ no field 'domian' ~ Did you mean 'domain'",
					"mails(args.x).all(m, m.host == 'a') ~ no field 'host' ~ A mail has address, local, domain",
					"url(args.x).host.undr('a.example') ~ no function 'undr' ~ Did you mean 'under'",
					"args.x.hostt() == 'a' ~ no function 'hostt' ~ Known are contains",
					"url(args.x).host.under('https://a.example') ~ no domain ~ host.under('example.com')",
					"url(args.x).host.under('*.a.example') ~ no domain ~ below it",
					"url(args.x).host.under('a.example/x') ~ no domain ~ below it",
					"path(args.x).under('data') ~ no absolute path ~ path(args.file, '/data')",
					"path(args.x).under('/data/*') ~ no absolute path ~ takes in all below it",
					"path(args.x, 'data').under('/data') ~ no absolute path ~ '/data'",
					"args.x.under('/data') ~ not below a folder ~ path(args.file)",
					"path(args.x).nam == 'a' ~ no field 'nam' ~ Did you mean 'name'",
					"url(args.x) == 'https://a.example' ~ sign '==' ~ fields of 'url': scheme",
					"user.role == 'ADMIN' ~ no field 'role' ~ hasRole('ADMIN')",
					"url(args.x).host == 'a' && url(args.x).host == 'b' ~ can never hold ~ write ||" })
	void mistakesAreToldWithTheirFix(String condition, String mistake, String fix) {
		assertThatExceptionOfType(UnreadableConditionException.class)
			.isThrownBy(() -> new CelReader(CelVariables.ofToolCalls()).read(condition))
			.satisfies((ex) -> {
				assertThat(ex.getMessage()).contains(mistake);
				assertThat(ex.action()).contains(fix);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "mails(args.x).all(m, m.domain == 'a.example')", "url(args.x).host == 'a.example'",
			"url(args.x).host.under('a.example')", "path(args.x).under('/data')", "path(args.x, '/data').name == 'a'",
			"'a' in words(args.x)", "money(args.x) > 5", "args.x.isInternal()", "url(args.x).isInternal()" })
	void workIsBounded(String condition) {
		for (String piece : List.of("a@a.example,", "https://", "a.", "(", "\"", "%41", "[", "<", "@", "1.")) {
			long start = System.nanoTime();
			Object unused = holds(condition, piece.repeat(1_000_000 / piece.length()));
			assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
		}
	}

}
