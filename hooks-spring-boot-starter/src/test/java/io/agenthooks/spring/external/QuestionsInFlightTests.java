package io.agenthooks.spring.external;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class QuestionsInFlightTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final QuestionsInFlight questions = new QuestionsInFlight();

	@Test
	void loneQuestionsAreNotLateBesideOthers() {
		for (int i = 0; i < 3; i++) {
			try (QuestionsInFlight.Question question = this.questions.begin(LONG)) {
				assertThat(question.isLateBesideOthers()).isFalse();
			}
		}
	}

	@Test
	void questionsThatOverlapAreLateBesideOthersWhoeverBeganFirst() {
		QuestionsInFlight.Question first = this.questions.begin(LONG);
		QuestionsInFlight.Question second = this.questions.begin(LONG);
		second.close();
		assertThat(first.isLateBesideOthers()).isTrue();
		first.close();
		QuestionsInFlight.Question third = new QuestionsInFlight().begin(LONG);
		assertThat(third.isLateBesideOthers()).isFalse();
		assertThat(second.isLateBesideOthers()).isTrue();
	}

	@Test
	void loneQuestionBehindLateOnesMayFindTheDeciderBusy() {
		this.questions.begin(LONG).close();
		QuestionsInFlight.Question first = this.questions.begin(LONG);
		QuestionsInFlight.Question second = this.questions.begin(LONG);
		assertThat(first.isLateBesideOthers()).isTrue();
		first.close();
		second.close();
		try (QuestionsInFlight.Question alone = this.questions.begin(LONG)) {
			assertThat(alone.isLateBesideOthers()).isTrue();
		}
	}

	@Test
	void lateQuestionsExcuseTheDeciderForAWhileOnly() {
		QuestionsInFlight.Question first = this.questions.begin(Duration.ZERO);
		QuestionsInFlight.Question second = this.questions.begin(Duration.ZERO);
		assertThat(first.isLateBesideOthers()).isTrue();
		first.close();
		second.close();
		try (QuestionsInFlight.Question alone = this.questions.begin(LONG)) {
			assertThat(alone.isLateBesideOthers()).isFalse();
		}
	}

	@Test
	void onlyTimeoutsPassNoMore() {
		try (QuestionsInFlight.Question other = this.questions.begin(LONG)) {
			assertThat(other).isNotNull();
			assertThatExceptionOfType(NoVerdictException.class).isThrownBy(() -> this.questions.ask(LONG, () -> {
				throw NoVerdictException.timeout("late", true);
			})).matches((ex) -> !ex.mayPass() && ex.isTimeout());
			assertThatExceptionOfType(NoVerdictException.class).isThrownBy(() -> this.questions.ask(LONG, () -> {
				throw NoVerdictException.failure("down");
			})).matches(NoVerdictException::mayPass);
		}
	}

}
