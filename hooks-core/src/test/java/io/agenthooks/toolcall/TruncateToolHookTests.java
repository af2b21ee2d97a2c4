package io.agenthooks.toolcall;

import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TruncateToolHook}.
 */
class TruncateToolHookTests {

	private static final int SIZE = 2_000;

	private final TruncateToolHook hook = new TruncateToolHook(SIZE, 0.75);

	@Test
	void smallTextIsTheSame() {
		String text = "x".repeat(SIZE);
		assertThat(this.hook.cut(text)).isSameAs(text);
		assertThat(this.hook.onResult(ToolCall.of("t", Map.of()), ToolResult.success(text, Map.of())))
			.isEqualTo(ToolDecision.approve());
	}

	@Test
	void largeTextIsHeadNoteAndTail() {
		String cut = this.hook.cut("a".repeat(10_000) + "z".repeat(10_000));
		assertThat(cut).hasSizeLessThanOrEqualTo(SIZE)
			.hasSizeGreaterThan(SIZE - 50)
			.matches("(?s)a+\n\\[\\d+ of 20000 characters left out\\]\nz+");
		int head = cut.indexOf('\n');
		int tail = cut.length() - 1 - cut.lastIndexOf('\n');
		assertThat(cut).contains("[%d of 20000 ".formatted(20_000 - head - tail));
		assertThat(head).isBetween(1_400, 1_500);
	}

	@Test
	void valueGoesWithWhatIsCutAndTheRestStays() {
		ToolResult result = new ToolResult(false, "x".repeat(5_000), Map.of("a", "b"), "more");
		assertThat(this.hook.onResult(ToolCall.of("t", Map.of()), result))
			.isInstanceOfSatisfying(ToolDecision.Respond.class, (respond) -> {
				assertThat(respond.result().succeeded()).isFalse();
				assertThat(respond.result().value()).isNull();
				assertThat(respond.result().additionalContext()).isEqualTo("more");
			});
	}

	@Test
	void linesStayWhole() {
		String cut = this.hook.cut("a line of text\n".repeat(1_000));
		assertThat(cut.lines().filter((line) -> !line.startsWith("["))).allMatch("a line of text"::equals);
		assertThat(cut.lines().filter((line) -> line.startsWith("["))).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, 0.5, 1 })
	void shareIsThatOfTheHead(double share) {
		String cut = new TruncateToolHook(SIZE, share).cut("a".repeat(5_000) + "z".repeat(5_000));
		assertThat(cut.indexOf('\n') / (double) SIZE).isBetween(share - 0.05, share);
		assertThat(cut).hasSizeLessThanOrEqualTo(SIZE);
	}

	@Test
	void textOfJsonStaysOneAndNoPairIsTakenApart() {
		Random random = new Random(7);
		for (int i = 0; i < 200; i++) {
			StringBuilder json = new StringBuilder("\"");
			StringBuilder plain = new StringBuilder();
			while (json.length() < 3_000) {
				String next = new String[] { "\\n", "\\\\", "\\\"", "\\u00e9", "\ud83d\ude00", "x" }[random.nextInt(6)];
				json.append(next);
				plain.append((next.startsWith("\\")) ? "\n" : next);
			}
			String cut = this.hook.cut(json + "\"");
			assertThat(cut).hasSizeLessThanOrEqualTo(SIZE);
			assertThat(cut.matches("\"(?:[^\"\\\\\n]|\\\\[\"\\\\n]|\\\\u[0-9a-f]{4})*\"")).as(cut).isTrue();
			for (String text : new String[] { cut, this.hook.cut(plain.toString()) }) {
				assertThat(text.codePoints().noneMatch((sign) -> sign <= 0xFFFF && Character.isSurrogate((char) sign)))
					.isTrue();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"rows\": [%s]}", "[%s]", " {\"a\":\n{\"b\": [[%s], {\"c\": \"]}\"}]}}\n" })
	void objectOrArrayOfJsonBecomesOneTextOfJson(String form) {
		String row = "{\"name\": \"a \\\"b\\\" \\\\ \ud83d\ude00 }\", \"tab\": \"\\t\"}";
		for (int size = 1_024; size < 1_064; size++) {
			String cut = new TruncateToolHook(size, 0.5).cut(form.formatted((row + ",\n\t").repeat(200) + row));
			assertThat(cut).hasSizeLessThanOrEqualTo(size).contains("left out]");
			assertThat(cut.matches("\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\ntr]|\\\\u[0-9a-f]{4})*\"")).as(cut).isTrue();
			assertThat(isWhole(cut)).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "[INFO] started %s [done]", "{a} %s {b}", "{ \"a\": [%s} ]", "[ \"%s ]", "} %s {", "[%s",
			"{%s]" })
	void textThatOnlyHasBracketsStaysPlain(String form) {
		String cut = this.hook.cut(form.formatted("a line\n".repeat(1_000)));
		assertThat(cut).startsWith(form.substring(0, 1)).contains("characters left out]\n");
	}

	@Test
	void signThatTwoEscapesWriteIsNotTakenApart() {
		for (int size = 1_024; size < 1_040; size++) {
			String cut = new TruncateToolHook(size, 0.5).cut("\"" + "\\uD83D\\ude00".repeat(200) + "\"");
			assertThat(cut.matches("\"(\\\\uD83D\\\\ude00)* \\[.* left out\\] (\\\\uD83D\\\\ude00)*\"")).as(cut)
				.isTrue();
		}
	}

	private static boolean isWhole(String text) {
		return text.codePoints().noneMatch((sign) -> sign <= 0xFFFF && Character.isSurrogate((char) sign));
	}

	@Test
	void mistakesAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TruncateToolHook(1_023, 0.5));
		assertThatIllegalArgumentException().isThrownBy(() -> new TruncateToolHook(1_024, 1.1));
		assertThatIllegalArgumentException().isThrownBy(() -> new TruncateToolHook(1_024, Double.NaN));
	}

}
