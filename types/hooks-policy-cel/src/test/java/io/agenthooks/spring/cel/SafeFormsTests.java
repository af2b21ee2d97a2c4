package io.agenthooks.spring.cel;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.scope.ArgumentsInConditions.Found;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SafeForms}: conditions on the text of what is more than a text.
 */
class SafeFormsTests {

	private static final String SCHEMA = """
			{"type": "object", "properties": {
			  "to": {"type": "string"}, "cc": {"type": "array", "items": {"type": "string"}}, "target": {"type": "string",
			  "format": "uri"}, "who": {"type": "string", "format": "email"}, "url": {"type": "string"},
			  "callbackUrl": {"type": "string"}, "file_path": {"type": "string"}, "mailTo": {"type": "string"},
			  "host": {"enum": ["a.example", "b.example"]}, "text": {"type": "string"}, "title": {"type": "string"},
			  "profile": {"type": "string"}, "total": {"type": "string"}, "href": {"type": "string"},
			  "file": {"type": "object", "properties": {"name": {"type": "string"}, "path": {"type": "string"}}}
			}}""";

	private static List<Found> found(String condition, boolean known) {
		return new CelReader(CelVariables.ofToolCalls()).read(condition)
			.check(List.of("rules", "0", "when"),
					ArgumentType.ofTools((known) ? Map.of("run", Set.of(SCHEMA)) : Map.of(), (name) -> true));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '"', value = { "args.to.endsWith('@example.com') ~ mails(args.to)",
			"!args.to.contains('@example.com') ~ mails(args.to)",
			"args.to.lowerAscii().endsWith('@a.example') ~ mails(args.to)",
			"args.to.trim().lowerAscii().endsWith('@a.example') ~ mails(args.to)",
			"args.to.matches('^.*@example.com$') ~ mails(args.to)", "args.to.matches('^a.+b$') ~ mails(args.to)",
			"args.url.matches('^https://.*.example.com/.*$') ~ url(args.url)",
			"args.url.matches('^https://example.com.*$') ~ url(args.url)",
			"args.file_path.matches('^/data/.*$') ~ path(args.file_path",
			"args.to.matches('@example.com$') ~ mails(args.to)", "args.to.matches('^a|b$') ~ mails(args.to)",
			"args.cc.all(c, c.endsWith('@example.com')) ~ mails(args.cc)",
			"args['to'].endsWith('@example.com') ~ mails(args.to)", "args.mailTo.startsWith('a') ~ mails(args.mailTo)",
			"args.url.startsWith('https://example.com') ~ url(args.url)",
			"args.callbackUrl.contains('example.com') ~ url(args.callbackUrl)",
			"args.href.matches('example') ~ url(args.href)",
			"args.file_path.startsWith('/data/') ~ path(args.file_path",
			"args.file.path.endsWith('.pem') ~ path(args.file.path",
			"args.text == 'x' || args.to.endsWith('x') ~ mails(args.to)" })
	void textOfAnAddressIsWarnedOf(String condition, String instead) {
		for (boolean known : new boolean[] { true, false }) {
			assertThat(found(condition, known)).singleElement().satisfies((each) -> {
				assertThat(each.suspicion()).isTrue();
				assertThat(each.message()).contains("passed by what stands around");
				assertThat(each.action()).contains(instead);
				assertThat(condition.substring(each.position())).matches("(args|c\\.).*");
			});
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', value = { "args.target.startsWith('https://a') ~ url(args.target)",
			"args.who.endsWith('@a') ~ mails(args.who)" })
	void formatOfASchemaCounts(String condition, String instead) {
		assertThat(found(condition, true)).singleElement()
			.satisfies((each) -> assertThat(each.action()).contains(instead));
		assertThat(found(condition, false)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.to == 'a@example.com'", "args.to in ['a@example.com']",
			"args.to.matches('^[a-z]+@example\\\\.com$')", "args.to.matches('^(a@example.com|b@example.com)$')",
			"args.url.matches('^https://example\\\\.com/.*$')", "args.text.startsWith('x')", "args.title.contains('x')",
			"args.profile.endsWith('x')", "args.total.startsWith('1')",
			"mails(args.to).all(m, m.domain.endsWith('.example'))", "url(args.url).path.startsWith('/api/')",
			"path(args.file_path).name.startsWith('a')", "user.name.startsWith('a')", "args.host.endsWith('.example')",
			"size(args.to) > 5" })
	void otherTextIsNot(String condition) {
		assertThat(found(condition, true)).isEmpty();
	}

}
