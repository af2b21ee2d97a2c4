package io.agenthooks.redact;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.pattern.Budget;
import io.agenthooks.redact.RedactConfig.Strategy;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the detectors that search only if they are named, and for denying by what
 * detectors find.
 */
class DetectorTests {

	private static final List<String> AROUND = List.of("%s", "a %s b", "\"%s\"", "x=%s;", "(%s)", "a\\n%s\\nb", "%s, b",
			"a: %s.", "<a>%s</a>", "\n%s\n", "{\"a\":\"%s\"}", "a: %s\nb: c");

	private static void assertFound(String detector, String value) {
		Redactor redactor = new Redactor(new RedactConfig(List.of(detector), null, null));
		for (String around : AROUND) {
			assertThat(redactor.redact(around.replace("%s", value))).as(around)
				.isEqualTo(around.replace("%s", "[redacted:" + detector + "]"));
			assertThat(Redactor.ofDefaults().redact(around.replace("%s", value)))
				.isEqualTo(around.replace("%s", value));
		}
	}

	private static void assertNotFound(String detector, String text) {
		assertThat(new Redactor(new RedactConfig(List.of(detector), null, null)).redact(text)).isSameAs(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "+49 170 1234567", "+491701234567", "+1 (555) 234-5678", "+44 20 7946 0958",
			"+49 (0) 170 / 123 45 67", "0049 170 1234567", "(555) 234-5678", "555-234-5678", "1-555-234-5678",
			"555.234.5678", "0170 1234567", "030 12345678", "020 7946 0958",
			"+33\u00a01\u00a042\u00a068\u00a053\u00a000", "0170/1234567", "+86 138-0013-8000" })
	void phoneNumbersAreFound(String number) {
		assertFound("phone", number);
	}

	@ParameterizedTest
	@ValueSource(strings = { "2024-01-01 10:00:00", "01.02.2024", "192.168.0.1", "1700000000000", "0123456789",
			"550e8400-e29b-41d4-a716-446655440000", "4111 1111 1111 1111", "3.14159265358979", "+1", "+12 34",
			"x+4912345678", "12345678", "123-45-6789", "1.0.0-20240101", "a5552345678", "+4111111111111111", "10-20-30",
			"$1,234,567.89", "DE89 3704 0044 0532 0130 00", "2024/01/02 03", "v1.2.3.4" })
	void otherNumbersAreNoPhoneNumbers(String text) {
		assertNotFound("phone", text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB29 NWBK 6016 1331 9268 19",
			"fr14 2004 1010 0505 0001 3m02 606", "NL91-ABNA-0417-1643-00",
			"CH93\u00a00076\u00a02011\u00a06238\u00a05295\u00a07", "NO9386011117947",
			"MT84MALT011000012345MTLCAST001S" })
	void accountNumbersAreFound(String number) {
		assertFound("iban", number);
	}

	@ParameterizedTest
	@ValueSource(strings = { "DE88370400440532013000", "DE8937040044053201300", "DE893704004405320130001",
			"XX89370400440532013000", "xDE89370400440532013000", "DE89", "DE89  3704 0044 0532 0130 00" })
	void numbersWithWrongCheckDigitsAreNoAccounts(String text) {
		assertNotFound("iban", text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "123-45-6789", "899 99 9999", "001\u201101\u20110001" })
	void socialSecurityNumbersAreFound(String number) {
		assertFound("ssn", number);
	}

	@ParameterizedTest
	@ValueSource(strings = { "000-45-6789", "666-45-6789", "900-45-6789", "123-00-6789", "123-45-0000", "123-45 6789",
			"1123-45-6789", "123-45-67890", "123456789", "a-123-45-6789", "2024-01-0100" })
	void otherNumbersAreNoSocialSecurityNumbers(String text) {
		assertNotFound("ssn", text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "192.168.0.1", "10.0.0.255", "8.8.8.8", "2001:db8::1", "fe80::1",
			"2001:0db8:0000:0000:0000:ff00:0042:8329", "::ffff:10.0.0.1", "::1" })
	void addressesAreFound(String address) {
		assertFound("ip", address);
	}

	@Test
	void addressesWithPortAndNetworkAreFound() {
		Redactor redactor = new Redactor(new RedactConfig(List.of("ip"), null, null));
		assertThat(redactor.redact("http://10.0.0.1:8080/x 10.0.0.0/8 [2001:db8::1]:443"))
			.isEqualTo("http://[redacted:ip]:8080/x [redacted:ip]/8 [[redacted:ip]]:443");
	}

	@ParameterizedTest
	@ValueSource(strings = { "256.1.1.1", "1.2.3", "1.2.3.4.5", "v1.2.3.4", "12:34:56", "aa:bb:cc:dd:ee:ff",
			"std::vector", "a::b", "::", "1:2", "x1.2.3.4", "http://x", "1.2.3.4a", "1::2::3" })
	void otherTextsAreNoAddresses(String text) {
		assertNotFound("ip", text);
	}

	@Test
	@Timeout(60)
	void searchingForNumbersTakesTimeThatGrowsWithTheText() {
		searchForNumbers(100_000);
	}

	@Test
	@Tag("slow")
	@Timeout(120)
	void searchingLargeTextsForNumbersTakesTimeThatGrowsWithTheText() {
		searchForNumbers(1_000_000);
	}

	private static void searchForNumbers(int size) {
		Redactor redactor = new Redactor(new RedactConfig(List.of("phone", "iban", "ssn", "ip"), null, null));
		Random random = new Random(3);
		for (String unit : List.of("1", "+", "+1", "1-", "(1", "DE89", "DE89 ", "a1", ":", "1:", "1.", "123-45-",
				"::1.", "0 0 0 ", "0000 ")) {
			assertThat(redactor.redact(unit.repeat(size / unit.length()))).isNotEmpty();
		}
		StringBuilder any = new StringBuilder();
		for (int i = 0; i < size / 5; i++) {
			any.append("0123456789+-. :()DEde/".charAt(random.nextInt(22)));
		}
		String redacted = redactor.redact(any.toString());
		assertThat(redactor.redact(redacted)).isEqualTo(redacted);
	}

	@Test
	void denyingHooksSayWhatTheyFoundAndNotTheValue() {
		RedactConfig config = new RedactConfig(List.of("card", "iban"), Map.of("emp", "EMP-\\d+"), Strategy.DENY);
		Map<String, Object> holding = Map.of("a", List.of("{\"n\": 4111111111111111}", "EMP-1"));
		ToolCall call = ToolCall.of("send", holding);
		RedactArgumentsHook arguments = new RedactArgumentsHook(config);
		assertThat(arguments.preCall(call)).isInstanceOf(ToolDecision.Deny.class);
		assertThat(arguments.preCall(call).reason()).contains("card, emp").doesNotContain("4111", "EMP-1");
		assertThat(arguments.isRepeatable()).isTrue();
		assertThat(arguments.preCall(ToolCall.of("send", Map.of("a", "b")))).isEqualTo(ToolDecision.approve());
		assertThat(Objects.requireNonNull(arguments.mask(Map.copyOf(holding))).toString()).doesNotContain("4111");
		RedactToolHook results = new RedactToolHook(config);
		assertThat(results.onResult(call, ToolResult.success("of DE89370400440532013000")).reason()).contains("iban");
		assertThat(results.onResult(call, ToolResult.success("x", holding)).reason()).contains("card");
		assertThat(results.onResult(call, ToolResult.success("x"))).isEqualTo(ToolDecision.approve());
		LlmCall prompt = LlmCall.of(LlmMessage.user("of 4111 1111 1111 1111"));
		assertThat(new RedactLlmHook(config).preCall(prompt).reason()).contains("card");
		assertThat(new RedactLlmResponseHook(config).onResponse(prompt, LlmResponse.of("EMP-12")).reason())
			.contains("emp");
	}

	@Test
	void denyingHookDeniesWhatIsTooLargeToBeSearched() {
		RedactConfig config = new RedactConfig(List.of("card"), null, Strategy.DENY);
		String large = "4111 ".repeat(2_000_000);
		assertThat(new RedactArgumentsHook(config).preCall(ToolCall.of("send", Map.of("a", large))).reason())
			.contains("too large");
		assertThat(new RedactToolHook(config).onResult(ToolCall.of("a", Map.of()), ToolResult.success(large)).reason())
			.contains("too large");
	}

	@Test
	void whatIsFoundIsNamed() {
		assertThat(Redactor.ofDefaults()
			.find(Map.of("password", "hunter2", "b", "bob@example.com 4111111111111111"), new Budget()))
			.containsExactly("card", "email", "password");
		assertThat(Redactor.ofDefaults().find("nothing", new Budget())).isEmpty();
	}

}
