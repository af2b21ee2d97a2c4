package io.agenthooks.redact;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for secrets where people and programs usually write them: sentences, command
 * lines, SQL, XML, and maps whose names look harmless.
 */
class SecretsInUsualPlacesTests {

	private final Redactor redactor = Redactor.ofDefaults();

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '^', value = { "the password is hunter2 ~ the password is #",
			"The password for bob is hunter2. ~ The password for bob is #",
			"the new password was S3cret! yesterday ~ the new password was # yesterday",
			"your api key is now 8f3kd92kdk29 ~ your api key is now #", "your pin is 1234 ~ your pin is #",
			"I changed the password to Tr0ub4dor ~ I changed the password to #",
			"log in with password hunter2 please ~ log in with password # please",
			"password: correct horse battery ~ password: #",
			"Login done, password: correct horse battery ~ Login done, password: #",
			"user: bob; password: correct horse ~ user: bob; password: #",
			"<db password=\"x\"/> ~ <db password=\"#\"/>",
			"<db password='x y' host='h'/> ~ <db password='#' host='h'/>",
			"<user name=\"bob\" pass=\"x\"/> ~ <user name=\"bob\" pass=\"#\"/>",
			"<add key=\"DbPassword\" value=\"x\"/> ~ <add key=\"DbPassword\" value=\"#\"/>",
			"<property name='db.password' value='x'/> ~ <property name='db.password' value='#'/>",
			"<property name=\"password\">x y</property> ~ <property name=\"password\">#</property>",
			"<input name=\"p\" type=\"password\" value=\"x y\"> ~ <input name=\"p\" type=\"password\" value=\"#\">",
			"INSERT INTO users (name, password) VALUES ('bob','x') "
					+ "~ INSERT INTO users (name, password) VALUES ('bob','#')",
			"insert into t(`api_key`, id) values ('x', 1), ('it''s', 2); "
					+ "~ insert into t(`api_key`, id) values ('#', 1), ('#', 2);",
			"REPLACE INTO s.t (id, \"secret\")\\n VALUES\\n (1, 'a, b') "
					+ "~ REPLACE INTO s.t (id, \"secret\")\\n VALUES\\n (1, '#')",
			"CREATE USER bob IDENTIFIED BY 'x' ~ CREATE USER bob IDENTIFIED BY '#'",
			"CREATE USER 'bob'@'%' IDENTIFIED WITH mysql_native_password BY 'x'; "
					+ "~ CREATE USER 'bob'@'%' IDENTIFIED WITH mysql_native_password BY '#';",
			"alter user bob identified by \"x y\" account unlock "
					+ "~ alter user bob identified by \"#\" account unlock" })
	void passwordsGo(String written, String expected) {
		String text = written.replace("\\n", "\n");
		String redacted = this.redactor.redact(text);
		assertThat(redacted).isEqualTo(expected.replace("\\n", "\n").replace("#", "[redacted:password]"));
		assertThat(this.redactor.redact(redacted)).isEqualTo(redacted);
		assertThat(this.redactor.redact(Map.of("text", text))).isEqualTo(Map.of("text", redacted));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '^',
			value = { "curl -u user:pass https://x ~ curl -u user:# https://x",
					"curl -sS --user bob:hunter2 https://x ~ curl -sS --user bob:# https://x",
					"curl -ubob:x https://x ~ curl -ubob:# https://x",
					"$ curl https://x -u \"bob:x y\" -v ~ $ curl https://x -u \"bob:#\" -v",
					"curl --proxy-user 'a:b' https://x ~ curl --proxy-user 'a:#' https://x",
					"curl -u \"$USER:$PASSWORD\" https://x ~ curl -u \"$USER:$PASSWORD\" https://x" })
	void usersOfCurlKeepTheirNamesOnly(String text, String expected) {
		assertThat(this.redactor.redact(text)).isEqualTo(expected.replace("#", "[redacted:secret]"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "path", "file", "name", "mode", "source", "target", "policy", "header", "namespace" })
	void harmlessNameBelowOneOfSecretsHidesNoSecret(String name) {
		for (String of : List.of("secret", "password", "credentials", "apiKey")) {
			for (String secret : List.of("hunter2", "Tr0ub4dor", "a1b2c3d4")) {
				Map<String, Object> value = Map.of(of, Map.of(name, secret));
				String json = "{\"%s\":{\"%s\":\"%s\"}}".formatted(of, name, secret);
				String yaml = "%s:\n  %s: %s\n".formatted(of, name, secret);
				assertThat(this.redactor.redact(value).toString()).doesNotContain(secret);
				assertThat(this.redactor.redact(json)).doesNotContain(secret).contains(of, name);
				assertThat(this.redactor.redact(yaml)).doesNotContain(secret).contains(of, name);
			}
		}
	}

	@Test
	void namesOfSecretsAreNoneInResultsAndGoFromArguments() {
		Map<String, Object> names = Map.of("secrets", List.of("db_password", "server_cert"));
		assertThat(this.redactor.redact(names)).isSameAs(names);
		assertThat(String.valueOf(this.redactor.redactStrictly(names))).doesNotContain("db_password");
		assertThat(this.redactor.redact(Map.of("secrets", List.of("db_password", "hunter2"))).toString())
			.contains("db_password")
			.doesNotContain("hunter2");
		assertThat(this.redactor.redact("passwords: [secret, hunter]\n")).doesNotContain("hunter");
	}

	@Test
	void exampleOfWhatIsNoSchemaIsASecret() {
		assertThat(this.redactor.redact("{\"password\":{\"example\":\"hunter\"}}")).doesNotContain("hunter");
		assertThat(this.redactor.redact("{\"password\":{\"type\":\"string\",\"value\":\"hunter\"}}"))
			.doesNotContain("hunter");
	}

	@ParameterizedTest
	@ValueSource(strings = { "INFO db_password=Ab3(kd9Zq connected to db(main)", "db_password=Ab3(kd9Zq; # see (docs)",
			"token: Ab3(kd9Zq (do not share)", "login with x-api-key=Ab3(kd9Zq (prod)", "password=Ab3(kd9Zq)9! (x)" })
	void bracketInASecretMakesNoCodeOfIt(String text) {
		assertThat(this.redactor.redact(text)).doesNotContain("kd9Zq");
	}

	@ParameterizedTest
	@ValueSource(strings = { "password = encoder.encode(raw);", "const token = await client.login(user, \"a)\");",
			"token = get(a(b), c).value;", "password = encoder.encode(", "token = cache.get(key)?.value;" })
	void codeThatCallsSomethingStays(String code) {
		assertThat(this.redactor.redact(code)).isEqualTo(code);
	}

	@Test
	void clientTokenOfAVaultIsASecret() {
		assertThat(this.redactor.redact("{\"auth\":{\"client_token\":\"s.x1\"}}")).doesNotContain("s.x1");
	}

	@Test
	@Timeout(60)
	void searchingHostileTextsEnds() {
		searchHostileTexts(50_000);
	}

	@Test
	@Tag("slow")
	@Timeout(120)
	void searchingLargeHostileTextsEnds() {
		searchHostileTexts(500_000);
	}

	private void searchHostileTexts(int size) {
		for (String unit : List.of("the password is ", "password is a b c d ", "password x1 ", "a, password: b c\n",
				"<a name=\"password\" ", "<a name=\"password\" value=\"", "<a pass=\"", "curl -u ", "curl a:b ",
				"curl -u a:b\n", "identified by '", "identified with ", "insert into t (a, password) values (",
				"insert into t (password) values ('x'), ('", "insert\n", "insert (password) values ('x')\n",
				"token = await ", "token = a.b(", "token = a(b)\n")) {
			assertThat(this.redactor.redact(unit.repeat(size / unit.length()))).isNotEmpty();
		}
	}

}
