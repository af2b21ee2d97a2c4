package io.agenthooks.spring.approval;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.approval.SuspendedTurn.Reply;
import io.agenthooks.spring.json.InvalidJsonException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TurnJson}.
 */
class TurnJsonTests {

	private static final SuspendedTurn TURN = new SuspendedTurn("test", "what was said",
			List.of(new Reply("c1", "send", "q1", null, false)));

	@Test
	void turnIsReadAsItWasWritten() {
		SuspendedTurn turn = TURN.withUsersTexts(List.of("Pay \u20ac 5", ""));
		assertThat(TurnJson.read(TurnJson.write(turn))).isEqualTo(turn);
	}

	@Test
	void ofATurnOfAnOlderVersionNothingIsTheUsers() {
		String older = TurnJson.write(TURN).replace(",\"users_texts\":[]", "");
		assertThat(older).doesNotContain("users_texts");
		assertThat(TurnJson.read(older)).isEqualTo(TURN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "\"Pay\"", "[1]", "[null]", "[[\"Pay\"]]", "{}" })
	void whatIsNoListOfTextsCannotBeRead(String texts) {
		String other = TurnJson.write(TURN).replace("\"users_texts\":[]", "\"users_texts\":" + texts);
		assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> TurnJson.read(other));
	}

	@Test
	void textsWithWhichATurnWouldBeTooLongAreLeftOut() {
		assertThat(TURN.withUsersTexts(List.of("x".repeat(SuspendedTurn.MAX_LENGTH))).usersTexts()).isEmpty();
	}

}
