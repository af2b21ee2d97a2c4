package io.agenthooks.redact;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.redact.RedactConfig.Strategy;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for secrets below telling names: in values and in texts that are JSON or YAML.
 */
class WrittenValueRedactionTests {

	private static final String SECRET = "Hk7wq Zt";

	private static final String MASK = "[redacted:password]";

	private final Redactor redactor = Redactor.ofDefaults();

	static Stream<Object> shapes() {
		return Stream.of(Map.of("apiKey", Map.of("value", SECRET)), Map.of("password", Map.of("plain", SECRET)),
				Map.of("env", List.of(Map.of("name", "DB_PASSWORD", "value", SECRET), Map.of("name", "HOME"))),
				Map.of("Parameters", List.of(Map.of("Key", "DbPassword", "Value", SECRET))),
				Map.of("Parameters", List.of(Map.of("ParameterKey", "DbPassword", "ParameterValue", SECRET))),
				Map.of("passwords", List.of(SECRET)), Map.of("tokens", List.of(SECRET, "b", 7)),
				Map.of("api_keys", Map.of("bob", SECRET)), Map.of("secrets", List.of(List.of(Map.of("a", SECRET)))),
				Map.of("accessTokens", Map.of("a", Map.of("b", Arrays.asList(null, true, SECRET)))),
				Map.of("credentials", Map.of("user", "bob", "key", SECRET)), Map.of("Set-Cookie", List.of(SECRET)),
				Map.of("userPass", SECRET), Map.of("SecretString", SECRET), Map.of("passwordValue", SECRET),
				Map.of("headers", List.of(List.of("Authorization", SECRET), List.of("Host", "x"))),
				Map.of("args", List.of("--db-password", SECRET, "-v")),
				Map.of("fields", List.of(Map.of("id", "password", "type", "CONCEALED", "value", SECRET))),
				Map.of("password", Map.of("type", "string", "default", SECRET)), Map.of("pass", List.of(SECRET)),
				List.of(Map.of("db", Map.of("clientSecret", Map.of("v", SECRET)))),
				Map.of("path", "/db/password", "value", SECRET), Map.of("title", "Password", "value", SECRET),
				Map.of("designation", "password", "value", SECRET), Map.of("t", "password", "v", SECRET),
				Map.of("kind", "Secret", "apiVersion", "v1", "data", Map.of("user", SECRET)),
				Map.of("items", List.of(Map.of("type", "Opaque", "stringData", Map.of("a.txt", SECRET)))),
				Map.of("secret", Map.of("secretName", "x", "value", SECRET)),
				Map.of("secrets", Map.of("db", Map.of("file", "x"), "api", Map.of("content", SECRET))),
				Map.of("columns", List.of("user", "password"), "rows", List.of(List.of("bob", SECRET))),
				Map.of("fields", List.of(Map.of("name", "id"), Map.of("name", "api_key")), "data",
						List.of(List.of(1, SECRET), List.of(2, SECRET))),
				Map.of("values", List.of(List.of("user", "password"), List.of("bob", SECRET), List.of("ann", SECRET))),
				Map.of("sheet", List.of(List.of("id", "token", "at"), Arrays.asList(1, SECRET, null))),
				Map.of("rawHeaders", List.of("Host", "x", "X-Api-Key", SECRET, "Cookie", SECRET)),
				Map.of("id", "f", "type", "password", "value", SECRET), Map.of("tokens", Map.of("input", SECRET)),
				Map.of("cell", List.of("-----BEGIN PRIVATE KEY-----\n", SECRET + "\n", "-----END PRIVATE KEY-----")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "password: it is hunter2Xq9", "password: the hunter2Xq9", "api_key: the 8f3kd92kdk29dk",
			"- password: it is hunter2Xq9", "user: bob\npassword: the new one is hunter2Xq9.\nhost: x",
			"db:\n  password: use hunter2Xq9\n  user: bob\n", "Hello Bob,\n\npassword: it is hunter2Xq9\n\nBye" })
	void secretsWithinWordsOfMessagesAreRedacted(String text) {
		String redacted = this.redactor.redact(text);
		assertThat(redacted).contains(MASK).doesNotContain("hunter2Xq9").doesNotContain("8f3kd92kdk29dk");
	}

	@ParameterizedTest
	@ValueSource(strings = { "password: str = 'correct horse'", "    private password: string = \"correct horse\";",
			"password: Optional[str] = 'correct horse'", "password: str | None = 'correct horse'",
			"password: SecretStr = SecretStr('correct horse')", "password: str = Field(default='correct horse')",
			"val password: String? = \"correct horse\"", "passwords: List[str] = ['correct horse']",
			"password: Option<String> = Some(\"correct horse\")", "password: process.env.PASSWORD || 'correct horse'",
			"password = process.env.PASSWORD ?? \"correct horse\";",
			"password = os.environ['PASSWORD'] or 'correct horse'",
			"password = os.environ.get('DB_PASSWORD', 'correct horse')", "password=os.getenv(\"X\",\"correct horse\")",
			"password = ENV.fetch('PASSWORD', 'correct horse')",
			"password = System.env['PASSWORD'] ?: 'correct horse'" })
	void secretsThatCodeHasForWantOfOthersAreRedacted(String text) {
		String redacted = this.redactor.redact("x = 1\n" + text + "\ny = 2\n");
		assertThat(redacted).isEqualTo("x = 1\n" + text.replace("correct horse", MASK) + "\ny = 2\n");
		assertThat(this.redactor.redact(text)).isEqualTo(text.replace("correct horse", MASK));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"password\":{\"name\":\"%s\"}}", "{\"password\":{\"type\":\"%s\"}}",
			"{\"secret\":{\"path\":\"%s\"}}", "{\"token\":{\"header\":\"%s\",\"algorithm\":\"HS256\"}}",
			"{\"password\":{\"required\":[\"%s\"]}}", "{\"credentials\":{\"name\":\"bob\",\"policy\":\"%s\"}}",
			"x: 1\npassword:\n  name: %s\n" })
	void descriptionWithWhatLooksLikeASecretIsNone(String text) {
		assertThat(this.redactor.redact(text.formatted("8f3kd92kdk29"))).contains(MASK).doesNotContain("8f3kd92kdk29");
		assertThat(this.redactor.redact(text.formatted("db-main"))).isEqualTo(text.formatted("db-main"));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "enabled", "secure", "httpOnly", "http_only", "optional", "required", "nullable", "readOnly" })
	void flagOfASecretThatIsATextIsASecret(String flag) {
		for (String secret : List.of("hunter2", "correct horse", "db-main")) {
			for (Map<String, Object> below : List.<Map<String, Object>>of(Map.of(flag, secret),
					Map.of(flag, secret, "name", "x"), Map.of(flag, secret, "type", "string"))) {
				Map<String, Object> value = Map.of("password", below);
				assertThat(this.redactor.redact(Json.compact(value))).contains(MASK).doesNotContain(secret);
				assertThat(this.redactor.redact(value).toString()).contains(MASK).doesNotContain(secret);
			}
		}
		if (!flag.equals("required")) {
			assertThat(this.redactor.redact("{\"password\":{\"%s\":[\"hunter2\"]}}".formatted(flag))).contains(MASK);
		}
		for (Object fine : List.of(true, false, 1, "true", "False", "on", "1", "${ENABLED}", "")) {
			Map<String, Object> value = Map.of("password", Map.of(flag, fine));
			assertThat(this.redactor.redact(Json.compact(value))).isEqualTo(Json.compact(value));
			assertThat(this.redactor.redact(Json.yaml(value))).isEqualTo(Json.yaml(value));
			assertThat(this.redactor.redact(value)).isEqualTo(value);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "path", "file" })
	void wordsInARowAreNoPlaceOfASecret(String name) {
		String text = "{\"secret\":{\"%s\":\"%s\"}}";
		assertThat(this.redactor.redact(text.formatted(name, "correct horse"))).contains(MASK)
			.doesNotContain("correct horse");
		for (String place : List.of("db-main", "/run/my secrets/db", "db.txt")) {
			assertThat(this.redactor.redact(text.formatted(name, place))).isEqualTo(text.formatted(name, place));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "password: it is case sensitive", "password: the hash is a sha256 of it",
			"email: is not valid\npassword: must be at least 8 characters of ISO-8859-1", "token: the end of input" })
	void messagesOfWordsStay(String text) {
		assertThat(this.redactor.redact(text)).isEqualTo(text);
	}

	@ParameterizedTest
	@MethodSource("shapes")
	void secretsBelowTellingNamesGoFromValuesTextsAndArguments(Object value) {
		String json = Json.compact(value);
		String pretty = Json.pretty(value);
		String yaml = Json.yaml(value);
		for (String text : List.of(json, pretty, yaml, json + "\n" + json, "Here it is:\n" + pretty + "\nDone.",
				"INFO payload=" + json + " sent", "```yaml\n" + yaml + "```\n", "a: b\n" + yaml, Json.compact(json),
				Json.compact(Map.of("a", List.of(json, Json.compact(Map.of("b", pretty))))),
				"data: " + json + "\n\n")) {
			assertThat(this.redactor.redact(text)).as(text).doesNotContain("Hk7wq").contains("redacted");
			assertThat(this.redactor.redact(Map.of("text", text)).toString()).as(text).doesNotContain("Hk7wq");
			assertThat(String.valueOf(this.redactor.redactStrictly(Map.of("text", text)))).doesNotContain("Hk7wq");
		}
		assertThat(this.redactor.redact(Map.of("a", value)).toString()).doesNotContain("Hk7wq");
		assertThat(String.valueOf(this.redactor.redactStrictly(Map.of("a", value)))).doesNotContain("Hk7wq");
		ToolDecision decision = new RedactToolHook(RedactConfig.defaults()).onResult(ToolCall.of("read", Map.of()),
				ToolResult.success(pretty, value));
		assertThat(decision).isInstanceOfSatisfying(ToolDecision.Respond.class, (respond) -> {
			assertThat(respond.result().content()).doesNotContain("Hk7wq");
			assertThat(String.valueOf(respond.result().value())).doesNotContain("Hk7wq");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`', value = {
			"password: |\\n  §\\n  §\\nuser: bob ~ password: \"#\"\\nuser: bob",
			"secrets:\\n- §\\n- §\\nuser: bob ~ secrets:\\n- \"#\"\\n- \"#\"\\nuser: bob",
			"secrets:\\n  a: § @ why\\n  b: [§, '§']\\nc: d ~ secrets:\\n  a: \"#\" @ why\\n  b: [\"#\", \"#\"]\\nc: d",
			"env:\\n  - name: DB_PASSWORD\\n    value: §\\n  - name: A\\n    value: b"
					+ " ~ env:\\n  - name: DB_PASSWORD\\n    value: \"#\"\\n  - name: A\\n    value: b",
			"db:\\n  password: >-\\n    §\\n\\n    §\\n  port: 5 ~ db:\\n  password: \"#\"\\n  port: 5",
			"db:\\n  password: §\\n    §\\n  port: 5 ~ db:\\n  password: \"#\"\\n  port: 5",
			"db:\\n  apiKey:\\n    value: §\\n  port: 5 ~ db:\\n  apiKey:\\n    value: \"#\"\\n  port: 5",
			"db: {password: §, port: 5} ~ db: {password: \"#\", port: 5}",
			"x:\\n  password: &p !!str §\\n  y: z ~ x:\\n  password: &p !!str \"#\"\\n  y: z",
			"data:\\n  app.yaml: |\\n    db:\\n      password: §\\n      port: 5\\nkind: x"
					+ " ~ data:\\n  app.yaml: |\\n    db:\\n      password: \"#\"\\n      port: 5\\nkind: x" })
	void secretsInYamlGoAndTheRestStays(String written, String expected) {
		String text = written.replace("\\n", "\n").replace("§", SECRET).replace("@", "#");
		assertThat(this.redactor.redact(text))
			.isEqualTo(expected.replace("\\n", "\n").replace("#", MASK).replace("@", "#"));
	}

	@Test
	void linesBelowATellingNameThatAreNoYamlGoToo() {
		assertThat(this.redactor.redact("credentials:\n  user: bob\n  ?? " + SECRET + "\n  x: " + SECRET + "\nb: c"))
			.doesNotContain("Hk7wq")
			.endsWith("\nb: c");
	}

	@Test
	void brokenJsonLosesTheSecretsOfItsWholeParts() {
		assertThat(this.redactor.redact("{\"a\": {\"apiKey\": {\"value\": \"" + SECRET + "\"}}, \"b\": [1, "))
			.isEqualTo("{\"a\": {\"apiKey\": {\"value\": \"" + MASK + "\"}}, \"b\": [1, ");
		assertThat(this.redactor.redact("{\"passwords\": [\"" + SECRET + "\", \"b\"], \"b\": [1, "))
			.doesNotContain("Hk7wq");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"apiKey\": {\"value\": \"§", "{\"a\": 1, \"apiKey\": {\"value\": \"§\"",
			"got {\"env\": [{\"name\": \"DB_PASSWORD\", \"value\": \"§", "{\"password\": {\"a\": [\"§\", {\"b\": ",
			"{\"apiKey\": {\"value\": \"§\", \"x\n[4,711 characters more]\n", "{\"secrets\": [[\"§\"], ... 12 more ...",
			"[{\"a\": 1}, {\"apiKey\": {\"value\": \"§\n", "{\"a\": 1\n{\"apiKey\": {\"value\": \"§\"}}\n{\"b\": 2}" })
	void secretsOfJsonThatIsCutGo(String cut) {
		String redacted = this.redactor.redact(cut.replace("§", SECRET));
		assertThat(redacted).startsWith(cut.substring(0, cut.indexOf('§'))).contains(MASK).doesNotContain("Hk7wq");
		assertThat(this.redactor.redact(redacted)).isEqualTo(redacted);
	}

	@ParameterizedTest
	@ValueSource(strings = { "args: [\"--db-password\", \"§\"]\n", "run ['-v', '--token', '§'] in /tmp",
			"argv=[\"run\", \"--api-key\", \"§\"]", "{\"Env\":[\"PATH=/bin\",\"API_TOKENS=§\"]}",
			"db password:\n  - §\n", "rows: [[\"user\", \"password\"], [\"bob\", \"§\"]] (1)",
			"got [[\"user\", \"password\"], [\"bob\", \"§\"]]", "my api key: {v: §}\n",
			"- old db password:\n    plain: §\n" })
	void secretsInListsOfWordsAndBelowNamesOfSomeWordsGo(String text) {
		String redacted = this.redactor.redact(text.replace("§", "Hk7wqZt"));
		assertThat(redacted).contains(MASK).doesNotContain("Hk7wq");
		assertThat(this.redactor.redact(redacted)).isEqualTo(redacted);
	}

	@ParameterizedTest
	@ValueSource(strings = { "nextPageToken", "pageToken", "syncToken", "nextSyncToken", "continuationToken",
			"continuation_token", "cursor", "maxTokens", "max_tokens", "token_count", "tokenCount", "totalTokens",
			"prompt_tokens", "completionTokens", "cache_read_input_tokens", "newStartPageToken", "$skiptoken",
			"deltaToken", "resume_token", "NEXT-TOKEN", "@odata.nextToken", "tokenType", "tokenizer", "eos_token",
			"nextpagetoken", "scrollToken", "secretName", "passwordPolicy", "authorId", "keyboard", "compass" })
	void namesThatTellOfNoSecretKeepTheirValues(String name) {
		Map<String, Object> value = Map.of("a", Map.of(name, "CAUQAA"), "b", List.of(Map.of(name, 12)));
		assertThat(this.redactor.redact(value)).isSameAs(value);
		assertThat(this.redactor.redactStrictly(value)).isSameAs(value);
		String json = Json.pretty(value);
		assertThat(this.redactor.redact(json)).isSameAs(json);
		String yaml = Json.yaml(value);
		assertThat(this.redactor.redact(yaml)).isSameAs(yaml);
	}

	@ParameterizedTest
	@ValueSource(strings = { "csrf_token", "xsrfToken", "refreshToken", "session_token", "pageAccessToken",
			"backendToken", "idToken", "password_change_token", "accessTokens", "APIToken", "personal.access.token" })
	void namesOfOtherTokensTellOfSecrets(String name) {
		assertThat(this.redactor.redact(Map.of(name, SECRET))).isEqualTo(Map.of(name, MASK));
		assertThat(this.redactor.redact("{\"" + name + "\":[\"" + SECRET + "\"]}")).doesNotContain("Hk7wq");
	}

	@Test
	void whatSaysHowManyOrOfWhichTypeStaysInResults() {
		Map<String, Object> value = Map.of("usage", Map.of("tokens", 512), "tokens",
				Map.of("input", 12, "cache_read", 3, "details", Map.of("reasoningTokens", 4, "output", 5)), "columns",
				List.of("model", "tokens"), "rows", List.of(List.of("a", 512), List.of("b", 7)), "headers",
				List.of("user", "password", "mail", "city"), "tests", Map.of("pass", 3, "fail", 1), "schema",
				Map.of("password", Map.of("type", "string", "description", "The password", "minLength", 8)));
		assertThat(this.redactor.redact(value)).isSameAs(value);
		String json = Json.pretty(value);
		assertThat(this.redactor.redact(json)).isSameAs(json);
	}

	private static String resource(String name) throws IOException {
		try (InputStream in = Objects.requireNonNull(WrittenValueRedactionTests.class.getResourceAsStream(name))) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	static Stream<String> documents() throws IOException {
		return Stream.of(resource("no-secrets-documents.txt").split("(?m)^=====\n"))
			.filter((document) -> !document.isBlank());
	}

	@ParameterizedTest
	@MethodSource("documents")
	void documentsWithoutSecretsStay(String document) {
		assertThat(this.redactor.redact(document)).isEqualTo(document);
		assertThat(this.redactor.redact("$ show\n" + document + "\n$ exit\n")).contains(document);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '^', value = { "password: the correct horse ~ correct",
			"passphrase: a quiet river at night ~ river", "secret: my quiet garden of trees ~ garden",
			"user: bob\\npassword: to the moon and back\\nhost: x ~ moon",
			"Your new password: the correct horse ~ horse", "Your passphrase: correct horse battery staple ~ staple",
			"the password is \"x1 y1\" ~ x1", "The password for bob is 'x1 y1'. ~ y1", "password: it is \"x1 y1\" ~ x1",
			"his passphrase was “blue sky” ~ sky", "user: bob\\npassword: it is \"x1 y1\"\\nhost: x ~ y1",
			"I changed the password to \"x1 y1\" yesterday ~ x1", "Your token is `x1 y1` ~ y1",
			"Use the api key \"is now\": the api key is \"k1z\" ~ k1z", "ALTER USER bob PASSWORD 'hunter'; ~ hunter" })
	void passphrasesAndWhatSentencesSayGo(String written, String secret) {
		String text = written.replace("\\n", "\n");
		String redacted = this.redactor.redact(text);
		assertThat(redacted).contains(MASK).doesNotContain(secret);
		assertThat(this.redactor.redact(redacted)).isEqualTo(redacted);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '^', value = { "{password: §, user: y} ~ {password: \"#\", user: y}",
			"---\\n[{user: y, apiKey: {value: §}}]\\n ~ ---\\n[{user: y, apiKey: {value: \"#\"}}]\\n",
			"{'password': '§'} ~ {'password': '#'}", "got {'apiKey': {'value': '§'}} ~ got {'apiKey': {'value': '#'}}",
			"r: {'name': 'DB_PASSWORD', 'value': '§', 'ok': True} ~ r: {'name': 'DB_PASSWORD', 'value': '#', 'ok': True}",
			"{'credentials': ('bob', '§'), 'n': None} ~ {'credentials': ('#', '#'), 'n': None}",
			"{'a': f(1, 2), 'secrets': [\"§\", 'it\\'s']} ~ {'a': f(1, 2), 'secrets': [\"#\", '#']}",
			"[ { apiKey: { value: '§' } }, [Object] ] ~ [ { apiKey: { value: '#' } }, [Object] ]",
			"{'token': SecretStr('§')} ~ {'token': \"#\"}" })
	void secretsInFlowDocumentsAndShownObjectsGo(String written, String expected) {
		assertThat(this.redactor.redact(written.replace("\\n", "\n").replace("§", SECRET)))
			.isEqualTo(expected.replace("\\n", "\n").replace("#", MASK));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '^',
			value = { "user,password\\nbob,§\\nann,\"x,§\" ~ user,password", "id;user;api_key\\n1;bob;§ ~ 1;bob;#",
					"user\ttoken\\nbob\t§ ~ bob\t#",
					"See:\\n\\n| user | password |\\n|---|---|\\n| bob | § | ~ | bob | # |",
					" id | password \\n----+----------\\n  1 | §\\n(1 row) ~   1 | #\\n(1 row)",
					"+---+--------+\\n| u | secret |\\n+---+--------+\\n| b | § |\\n+---+--------+ ~ | b | # |" })
	void cellsBelowNamesOfSecretsGo(String written, String expected) {
		String redacted = this.redactor.redact(written.replace("\\n", "\n").replace("§", SECRET));
		assertThat(redacted).doesNotContain("Hk7wq").contains(expected.replace("\\n", "\n").replace("#", MASK));
		assertThat(this.redactor.redact(redacted)).isEqualTo(redacted);
	}

	@Test
	void noLineOfTheCorpusHasASecret() throws Exception {
		List<String> lines = resource("no-secrets.txt").lines().toList();
		assertThat(lines).hasSizeGreaterThan(160);
		List<String> found = new ArrayList<>();
		lines.forEach((line) -> {
			for (String text : List.of(line, line + "\n", "$ make\n" + line + "\nexit 1\n", "    " + line)) {
				if (!this.redactor.redact(text).equals(text)) {
					found.add(this.redactor.redact(text));
				}
			}
		});
		assertThat(String.join("\n", found)).isEmpty();
		String all = String.join("\n", lines);
		assertThat(this.redactor.redact(all)).isEqualTo(all);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "login bob password: hunter2 ok | hunter2", "Your new password: Sommer2024 | Sommer2024",
					"invalid token: a1b2c3d4e5f6 | a1b2c3d4e5f6", "password: Geheimnis | Geheimnis",
					"your token: ghXyzAbcq | ghXyzAbcq", "secret: correct horse | horse",
					"error: wrong password: x9! | x9!", "passwd: hunter2 | hunter2", "token=expected | expected",
					"mysql --password geheim | geheim", "Server=x;Password=geheim; | geheim",
					"spring.datasource.password = hunter | hunter", "password: \"it is a secret\" | it is" })
	void valuesBehindBareNamesGo(String text, String secret) {
		assertThat(this.redactor.redact(text)).doesNotContain(secret).contains("redacted");
	}

	@Test
	void patternsOfOnesOwnSearchScalarsAndAcrossThem() {
		Redactor own = new Redactor(
				new RedactConfig(List.of(), Map.of("id", "\"customer\":\\s*\"?\\w+", "emp", "EMP-\\d+"), null));
		assertThat(own.redact("{\"customer\": \"Bob\", \"n\": \"of EMP-12\", \"customer\": 17}")).isEqualTo(
				"{\"customer\": \"[redacted:id]\", \"n\": \"of [redacted:emp]\", \"customer\": \"[redacted:id]\"}");
	}

	@Test
	void duplicateNamesAndEscapesAreFound() {
		assertThat(
				this.redactor.redact("{\"password\":\"Hk7wq\",\"pass\\u0077ord\":\"Hk7wq\\u0041\",\"a\":\"\\u0041\"}"))
			.isEqualTo("{\"password\":\"" + MASK + "\",\"pass\\u0077ord\":\"" + MASK + "\",\"a\":\"\\u0041\"}");
		assertThat(this.redactor.redact("{\"q\":\"password\\u003dHk7wq\"}"))
			.isEqualTo("{\"q\":\"password=" + MASK + "\"}");
	}

	@ParameterizedTest
	@EnumSource(Strategy.class)
	void redactedTextOfAValueIsTheTextOfTheRedactedValue(Strategy strategy) {
		redactsTextAsValue(strategy, 29, 300);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Strategy.class)
	void redactedTextOfManyValuesIsTheTextOfTheRedactedValue(Strategy strategy) {
		redactsTextAsValue(strategy, 31, 3_000);
	}

	private static void redactsTextAsValue(Strategy strategy, int seed, int values) {
		Random random = new Random(seed);
		Redactor redactor = new Redactor(new RedactConfig(null, Map.of("emp", "EMP-\\d{6}"), strategy));
		for (int i = 0; i < values; i++) {
			Object value = RandomValues.of(random, 4);
			String json = Json.compact(value);
			Map<String, @Nullable Object> redacted = redactor.redact(Map.of("a", value));
			String expected = Json.compact(redacted.get("a"));
			String text = redactor.redact(json);
			assertThat(text).as(json).isEqualTo(expected);
			assertThat(Json.shape(redactor.redact(Json.pretty(value))))
				.isEqualTo(Json.shape(Json.pretty(redacted.get("a"))));
			if (strategy != Strategy.REMOVE) {
				assertThat(redactor.redact(text)).as(json).isEqualTo(text);
			}
			Map<String, @Nullable Object> strict = redactor.redactStrictly(Map.of("a", value, "t", json));
			assertThat(strict).isNotNull();
			assertThat(String.valueOf(strict.get("t"))).as(json).isEqualTo(Json.compact(strict.get("a")));
		}
	}

	@Test
	void quickLookHidesNothingFromTheReader() {
		List<Object> values = List.of("bearer\tabcdefghijklmnopqrstuvwxyz", "a\nAKIAIOSFODNN7EXAMPLE", "x\nbob@x.test",
				new BigDecimal("4.2E15"), new BigDecimal("4.111111111111111E15"), List.of(1, 4111111111111111L),
				"4111-1111-1111-1111", "b­ob@x.test", "https://u:p@h.test", List.of("--token", "x"), "tokens\tx");
		for (Object value : values) {
			assertThat(this.redactor.redact(Json.compact(Map.of("a", value))))
				.isEqualTo(Json.compact(this.redactor.redact(Map.of("a", value))));
		}
		Random random = new Random(32);
		for (int i = 0; i < 2_000; i++) {
			Object value = RandomValues.of(random, 3);
			assertThat(this.redactor.redact(Json.compact(value)))
				.isEqualTo(Json.compact(this.redactor.redact(Map.of("a", value)).get("a")));
		}
	}

	@Test
	@Timeout(60)
	void hostileTextsEndWithinTheBudget() {
		redactHostileTexts(100_000);
	}

	@Test
	@Tag("slow")
	@Timeout(120)
	void largeHostileTextsEndWithinTheBudget() {
		redactHostileTexts(1_000_000);
	}

	private void redactHostileTexts(int size) {
		for (String unit : List.of("{\"a\":", "{\"password\":[", "[{\"a\":[", "{\"", "[{", "password:\n ", "- ",
				"a: |\n", "secrets:\n  - {", "{\"a\":\"\\", "password: [", "\"a\": {\"b\":1}, ", "- - - ",
				"password: '", ": ", "[\"")) {
			assertThat(this.redactor.redact(unit.repeat(size / unit.length()))).isNotEmpty();
		}
		StringBuilder deeper = new StringBuilder();
		for (int i = 0; i < 2_000; i++) {
			deeper.append(" ".repeat(i)).append("password:\n");
		}
		assertThat(this.redactor.redact(deeper.toString())).isNotEmpty();
		String nested = "\"Hk7wq\"";
		for (int i = 0; i < 12; i++) {
			nested = Json.compact(Map.of("a", nested));
		}
		assertThat(this.redactor.redact(nested)).isNotEmpty();
	}

	/**
	 * Values with names and texts of which some tell of secrets.
	 */
	private static final class RandomValues {

		private static final List<String> NAMES = List.of("a", "password", "apiKey", "tokens", "name", "value", "key",
				"env", "nextPageToken", "secret", "user", "bob@example.com", "Authorization", "type", "headers",
				"pass");

		private static final List<@Nullable Object> SCALARS = Arrays.asList("x", "DB_PASSWORD", "hunter2 x", 12,
				4111111111111111L, 1.5, true, null, "", "bob@example.com \"q\" \\ \n\t\u0001\u00e9\ud83d\ude00",
				"password=hunter2", "EMP-123456", "--token", "{\"password\":{\"v\":\"S\"}}", "[1,", "${X}", "string",
				"[redacted:password]", "db:\n  password: |\n    S\n  b: c\n",
				"ghp_abcdefghijklmnopqrstuvwxyz0123456789", "{\"a\":1}\n{\"token\":\"S\"}");

		static Object of(Random random, int depth) {
			if (random.nextInt(3) == 0) {
				List<@Nullable Object> list = new ArrayList<>();
				for (int i = random.nextInt(4); i > 0; i--) {
					list.add(element(random, depth));
				}
				return list;
			}
			Map<String, @Nullable Object> map = new LinkedHashMap<>();
			for (int i = random.nextInt(4); i > 0; i--) {
				map.put(NAMES.get(random.nextInt(NAMES.size())), element(random, depth));
			}
			return map;
		}

		private static @Nullable Object element(Random random, int depth) {
			return (depth == 0 || random.nextBoolean()) ? SCALARS.get(random.nextInt(SCALARS.size()))
					: of(random, depth - 1);
		}

	}

	/**
	 * Writes values.
	 */
	private static final class Json {

		private static String compact(@Nullable Object value) {
			return write(value, null, "");
		}

		private static String pretty(@Nullable Object value) {
			return write(value, "  ", "");
		}

		/**
		 * A text without its white space, outside of texts too: what there is of shape.
		 */
		private static String shape(String json) {
			return json.replaceAll("\\s", "");
		}

		private static String write(@Nullable Object value, @Nullable String step, String indent) {
			String inner = (step != null) ? indent + step : "";
			String line = (step != null) ? "\n" : "";
			if (value instanceof Map<?, ?> map && !map.isEmpty()) {
				return "{" + line
						+ String.join("," + line,
								map.entrySet()
									.stream()
									.map((member) -> inner + JsonText.write(member.getKey())
											+ ((step != null) ? ": " : ":") + write(member.getValue(), step, inner))
									.toList())
						+ line + ((step != null) ? indent : "") + "}";
			}
			if (value instanceof List<?> list && !list.isEmpty()) {
				return "[" + line
						+ String.join("," + line,
								list.stream().map((element) -> inner + write(element, step, inner)).toList())
						+ line + ((step != null) ? indent : "") + "]";
			}
			return (value instanceof Map || value instanceof List) ? value.toString()
					: (value instanceof Number || value instanceof Boolean) ? value.toString() : JsonText.write(value);
		}

		private static String yaml(@Nullable Object value) {
			return yaml(value, "").substring(1) + "\n";
		}

		private static String yaml(@Nullable Object value, String indent) {
			StringBuilder yaml = new StringBuilder();
			if (value instanceof Map<?, ?> map) {
				map.forEach((name, member) -> yaml.append('\n')
					.append(indent)
					.append(name.toString().matches("[\\w.-]+") ? name : "\"" + name + "\"")
					.append(':')
					.append(yaml(member, indent + "  ")));
			}
			else if (value instanceof List<?> list) {
				list.forEach((element) -> {
					String written = yaml(element, indent + "  ");
					yaml.append('\n')
						.append(indent)
						.append('-')
						.append((written.startsWith("\n")) ? written.substring(indent.length() + 2) : written);
				});
			}
			else {
				boolean isPlain = value == null || value.toString().matches("[A-Za-z0-9][\\w ]*");
				yaml.append(' ').append((isPlain) ? value : JsonText.write(value));
			}
			return yaml.toString();
		}

	}

}
