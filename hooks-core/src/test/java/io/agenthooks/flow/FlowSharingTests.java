package io.agenthooks.flow;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.flow.FlowRules.Label;
import io.agenthooks.flow.FlowState.Seen;
import io.agenthooks.flow.FlowStore.Known;
import io.agenthooks.flow.FlowStore.Note;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FlowSharing}, where the store says what it should not. What it does
 * with real stores is tested with them.
 */
class FlowSharingTests {

	private static final Map<String, Object> MONEY = Map.of("recipient", "mallory");

	private @Nullable Known known = new Known("born", 0, "", "", List.of());

	private final FlowFixture node = new FlowFixture(false, 1, new FlowStore() {

		@Override
		public String secret() {
			return "secret";
		}

		@Override
		public @Nullable Known exchange(String key, Sent sent) {
			if (FlowSharingTests.this.known == null) {
				throw new IllegalStateException("away");
			}
			return FlowSharingTests.this.known;
		}

	});

	private static Seen seen(int call, Label label, String text) {
		Fingerprint fingerprint = new Fingerprint(1);
		return new Seen(ToolIdentity.ofApplication("lookup_customer"), call, label, false,
				Tokens.read(fingerprint, text, 100), Tokens.read(fingerprint, "eve", 100));
	}

	@Test
	void noteSaysWhatWasSeen() {
		Seen seen = seen(7, Label.TRUSTED, "ada ada@here.org 50");
		String note = NoteText.write("me", seen);
		assertThat(NoteText.writer(note)).isEqualTo("me");
		assertThat(NoteText.read(note)).usingRecursiveComparison().isEqualTo(seen);
	}

	@Test
	void noteThatCannotBeReadTaints() {
		for (String text : List.of("n2;x", "", "n1;x;TRUSTED;false;x;;;;;", "n1;x;OTHER;false;1;;;;;",
				"n1;x;TRUSTED;false;1;%;;;;")) {
			assertThat(NoteText.read(text)).isNull();
		}
		assertThat(this.node.passes("Pay", "send_money", MONEY)).isTrue();
		this.known = new Known("born", 1, "", "", List.of(new Note(1, "n2;of a newer version")));
		assertThat(this.node.passes("Pay", "send_money", MONEY)).isFalse();
	}

	@Test
	void sessionThatWasForgottenBeforeOthersWereToldIsTainted() {
		this.known = null;
		Conversation.of(List.of(Turn.other("Pay mallory")))
			.execute(() -> this.node.call(FlowFixture.RUN, "now", Map.of(), "Tuesday"));
		this.node.call(CallContext.empty().withRunId("r2"), "now", Map.of(), "Tuesday");
		this.known = new Known("born", 0, "", "", List.of());
		assertThat(this.node.passes("Pay", "send_money", MONEY)).isFalse();
	}

	@Test
	void answersInAnotherOrderLoseNothingAndCountNothingTwice() {
		FlowLink link = new FlowLink(false);
		FlowState state = new FlowState(link);
		Note one = new Note(1, NoteText.write("a", seen(1, Label.NEUTRAL, "x")));
		Note two = new Note(2, NoteText.write("b", seen(2, Label.TRUSTED, "y")));
		link.hear(new Known("born", 2, "", "", List.of(one, two)), state);
		link.hear(new Known("born", 1, "", "", List.of(one)), state);
		assertThat(state.view().results()).hasSize(2);
		assertThat(state.view().isUntrusted()).isFalse();
	}

	@Test
	void whoIsAboutToReadIsOneUntilAnotherIsToo() {
		assertThat(FlowStore.join("", "")).isEmpty();
		assertThat(FlowStore.join("", "a")).isEqualTo("a");
		assertThat(FlowStore.join("a", "a")).isEqualTo("a");
		assertThat(FlowStore.join("a", "")).isEqualTo("a");
		assertThat(FlowStore.join("a", "b")).isEqualTo(FlowStore.ALL);
		assertThat(FlowStore.join(FlowStore.ALL, "b")).isEqualTo(FlowStore.ALL);
	}

}
