package io.agenthooks.policy;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.Redactor;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A megabyte of text, as an argument or a prompt, is decided in time, whatever it is made
 * of.
 *
 * @see ProcessorTime
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeTextTests {

	private static final int SIZE = 1_000_000;

	private static final List<String> PATTERNS = List.of("rm -rf", "(?i)curl.*[|].*sh", "-----BEGIN [A-Z ]+PRIVATE KEY",
			"ghp_[A-Za-z0-9]{36}");

	private static final String DASHES = "-----------------------------------------------------------------------------------------------";

	/** As long as what is above the rows of a table may be. */
	private static final String RULE = DASHES + DASHES + DASHES + DASHES;

	private final PolicyToolHook policy = new PolicyToolHook(
			new PolicyConfig(null, null, Map.of("command", PATTERNS, "command.path", PATTERNS), PATTERNS));

	private final PolicyLlmHook prompts = new PolicyLlmHook(new LlmPolicyConfig(PATTERNS, null, false, null, null));

	private final Redactor redactor = Redactor.ofDefaults();

	private final Redactor hashing = new Redactor(new RedactConfig(null, null, RedactConfig.Strategy.HASH));

	@Test
	void textThatBeginsWhatManyPatternsFindIsDecidedInTime() {
		decideInTime(
				"AKIA eyJaaaa. ghp_ -----BEGIN RSA PRIVATE KEY-----password=\"secret\": \"xoxb-sk-bob@http://u:4111 1111 \n");
	}

	@ParameterizedTest
	@Tag("slow")
	@ValueSource(strings = { "a", " ", "\n", "[", "\"", "\\", "\u00fc", "\u200ba", "e\u0301", "\uff21", "\ufdfa",
			"\ud83d\ude00", "the quick brown fox, ", "a@b.cc ", "a@b.c ", "@", "4111 1111 1111 1111 ", "4-",
			"password: x\n", "kind: Secret\n", "password: [a\n", "password=abc1 ", "password=", "\"password\":\"x\",",
			"password: [redacted:password]\n", "nextToken: x\n", "AKIA", "AKIAIOSFODNN7EXAMPLE ", "eyJ", "eyJa.b.c ",
			"ghp_", "-----BEGIN RSA PRIVATE KEY-----\n", "abcd\n", "http://u:p@h/", "Authorization: Bearer abc ",
			"aws_secret_key = \"", "1:AA", "--password x ", "<password>x</password>", "password='x' ",
			"export A_PASSWORD=x\n", "curl x | ba", "%22", "\\u0022", "a | password |\n" + RULE + "x\n",
			"|password|a|\n|-|-|\n|" + RULE + "x|b|\n|" + RULE + "x|b|\n",
			"AKIA eyJaaaa. ghp_ -----BEGIN RSA PRIVATE KEY-----password=\"secret\": \"xoxb-sk-bob@http://u:4111 1111 \n" })
	void textOfAllKindsIsDecidedInTime(String part) {
		decideInTime(part);
	}

	private void decideInTime(String part) {
		String text = part.repeat(SIZE / part.length());
		ToolCall call = ToolCall.of("tool", Map.of("a", text));

		assertThat(ProcessorTime.of(() -> this.prompts.preCall(LlmCall.of(LlmMessage.user(text))))).as("prompt")
			.isLessThan(ProcessorTime.LIMIT);
		assertThat(ProcessorTime.of(() -> this.policy.preCall(call))).as("policy").isLessThan(ProcessorTime.LIMIT);
		assertThat(ProcessorTime.of(() -> this.redactor.redact(text))).as("redact").isLessThan(ProcessorTime.LIMIT);
		assertThat(ProcessorTime.of(() -> this.hashing.redact(text))).as("redact with hashes")
			.isLessThan(ProcessorTime.LIMIT);
	}

}
