package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.approval.ApprovalNotifyConfig.Format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of messages that replace those of the starter.
 */
class NotifyTemplateTests {

	private static final JsonMapper json = new JsonMapper();

	private static NotifyTemplate template(Format format, String text) {
		return NotifyTemplate.read(text.getBytes(StandardCharsets.UTF_8), format, true, true);
	}

	private static JsonNode filled(Format format, String text, String... values) {
		Map<String, String> named = new HashMap<>();
		for (int i = 0; i < values.length; i += 2) {
			named.put(values[i], values[i + 1]);
		}
		return json.readTree(template(format, text).fill(named));
	}

	@Test
	void valueCannotLeaveItsText() {
		String value = "\"}], \"tool\": \"x\\ \n \u2028 {{user}} $1 \\1";
		JsonNode message = filled(Format.JSON, "{\"a\": [{\"b\": \"<{{tool}}>\"}]}", "tool", value);
		assertThat(message.at("/a/0/b").asString())
			.isEqualTo("<\"}], \"tool\": \"x\\ \\u{000A} \\u{2028} {{user}} $1 \\1>");
		assertThat(message.size()).isEqualTo(1);
	}

	@Test
	void namesOfMembersAreNotLookedAt() {
		assertThat(filled(Format.JSON, "{\"{{nothing}}\": \"{{tool}}\"}", "tool", "pay").toString())
			.isEqualTo("{\"{{nothing}}\":\"pay\"}");
	}

	@Test
	void slackValuesStandInCodeAsTheirPlaceNeedsIt() {
		JsonNode message = filled(Format.SLACK,
				"""
						{"text": "{{tool}}", "blocks": [
							{"type": "section", "text": {"type": "mrkdwn", "text": "*Who* {{user}}\\n{{arguments}}"}},
							{"type": "header", "text": {"type": "plain_text", "text": "For {{user}}"}},
							{"type": "actions", "elements": [
								{"type": "button", "text": {"type": "plain_text", "text": "Go"}, "url": "{{link}}"},
								{"type": "button", "text": {"type": "plain_text", "text": "Go"}, "url": "https://x/?q={{user}}"}]}]}
						""",
				"tool", "a`*b*", "user", "<!channel>&\n*x*", "arguments", "{\n  \"a\": \"```\"\n}", "link",
				"https://agents.example.com/links/abc");
		assertThat(message.get("text").asString()).isEqualTo("`a\\u{0060}*b*`");
		assertThat(message.at("/blocks/0/text/text").asString()).isEqualTo(
				"*Who* `&lt;!channel&gt;&amp;\\u{000A}*x*`\n```\n{\n  \"a\": \"\\u{0060}\\u{0060}\\u{0060}\"\n}\n```");
		assertThat(message.at("/blocks/1/text/text").asString()).isEqualTo("For &lt;!channel&gt;&amp;\\u{000A}*x*");
		assertThat(message.at("/blocks/2/elements/0/url").asString()).isEqualTo("https://agents.example.com/links/abc");
		assertThat(message.at("/blocks/2/elements/1/url").asString())
			.isEqualTo("https://x/?q=%3C%21channel%3E%26%0A%2Ax%2A");
	}

	@Test
	void whatNeedsAMissingValueIsLeftOut() {
		String text = """
				{"text": "{{tool}}", "rule": "{{rule}}", "null": null, "blocks": [
					{"fields": [{"text": "{{tool}}"}, {"text": "{{rule}}"}]},
					{"elements": [{"url": "{{link}}"}]},
					"{{rule}}", "end"]}
				""";
		assertThat(filled(Format.JSON, text, "tool", "pay").toString())
			.isEqualTo("{\"text\":\"pay\",\"null\":null,\"blocks\":[{\"fields\":[{\"text\":\"pay\"}]},\"end\"]}");
	}

	@Test
	void backtickBesideAPlaceholderIsRefusedForSlack() {
		assertThatIllegalArgumentException().isThrownBy(() -> template(Format.SLACK, "{\"text\": \"`{{tool}}`\"}"))
			.withMessageContaining("backtick");
		assertThat(filled(Format.SLACK, "{\"text\": \"`fixed`\"}").get("text").asString()).isEqualTo("`fixed`");
		assertThat(filled(Format.JSON, "{\"text\": \"`{{tool}}`\"}", "tool", "pay").get("text").asString())
			.isEqualTo("`pay`");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"text\": \"{{agent}}\"}", "{\"text\": \"{{tool}} of {{server}}\"}",
			"{\"text\": \"Decide: {{link}}\", \"blocks\": [{\"text\": \"{{user}}\"}]}" })
	void messageOfWhichNothingMayBeLeftIsRefused(String text) {
		for (Format format : Format.values()) {
			assertThatIllegalArgumentException().isThrownBy(() -> template(format, text))
				.withMessageContaining("empty message");
		}
	}

	@Test
	void messageKeepsWhatEachQuestionHas() {
		assertThat(filled(Format.JSON, "{\"who\": \"{{agent}}\", \"text\": \"{{tool}}\"}", "tool", "pay").toString())
			.isEqualTo("{\"text\":\"pay\"}");
		assertThat(filled(Format.JSON, "{\"list\": []}").toString()).isEqualTo("{\"list\":[]}");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> NotifyTemplate.read("{\"a\": \"{{user}}\"}".getBytes(StandardCharsets.UTF_8), Format.JSON,
					false, false))
			.withMessageContaining("event, id, state, tool,");
	}

	@Test
	void eachQuestionHasTheValuesThatKeepAMessage() {
		assertThat(NotifyValues.of(ApprovalNotifyConfig.Event.APPROVAL_REQUESTED, Questions.question("q"), true, null))
			.containsKeys(NotifyValues.ALWAYS.toArray(String[]::new))
			.containsKey(NotifyValues.ARGUMENTS);
	}

	@Test
	void fileThatIsTooLargeIsRefused() {
		byte[] file = ("{\"a\": \"" + "x".repeat(NotifyTemplate.MAX_FILE) + "\"}").getBytes(StandardCharsets.UTF_8);
		assertThatIllegalArgumentException().isThrownBy(() -> NotifyTemplate.read(file, Format.JSON, true, true))
			.withMessageContaining("65536 bytes");
	}

	@Test
	void longArgumentsAreCutBetweenCharacters() {
		String arguments = "a" + "\uD83D\uDE00".repeat(5_000);
		String told = filled(Format.JSON, "{\"a\": \"{{arguments}}\"}", "arguments", arguments).get("a").asString();
		assertThat(told).hasSizeLessThanOrEqualTo(8_003).endsWith("\uD83D\uDE00...");
		String slack = filled(Format.SLACK, "{\"text\": \"{{arguments}}\"}", "arguments", "&".repeat(5_000)).get("text")
			.asString();
		assertThat(slack).hasSizeLessThanOrEqualTo(2_500).endsWith("&amp;...\n```");
	}

}
