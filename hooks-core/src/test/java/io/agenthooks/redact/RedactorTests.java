package io.agenthooks.redact;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.pattern.Budget;
import io.agenthooks.redact.RedactConfig.Strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Redactor}. No secret in here was ever one.
 */
class RedactorTests {

	private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

	/** What has to be hidden as a whole, wherever it stands. */
	private static final List<String> SECRETS = List.of("AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE",
			"ghp_" + LETTERS, "gho_" + LETTERS, "ghu_" + LETTERS, "ghs_" + LETTERS, "ghr_" + LETTERS,
			"github_pat_11ABCDEFG0abcdefghijkl_" + LETTERS, "glpat-abcdefghij0123456789",
			"glpat-abcdefghij0123456789.01.0a1b2c3d4", "xox" + "b-123456789012-1234567890123-abcdefABCDEF",
			"xox" + "p-1234567890-abcdef", "xapp-1-A012345-0123456789-abcdef", "sk_live" + "_abcdefghijklmnop",
			"rk_live" + "_abcdefghijklmnop", "sk-" + LETTERS, "sk-proj-abc_def-ghijklmnopqrstuvw",
			"sk-ant-api03-abcdefghijklmnop_qrs-AA", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "npm_" + LETTERS,
			"pypi-AgEIcHlwaS5vcmcabcdefghijkl", "hf_" + LETTERS, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
			"SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz", "dckr_pat_abcdefghijklmnopqrstuvwxy",
			"hvs.CAESIJabcdefghijklmnopqrstuvwx", "ya29.a0AfH6SMabcdefghijklmnopqr",
			"GOCSPX-abcdefghijklmnopqrstuvwxyz12", "1234567890:AA" + LETTERS.substring(0, 33),
			"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
			"eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.",
			"eyJhbGciOiJSU0EtT0FFUCJ9.OKOawDo13gRp2ojaHV7LFpZcgV7T.48V1_ALb6US04U3b.5eym8TW_c8SuK0lt.XFBoMYUZodet",
			"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\nAAAA==\n-----END RSA PRIVATE KEY-----",
			"-----BEGIN PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\\n-----END PRIVATE KEY-----",
			"-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXktdjEAAAAA -----END OPENSSH PRIVATE KEY-----",
			"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQOYBF=\n-----END PGP PRIVATE KEY BLOCK-----");

	private static final List<String> EMAILS = List.of("bob@example.com", "bob.smith+tag@sub.example.co.uk",
			"_x-1%y@a-b.example", "münch@müller.de", "用户@例子.广告", "bob%40example.com", "bob@xn--mller-kva.de",
			"o'brien@example.org");

	private static final List<String> CARDS = List.of("4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111",
			"4111\u00a01111\u20111111\u20131111", "5555555555554444", "2223003122003222", "378282246310005",
			"3782 822463 10005", "3782-822463-10005", "6011000990139424", "30569309025904", "3056 930902 5904",
			"4222222222222", "6304000000000000000", "4111  1111  1111  1111");

	private static final String CLEAN = "It is 5 @ 3 pm: see @Override, a@b and icon@2x.png, git@github.com:org/repo.git.";

	private final Redactor redactor = Redactor.ofDefaults();

	@Test
	void redactHidesKnownFormatsAsAWholeWhereverTheyStand() {
		for (String secret : SECRETS) {
			for (String around : List.of("%s", "a %s b", "\"%s\"", "x=%s;", "(%s)", "<a>%s</a>", "a\\n%s\\nb", "%s,%s",
					"[\"%s\"]", "\u00e9 %s \ud83d\ude00", "\n%s\n", "'%s'", "%%3D%s")) {
				String expected = around.replace("%s", "[redacted:secret]").replace("%%", "%");
				assertThat(this.redactor.redact(around.replace("%s", secret).replace("%%", "%"))).as(around + secret)
					.isEqualTo(expected);
			}
		}
	}

	@Test
	void redactHidesAddressesAndCards() {
		for (String around : List.of("%s", "a %s b", "\"%s\"", "x=%s;", "<%s>", "a\\n%s\\nb", "%s,%s", "[%s].",
				"\ud83d\ude00 %s", "\n%s\n", "\\u0022%s\\u0022", "a: %s. ", "mailto:%s", "https://x.org/?q=%s&a=1")) {
			for (String email : EMAILS) {
				assertThat(this.redactor.redact(around.replace("%s", email))).as(around + email)
					.isEqualTo(around.replace("%s", "[redacted:email]"));
			}
			for (String card : CARDS) {
				assertThat(this.redactor.redact(around.replace("%s", card))).as(around + card)
					.isEqualTo(around.replace("%s", "[redacted:card]"));
			}
		}
		assertThat(this.redactor.redact("%224111111111111111%22")).doesNotContain("4111");
		assertThat(this.redactor.redact("4111 1111 1111 1111 12/25 123")).isEqualTo("[redacted:card] 12/25 123");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "DB_PASSWORD=hunter2 x=1 | DB_PASSWORD=# x=1",
			"export TOKEN=a,b;c&d e | export TOKEN=# e",
			"spring.datasource.password = hunter2 | spring.datasource.password = #",
			"password: correct horse battery | password: #", "  - secret: abc def | - secret: #",
			"{\"password\": \"hun\\\"ter2\", \"a\": 1} | {\"password\": \"#\", \"a\": 1}",
			"{\"password\":12345,\"apiKey\":'k 2'} | {\"password\":\"#\",\"apiKey\":'#'}",
			"{\\\"password\\\":\\\"hunter2\\\",\\\"a\\\":1} | {\\\"password\\\":\\\"#\\\",\\\"a\\\":1}",
			"{\"password\": [\"it's\", \"a\\\"b\"], \"x\": [\"y\"]} | {\"password\": [\"#\", \"#\"], \"x\": [\"y\"]}",
			"{\"api_key\":[null,7,\"abc\"],\"a\":[]} | {\"api_key\":[null,\"#\",\"#\"],\"a\":[]}",
			"{\\\"password\\\":[\\\"a b\\\",\\\"c\\\"]} | {\\\"password\\\":[\\\"#\\\",\\\"#\\\"]}",
			"tokens.secret = ['a', 'b'] | tokens.secret = ['#', '#']",
			"<password>hunter 2</password> | <password>#</password>",
			"<password><![CDATA[a]b<c]]></password> | <password><![CDATA[#]]></password>",
			"<x:api-key a=\"b\">abc</x:api-key> | <x:api-key a=\"b\">#</x:api-key>",
			"run --password=hunter2 --token abc --api-key \"a b\" | run --password=# --token # --api-key \"#\"",
			"{\"text\":\"password=\\\"hunter2\\\" a\"} | {\"text\":\"password=\\\"#\\\" a\"}",
			"{\"text\":\"token: \\\"a b\\\"\"} | {\"text\":\"token: \\\"#\\\"\"}",
			"password: 'it''s mine' | password: '#'", "a:password='';b='x' | a:password='';b='x'",
			"?api_key=abc&x=1 | ?api_key=#&x=1", "X-Api-Key: abc | X-Api-Key: #",
			"log: pwd=x, user=y | log: pwd=#, user=y", "clientSecret => 'x' | clientSecret => '#'",
			"a\\nPASSWORD=x\\nB=1 | a\\nPASSWORD=#\\nB=1", "secret_key_base: 0a | secret_key_base: #",
			"SECRET_KEY_2=x | SECRET_KEY_2=#", "user_pass=x | user_pass=#", "private_key: p(ss)w{rd | private_key: #",
			"password=\"unterminated value | password=\"#", "userPassword:: SGs3d3FadA== | userPassword:: #",
			"export API_TOKENS=a,b | export API_TOKENS=#", "DB_PASS=83920174 | DB_PASS=#",
			"passwords[0]=x y | passwords[0]=# y", "app.api-keys[12]=x | app.api-keys[12]=#" })
	void redactHidesValuesOfPasswordsAndKeepsTheirNames(String text, String expected) {
		assertThat(this.redactor.redact(text)).isEqualTo(expected.replace("#", "[redacted:password]"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"Authorization: Bearer abc.def | Authorization: Bearer #",
			"authorization: basic dXNlcjpwYXNz | authorization: basic #",
			"'Authorization':'Bearer abcdef' | 'Authorization':'Bearer #'",
			"{Authorization=[Bearer abc]} | {Authorization=[Bearer #]}",
			"Authorization: 0123456789abcdef0123456789 | Authorization: #",
			"-H 'Proxy-Authorization: token x' | -H 'Proxy-Authorization: token #'",
			"uses bearer abcdefghijklmnopqrst0 | uses bearer #",
			"postgres://user:p@ss@db:5432/x | postgres://user:#@db:5432/x", "redis://:secret@cache | redis://:#@cache",
			"https://x-access-token:abc@github.com/a/b.git | https://x-access-token:#@github.com/a/b.git",
			"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY | aws_secret_access_key = #",
			"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX | https://hooks.slack.com/services/#",
			"AccountKey=abcdefghijklmnopqrstuvwxyz0123== | AccountKey=#" })
	void redactHidesSecretsKnownByWhatStandsAroundThem(String text, String expected) {
		assertThat(new Redactor(new RedactConfig(List.of("secret", "email"), null, null)).redact(text))
			.isEqualTo(expected.replace("#", "[redacted:secret]"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5\nMIIEpAIBAAKCAQEA0Z3VS5\nAA",
			"-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-128-CBC,0011\r\n\r\nMIIEpAIBAA\r\nAA",
			"-----BEGIN PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA0Z3VS5\\nAA",
			"-----BEGIN PRIVATE KEY----- MIIEpAIBAAKCAQEA0Z3VS5",
			"MIIEpAIBAAKCAQEA0Z3VS5\nAA==\n-----END PRIVATE KEY-----" })
	void redactHidesTruncatedKeys(String key) {
		assertThat(this.redactor.redact("(" + key + ")")).isEqualTo("([redacted:secret])");
	}

	@Test
	void redactWhenOnlyTheBeginningOfAKeyIsQuotedKeepsTheRest() {
		assertThat(this.redactor.redact("if (s.startsWith(\"-----BEGIN PRIVATE KEY-----\")) { return; }"))
			.isEqualTo("if (s.startsWith(\"[redacted:secret]\")) { return; }");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", CLEAN, "PWD=/home/user", "SHLVL=1\nPWD=/home/user\nOLDPWD=/tmp",
			"550e8400-e29b-41d4-a716-446655440000", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "+49 170 1234567",
			"+4111111111111111", "(555) 123-4567", "1700000000000", "4111111111111112", "4111 1111 1111 1112",
			"41111111111111111111", "x4111111111111111", "4111111111111111a", "0.4111111111111111",
			"4111111111111111.5", "411111111111", "4111\n1111\n1111\n1111", "192.168.0.1", "2024-01-01 10:00:00",
			"max_tokens: 4096, total_tokens=7", "token_type: bearer", "\"nextToken\": \"abc\", next_page_token=abc",
			"password=${DB_PASSWORD}", "password: \"<your password>\"", "password: null", "secret: ****",
			"{\"password\": \"\"}", "{\"password\": [], \"a\": [\"b\"]}", "{\"next_token\": [\"a\"]}",
			"{\"token\": null}", "token: string;", "password = reader.next();", "if (password == other)",
			"secretName: a", "secrets: inherit", "password:", "https://example.com:8080/a@b", "ssh://git@github.com/x",
			"pkg@1.2.33", "npm i @scope/pkg@latest", "task-abcdefghijklmnopqrstuvwxyz", "AKIA1234", "ghp_short",
			"eyJ.a.b", "xoxb-", "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "BEGIN PRIVATE KEY",
			"sk-learn-is-a-library-for-python", "Authorization: required", "the bearer of this letter", "a@b", "@",
			"foo@", "[redacted:email]", "password=[redacted:password]", "Bearer [redacted:secret]",
			"\ud83d\ude00 \ud83d", "\u0000\u200b" })
	void redactWhenThereIsNothingToHideReturnsTheSameText(String text) {
		assertThat(this.redactor.redact(text)).isSameAs(text);
	}

	@Test
	void passwordNamedLikeTheWorkingDirectoryIsHidden() {
		assertThat(Redactor.ofDefaults().redact("DB_PWD=/hunter2 PWD=hunter2")).doesNotContain("hunter2");
	}

	@Test
	void redactLeavesRandomDataAlone() {
		Random random = new Random(5);
		byte[] image = new byte[300_000];
		random.nextBytes(image);
		String base64 = "data:image/png;base64," + Base64.getEncoder().encodeToString(image);
		assertThat(this.redactor.redact(base64)).isSameAs(base64);
		for (int i = 0; i < 2_000; i++) {
			String uuid = new UUID(random.nextLong(), random.nextLong()).toString();
			assertThat(this.redactor.redact(uuid)).isSameAs(uuid);
			String hash = new BigInteger(160, random).setBit(159).toString(16);
			assertThat(this.redactor.redact(hash)).isSameAs(hash);
		}
	}

	@Test
	void redactWhenHitsOverlapOrTouchHidesAllOfThem() {
		assertThat(this.redactor.redact("password=AKIAIOSFODNN7EXAMPLE")).isEqualTo("password=[redacted:secret]");
		assertThat(this.redactor.redact("bob@example.com4111111111111111"))
			.isEqualTo("[redacted:email][redacted:card]");
		assertThat(this.redactor.redact("bob@example.com;eve@example.com"))
			.isEqualTo("[redacted:email];[redacted:email]");
		Map<String, String> patterns = new LinkedHashMap<>();
		patterns.put("one", "abc");
		patterns.put("two", "cde");
		patterns.put("three", "ef");
		Redactor own = new Redactor(new RedactConfig(List.of(), patterns, null));
		assertThat(own.redact("abcdef-cde-efef")).isEqualTo("[redacted:one]-[redacted:two]-[redacted:three]");
	}

	@Test
	void redactWhenWhatIsTakenOutUncoversAnotherTakesThatToo() {
		Redactor own = new Redactor(new RedactConfig(List.of("card"), Map.of("employee", "EMP-\\d{6}"), null));
		assertThat(own.redact("EMP-1234564111111111111111")).doesNotContain("4111");
		Redactor removing = new Redactor(new RedactConfig(null, null, Strategy.REMOVE));
		assertThat(removing.redact("AKIAIOSF bob@example.comODNN7EXAMPLE x")).doesNotContain("@");
		assertThat(removing.redact("ghp_abcdefghijklmno<pqr@x.org>")).isEqualTo("ghp_abcdefghijklmno<>");
		Redactor joining = new Redactor(new RedactConfig(List.of("card"), Map.of("bar", "[|]"), Strategy.REMOVE));
		assertThat(joining.redact("a 4111|1111|1111|1111 b")).isEqualTo("a  b");
	}

	@Test
	void redactWhenCharactersAreInvisibleFindsWhatTheyBreakUp() {
		assertThat(this.redactor.redact("a AKIA\u200bIOSFODNN\u00ad7EXA\u2060MPLE b"))
			.isEqualTo("a [redacted:secret] b");
		for (String hidden : List.of("\u034f", "\u115f", "\u17b4", "\u180b", "\u2065", "\u3164", "\uffa0",
				"\udb40\udd00")) {
			assertThat(this.redactor.redact("a AKIAIOSF%sODNN7EXAMPLE b".formatted(hidden)))
				.isEqualTo("a [redacted:secret] b");
		}
		assertThat(this.redactor.redact("bo\u200db@exam\ufe0fple.com")).isEqualTo("[redacted:email]");
		assertThat(this.redactor.redact("pass\u200bword=x\u200by")).isEqualTo("pass\u200bword=[redacted:password]");
		assertThat(this.redactor.redact("4111\u200b1111\u200b1111\u200b1111")).isEqualTo("[redacted:card]");
		assertThat(this.redactor.redact("\ud83d\ude00\u200b\ud83d\ude00 bob@x.org\ud83d\ude00"))
			.isEqualTo("\ud83d\ude00\u200b\ud83d\ude00 [redacted:email]\ud83d\ude00");
	}

	@Test
	void redactWhenTextLooksLikeAMarkerOfUnknownNameSearchesIt() {
		assertThat(this.redactor.redact("[redacted:bob@example.com]")).isEqualTo("[redacted:[redacted:email]]");
		assertThat(this.redactor.redact("password=\"[redacted:hunter2]\"")).doesNotContain("hunter2");
		assertThat(this.redactor.redact("[email:hmac-AKIAIOSFODNN7EXAMPLE]")).doesNotContain("AKIA");
	}

	@ParameterizedTest
	@EnumSource(Strategy.class)
	void redactWhenTextIsMadeOfSecretsAndTheirPartsLeavesNoneOfThem(Strategy strategy) {
		leavesNoSecret(strategy, 29, 200);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Strategy.class)
	void redactWhenManyTextsAreMadeOfSecretsAndTheirPartsLeavesNoneOfThem(Strategy strategy) {
		leavesNoSecret(strategy, 23, 1_500);
	}

	private static void leavesNoSecret(Strategy strategy, int seed, int texts) {
		Redactor redactor = new Redactor(new RedactConfig(null, Map.of("employee", "EMP-\\d{6}"), strategy));
		Random random = new Random(seed);
		List<String> all = new ArrayList<>(SECRETS);
		all.addAll(EMAILS);
		all.addAll(CARDS);
		all.add("EMP-123456");
		List<String> glue = List.of(" ", "\n", ",", "\"", ": ", "=", "\\n", "[", "]", "<", "/", "password=", "\u200b",
				"\ud83d\ude00", "[redacted:email]", "x", "@", "-", "4", "[email:hmac-0123456789ab]");
		for (int i = 0; i < texts; i++) {
			StringBuilder builder = new StringBuilder();
			for (int j = 0; j < 8; j++) {
				String part = all.get(random.nextInt(all.size()));
				builder.append((random.nextInt(3) == 0) ? part.substring(0, random.nextInt(part.length())) : part);
				builder.append(glue.get(random.nextInt(glue.size())));
			}
			String text = builder.toString();
			String redacted = redactor.redact(text);
			if (strategy != Strategy.REMOVE) {
				assertThat(redactor.redact(redacted)).as(text).isEqualTo(redacted);
			}
			assertThat(redacted).as(text).doesNotContain(SECRETS.subList(0, 8));
			assertThat(redacted).as(text)
				.doesNotContain("EMP-123456", "bob@example.com ")
				.doesNotContainPattern("(^|[ ,\"\n])4111 1111 1111 1111[ ,\"\n]");
		}
	}

	@Test
	void redactWhenStrategyIsHashTellsEqualSecretsOnly() {
		Redactor hashing = new Redactor(new RedactConfig(null, null, Strategy.HASH));
		String bob = hashing.redact("bob@example.com");
		assertThat(bob).matches("\\[email:hmac-[0-9a-f]{12}]").isNotEqualTo(hashing.redact("eve@example.com"));
		String redacted = hashing.redact("bob@example.com bob@example.com");
		assertThat(redacted).isEqualTo(bob + " " + bob);
		assertThat(hashing.redact(redacted)).isSameAs(redacted);
		assertThat(new Redactor(new RedactConfig(List.of("email"), null, Strategy.HASH)).redact("bob@example.com"))
			.isEqualTo(bob);
		String password = hashing.redact("password=abc");
		assertThat(hashing.redact(password)).isSameAs(password);
	}

	@Test
	void redactWhenStrategyIsRemoveLeavesNothing() {
		Redactor removing = new Redactor(new RedactConfig(null, null, Strategy.REMOVE));
		assertThat(removing.redact("a bob@example.com b")).isEqualTo("a  b");
		assertThat(removing.redact("password: \"x\", secret=y z")).isEqualTo("password: \"\", secret= z");
		assertThat(removing.redact("bob@example.com")).isEmpty();
	}

	@Test
	void redactUsesOnlyTheDetectorsAndPatternsThatAreWritten() {
		Redactor own = new Redactor(new RedactConfig(List.of("email"), Map.of("employee", "\\bEMP-\\d{6}\\b"), null));
		assertThat(own.redact("bob@x.org 4111111111111111 EMP-123456 EMP-1234567 password=x AKIAIOSFODNN7EXAMPLE"))
			.isEqualTo(
					"[redacted:email] 4111111111111111 [redacted:employee] EMP-1234567 password=x AKIAIOSFODNN7EXAMPLE");
		Redactor cards = new Redactor(new RedactConfig(List.of("card"), null, null));
		assertThat(cards.redact("bob@x.org 4111111111111111")).isEqualTo("bob@x.org [redacted:card]");
		Redactor everything = new Redactor(new RedactConfig(List.of(), Map.of("all", ".+"), null));
		assertThat(everything.redact("a\nb [redacted:all] c")).isEqualTo("[redacted:all]");
		assertThat(everything.redact("[redacted:all]")).isEqualTo("[redacted:all]");
	}

	@Test
	void redactGoesThroughMapsAndLists() {
		Map<String, @Nullable Object> value = ordered("to", List.of("bob@example.com", 1, true), "count", 3, "none",
				null, "card", 4111111111111111L, "nested", Map.of("password", "hunter2"), "token",
				Arrays.asList("a", 1, null), "secret", Map.of("type", "string"), "next_token", "abc", "password", "");
		Map<String, @Nullable Object> expected = ordered("to", List.of("[redacted:email]", 1, true), "count", 3, "none",
				null, "card", "[redacted:card]", "nested", Map.of("password", "[redacted:password]"), "token",
				Arrays.asList("[redacted:password]", "[redacted:password]", null), "secret", Map.of("type", "string"),
				"next_token", "abc", "password", "");
		Map<String, @Nullable Object> redacted = this.redactor.redact(value);
		assertThat(redacted).isEqualTo(expected);
		assertThat(redacted.keySet()).containsExactlyElementsOf(expected.keySet());
		assertThat(this.redactor.redact(redacted)).isSameAs(redacted);
		assertThat(this.redactor.redact(ordered("d", 4111111111111111d, "b", new BigDecimal("4.111111111111111E15"))))
			.isEqualTo(Map.of("d", "[redacted:card]", "b", "[redacted:card]"));
	}

	@Test
	void redactHidesCredentialsOfHeadersInMaps() {
		assertThat(this.redactor.redact(Map.of("headers", Map.of("Authorization", List.of("Basic dXNlcjpwYXNz")))))
			.isEqualTo(Map.of("headers", Map.of("Authorization", List.of("[redacted:password]"))));
		assertThat(this.redactor.redact(ordered("proxy-authorization", "x", "authorization_url", "y")))
			.isEqualTo(ordered("proxy-authorization", "[redacted:password]", "authorization_url", "y"));
	}

	@Test
	void redactWhenNamesAreSecretsHidesThemAndKeepsTheirValuesApart() {
		assertThat(this.redactor.redact(ordered("bob@x.org", 1, "eve@x.org", 2, "[redacted:email]#2", 3)))
			.isEqualTo(Map.of("[redacted:email]", 1, "[redacted:email]#3", 2, "[redacted:email]#2", 3));
	}

	@Test
	void redactWhenVeryManyNamesAreSecretsKeepsTheirValuesApart() {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		IntStream.range(0, 5_000).forEach((i) -> values.put("user" + i + "@x.org", i));

		assertThat(this.redactor.redact(values)).hasSize(5_000).containsEntry("[redacted:email]#5000", 4_999);
	}

	@Test
	void redactWhenValuesCannotBeSearchedDropsThem() {
		Map<String, @Nullable Object> values = ordered("object", new Object(), "map", Map.of(1, "bob@example.com"),
				"number", new AtomicInteger(1), "big", BigInteger.ONE.shiftLeft(1_000_000), "ok", "ok");
		assertThat(this.redactor.redact(values))
			.isEqualTo(ordered("object", null, "map", null, "number", null, "big", null, "ok", "ok"));
		assertThat(this.redactor.redact(Map.of("a", new String[] { "bob@x.org" })))
			.isEqualTo(Map.of("a", List.of("[redacted:email]")));
	}

	@Test
	void redactWhenValueIsTooDeepOrTooLargeLeavesNothingOfIt() {
		List<Object> endless = new ArrayList<>();
		endless.add(endless);
		assertThat(this.redactor.redact(Map.of("a", endless, "b", "bob@x.org")))
			.isEqualTo(Map.of("redacted", "[redacted: too large to be searched]"));
		assertThat(this.redactor.redact("bob@x.org ".repeat(10_000_000)))
			.isEqualTo("[redacted: too large to be searched]");
		List<Object> wide = Collections.nCopies(1_000, "a");
		for (int i = 0; i < 5; i++) {
			wide = Collections.nCopies(1_000, wide);
		}
		assertThat(this.redactor.redact(Map.of("a", wide))).containsOnlyKeys("redacted");
	}

	@Test
	@Timeout(60)
	void redactWhenTextIsHostileEndsWithinBudget() {
		redactHostileTexts(100_000);
		assertThatExceptionOfType(Budget.ExhaustedException.class)
			.isThrownBy(() -> this.redactor.redact("a".repeat(100_000_000), new Budget()));
	}

	@Test
	@Tag("slow")
	@Timeout(120)
	void redactWhenTextIsLargeAndHostileEndsWithinBudget() {
		redactHostileTexts(1_000_000);
	}

	private void redactHostileTexts(int size) {
		for (String unit : List.of("a", "a@", "a@a.", "eyJ", "eyJa.", "-----BEGIN PRIVATE KEY-----", "password=",
				"password=\"", "token token=", "http://a:", "http://a:b@", "4111 ", "4", "4-", "\\", "[redacted:", "[",
				"\u200b", "a\u200b", "\u00e9@", "aws secret ", "-", "\"")) {
			String redacted = this.redactor.redact(unit.repeat(size / unit.length()));
			assertThat(redacted).isNotEmpty();
		}
	}

	private static Map<String, @Nullable Object> ordered(@Nullable Object... entries) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = 0; i < entries.length; i += 2) {
			map.put(String.valueOf(entries[i]), entries[i + 1]);
		}
		return map;
	}

	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	@Test
	void zerosOfLongNumbersAreTakenAwayInTime() {
		BigDecimal zeros = new BigDecimal("1" + "0".repeat(200) + "." + "0".repeat(790));

		assertThat(Redactor.ofDefaults().redact(Map.of("n", Collections.nCopies(20_000, zeros)))).isNotEmpty();
		assertThat(Redactor.ofDefaults().redact(Map.of("n", new BigDecimal("4111111111111111.000")))).containsEntry("n",
				"[redacted:card]");
	}

}
