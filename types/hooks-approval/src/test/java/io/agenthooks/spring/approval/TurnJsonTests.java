package io.agenthooks.spring.approval;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;

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
		SuspendedTurn turn = TURN.withUsersTexts(List.of("Pay \u20ac 5", ""), "0a1b");
		assertThat(TurnJson.read(TurnJson.write(turn))).isEqualTo(turn);
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "\"Pay\"", "[1]", "[null]", "[[\"Pay\"]]", "{}" })
	void whatIsNoListOfTextsCannotBeRead(String texts) {
		String other = TurnJson.write(TURN).replace("\"users_texts\":[]", "\"users_texts\":" + texts);
		assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> TurnJson.read(other));
	}

	@Test
	void textsWithWhichATurnWouldBeTooLongAreLeftOut() {
		SuspendedTurn turn = TURN.withUsersTexts(List.of("x".repeat(SuspendedTurn.MAX_LENGTH)), "0a1b");
		assertThat(turn.usersTexts()).isEmpty();
		assertThat(turn.textsOf()).isNull();
	}

	@Test
	void textsCountAsTheyAreWritten() {
		String text = "\"\\\b\t\n\f\r\u0001\u007f\u0080\u20ac\uffff ~";
		String written = TurnJson.write(TURN.withUsersTexts(List.of(text), null));
		assertThat(TURN.withUsersTexts(List.of(text), null).length() - TURN.length())
			.isEqualTo(written.length() - TurnJson.write(TURN).length() + 1L);
		String euros = "\u20ac".repeat(SuspendedTurn.MAX_LENGTH / 6);
		assertThat(TURN.withUsersTexts(List.of(euros), null).usersTexts()).isEmpty();
	}

}
