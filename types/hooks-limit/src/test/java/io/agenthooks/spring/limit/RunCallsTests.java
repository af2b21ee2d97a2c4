package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.limit.LoopConfig.Steps;
import io.agenthooks.spring.state.UnusableAnswerException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the text that {@link RunCalls} are kept as. {@link LoopToolHookTests} test
 * what they find.
 */
class RunCallsTests {

	private static final LoopSettings SETTINGS = LoopSettings.of(new LoopConfig(new Steps(3, 5, 8), new Steps(4, 6, 9),
			new Steps(2, 4, 7), new Steps(300, 400, 500), null, null, null, null));

	/**
	 * What was read goes on as if it had never been written, also behind the bounds.
	 */
	@RepeatedTest(20)
	void whatIsReadIsWhatWasWritten(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		int different = (repetition.getCurrentRepetition() % 2 == 0) ? 4 : 100;
		RunCalls calls = new RunCalls(SETTINGS);
		RunCalls read = calls;
		for (int i = 0; i < 300; i++) {
			String tool = "t" + random.nextInt(different);
			String call = tool + "-" + random.nextInt(2);
			String result = "r" + random.nextInt(3) / 2;
			read = RunCalls.read(SETTINGS, read.write());
			assertThat(read.look(call, tool)).isEqualTo(calls.look(call, tool));
			switch (random.nextInt(5)) {
				case 0, 1 -> assertThat(read.enter(call, tool)).isEqualTo(calls.enter(call, tool));
				case 2 -> {
					calls.leave();
					read.leave();
				}
				default -> {
					Boolean failed = (random.nextInt(4) == 0) ? null : Boolean.valueOf(random.nextInt(3) > 0);
					calls.end(call, tool, result, failed);
					read.end(call, tool, result, failed);
				}
			}
			assertThat(read.size()).isEqualTo(calls.size());
			assertThat(read.write()).isEqualTo(calls.write());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", "2;0;0;;;;", "1;0;0;;;", "1;0;0;;;;;", "1;x;0;;;;", "1;-1;0;;;;", "1;0;-1;;;;",
			"1;99999999999;0;;;;", "1;0;0;a;;;", "1;0;0;a:b:c;;;", "1;0;0;a:b,c:d;;;", "1;0;0;;a b:c;;", "1;0;0;;;a:b;",
			"1;0;0;;;a:b:0;", "1;0;0;;;a:b:c;", "1;0;0;;;a:b:1,;", "1;0;0;;;a:b:1,a:c:1;", "1;0;0;;;:b:1;",
			"1;0;0;;;;a", "1;0;0;;;;a:0", "1;0;0;;;;a:1,a:2", "1;0;0;;;;a:1:1", " 1;0;0;;;;", "1;0;0;;;;\u00e9:1",
			"1;0;0;;;;abcdefghijklmnopqrstuvwxyz0123456:1" })
	void whatSomebodyElseWroteIsRefused(String text) {
		assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> RunCalls.read(SETTINGS, text))
			.withMessage("What is kept of the calls of a run cannot be read");
	}

	@Test
	void moreThanThereCanBeIsRefused() {
		String tools = IntStream.rangeClosed(0, RunCalls.MAX)
			.mapToObj((i) -> "t" + i + ":1")
			.collect(Collectors.joining(","));
		for (String text : List.of("1;0;0;;;;" + tools, "1;0;0;;;;" + ",".repeat(20_000), ";".repeat(200_000))) {
			assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> RunCalls.read(SETTINGS, text));
		}
		RunCalls most = RunCalls.read(SETTINGS, "1;0;0;;;;" + tools.substring(tools.indexOf(',') + 1));
		assertThat(most.size()).isEqualTo(RunCalls.MAX);
	}

	@RepeatedTest(20)
	void textThatWasChangedIsReadOrRefused(RepetitionInfo repetition) {
		Random random = new Random(repetition.getCurrentRepetition());
		RunCalls calls = new RunCalls(SETTINGS);
		for (int i = 0; i < 5; i++) {
			calls.end("c" + i, "t" + i % 2, "r", i % 2 == 0);
		}
		StringBuilder text = new StringBuilder(calls.write());
		for (int i = 0; i < 20; i++) {
			text.setCharAt(random.nextInt(text.length()), ";,:-19az".charAt(random.nextInt(8)));
			try {
				RunCalls read = RunCalls.read(SETTINGS, text.toString());
				assertThat(RunCalls.read(SETTINGS, read.write()).write()).isEqualTo(read.write());
			}
			catch (UnusableAnswerException ex) {
				assertThat(ex).hasMessageContaining("cannot be read").hasNoCause();
			}
		}
	}

}
