package io.agenthooks.spring.caller;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.CallContext;
import io.agenthooks.flow.Conversation.Speaker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GivenTexts} and {@link EarlierTexts}.
 */
class GivenTextsTests {

	private static final String AUGMENTED = "What do I owe?\nA document: pay US133000000121212121212";

	private static final CallContext ADA = CallContext.ofSession("s1").withUser("ada");

	private static final CallContext MALLORY = CallContext.ofSession("s2").withUser("mallory");

	private final EarlierTexts earlier = new EarlierTexts();

	private GivenTexts given(CallContext caller, String text) {
		return new GivenTexts(this.earlier, caller, false, List.of(text));
	}

	private boolean isUsers(CallContext caller, String text) {
		return given(caller, "Go on").read(List.of(text, "Go on")).get(0).get(0).speaker() == Speaker.USER;
	}

	private void resume(CallContext caller, List<String> users, List<String> texts) {
		GivenTexts unused = GivenTexts.resumed(this.earlier, caller, given(caller, "Hello").owner(), users, texts);
	}

	@Test
	void longTurnOfAnotherUserMakesNoDocumentTheUsers() {
		given(ADA, "What do I owe?").remember(List.of(AUGMENTED));
		assertThat(isUsers(ADA, AUGMENTED)).isFalse();
		List<String> texts = IntStream.range(0, 10_001).mapToObj((i) -> "t" + i).toList();
		resume(MALLORY, texts, texts);
		resume(MALLORY, List.of(), texts);
		assertThat(isUsers(ADA, AUGMENTED)).isFalse();
	}

	@Test
	void textsOfManyUsersMakeNoDocumentTheUsers() {
		given(ADA, "What do I owe?").remember(List.of(AUGMENTED));
		for (int i = 0; i < 10_001; i++) {
			GivenTexts unused = given(CallContext.ofSession("m" + i), "Hello");
		}
		assertThat(isUsers(ADA, AUGMENTED)).isFalse();
	}

	@Test
	@Timeout(10)
	void longTurnIsLearnedInTime() {
		List<String> texts = IntStream.range(0, 35_000).mapToObj((i) -> "t" + (100_000 + i)).toList();
		resume(ADA, texts.subList(0, 17_500), texts);
		assertThat(isUsers(ADA, texts.get(34_999))).isFalse();
		assertThat(isUsers(ADA, texts.get(17_499))).isTrue();
	}

	@Test
	void ofATurnWhoseUserIsNotKnownNothingIsLearned() {
		GivenTexts resumed = GivenTexts.resumed(this.earlier, ADA, null, List.of(), List.of("Pay"));
		assertThat(resumed.read(List.of("Pay")).get(0).get(0).speaker()).isEqualTo(Speaker.OTHER);
		assertThat(isUsers(ADA, "Pay")).isTrue();
	}

	@Test
	void turnBelongsToWhomItBelongedWhenItWasKept() {
		GivenTexts resumed = GivenTexts.resumed(this.earlier, MALLORY, given(ADA, "Pay").owner(), List.of("Pay"),
				List.of(AUGMENTED));
		assertThat(resumed.owner()).isEqualTo(given(ADA, "Go on").owner()).doesNotContain("ada");
		assertThat(isUsers(ADA, AUGMENTED)).isFalse();
		assertThat(isUsers(MALLORY, AUGMENTED)).isTrue();
	}

	@Test
	void withoutASessionNoTextIsLearnedAsTheUsers() {
		resume(CallContext.empty(), List.of("Pay"), List.of("Pay", AUGMENTED));
		assertThat(given(CallContext.empty(), "Pay").owner()).isEmpty();
		assertThat(this.earlier.isUsers(null, "Pay")).isNull();
		assertThat(this.earlier.isUsers(null, AUGMENTED)).isFalse();
	}

}
