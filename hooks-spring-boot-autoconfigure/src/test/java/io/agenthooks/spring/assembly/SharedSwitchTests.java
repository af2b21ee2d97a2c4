package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.outcome.ToolSwitch.Part;
import io.agenthooks.spring.outcome.ToolSwitch.Switched;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.SharedStates;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.UnusableAnswerException;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what a node knows of the switch that nodes share.
 */
class SharedSwitchTests {

	private final Store store = new Store();

	private static Switched off(String tool) {
		return new Switched(new Part(Part.Kind.TOOL, tool), false, Instant.EPOCH.plusMillis(7), "ann; =,", "actuator");
	}

	private static Switched on(String tool) {
		return new Switched(new Part(Part.Kind.TOOL, tool), true, Instant.EPOCH, null, "actuator");
	}

	private SharedSwitch node() {
		return SharedSwitch.open(this.store);
	}

	private static SharedSwitch started(SharedSwitch node) {
		for (int i = 0; i < 3; i++) {
			node.read();
		}
		return node;
	}

	private static @Nullable List<String> known(SharedSwitch node) {
		List<Switched> known = node.known();
		return (known != null) ? known.stream().map((one) -> one.part().glob()).toList() : null;
	}

	private static void change(SharedSwitch node, Switched switched) {
		node.change((parts) -> OffParts.after(parts, switched));
	}

	@Test
	void nothingIsKnownOfAnEmptyStoreUntilOtherNodesHadTheTimeToFillIt() {
		SharedSwitch node = node();
		node.read();
		assertThat(known(node)).isNull();
		node.read();
		assertThat(known(node)).isNull();
		node.read();
		assertThat(known(node)).isEmpty();
		SharedSwitch later = node();
		later.read();
		assertThat(known(later)).as("a later node finds what the first one wrote").isEmpty();
	}

	@Test
	void otherNodesFollowWithWhoSwitchedAndWhen() {
		SharedSwitch one = started(node());
		SharedSwitch two = started(node());
		change(one, off("a"));
		two.read();
		assertThat(two.known()).containsExactly(off("a"));
		change(two, off("b"));
		change(one, on("a"));
		two.read();
		assertThat(known(two)).containsExactly("b");
	}

	@Test
	void tenthChangeIsNewerThanTheNinth() {
		SharedSwitch one = started(node());
		SharedSwitch two = started(node());
		for (int i = 0; i < 12; i++) {
			change(one, off("a"));
			change(one, on("a"));
			two.read();
			assertThat(known(two)).isEmpty();
		}
	}

	@Test
	void lossOfTheStoreSwitchesNothingOnAndANodeThatKnowsMoreRestoresIt() {
		SharedSwitch one = started(node());
		change(one, off("a"));
		this.store.lose();
		one.read();
		assertThat(known(one)).containsExactly("a");
		SharedSwitch two = node();
		two.read();
		assertThat(known(two)).as("restored").containsExactly("a");
	}

	@Test
	void nodeThatStartsAfterALossKnowsNothingUntilOthersHaveRestoredIt() {
		SharedSwitch one = started(node());
		change(one, off("a"));
		this.store.lose();
		SharedSwitch two = node();
		two.read();
		assertThat(known(two)).isNull();
		one.read();
		two.read();
		assertThat(known(two)).containsExactly("a");
	}

	@Test
	void whatBeganAnewAfterALossIsJoinedWithWhatANodeStillKnows() {
		SharedSwitch one = started(node());
		for (int i = 0; i < 5; i++) {
			change(one, off("a"));
		}
		this.store.lose();
		SharedSwitch two = started(node());
		change(two, off("b"));
		one.read();
		two.read();
		assertThat(known(one)).containsExactlyInAnyOrder("a", "b");
		assertThat(known(two)).containsExactlyInAnyOrder("a", "b");
		change(two, on("a"));
		change(two, on("b"));
		one.read();
		assertThat(known(one)).as("a person may switch on after that").isEmpty();
	}

	@Test
	void storeThatLostItsLastChangeSwitchesNothingOn() {
		SharedSwitch one = started(node());
		SharedSwitch two = started(node());
		OffParts before = this.store.read();
		change(one, off("a"));
		this.store.write(before);
		change(two, off("b"));
		one.read();
		two.read();
		assertThat(known(one)).containsExactlyInAnyOrder("a", "b");
		assertThat(known(two)).containsExactlyInAnyOrder("a", "b");
	}

	@Test
	void whatIsSwitchedOffWhileNobodyKnowsWhatElseIsOffSwitchesNothingOn() {
		this.store.unreadable = true;
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		try (KillSwitch node = new KillSwitch(chain, false, node(), List::of)) {
			node.switchTools(false, off("a").part(), null, ToolSwitch.ACTUATOR);
			assertThat(chain.isToolsEnabled()).isFalse();
			assertThat(node.off()).extracting(Switched::part).containsExactly(Part.ALL, off("a").part());
			this.store.unreadable = false;
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(chain::isToolsEnabled);
			assertThat(node.off()).extracting(Switched::part).containsExactly(off("a").part());
			assertThat(this.store.read().parts()).extracting(Switched::part).containsExactly(off("a").part());
		}
	}

	@Test
	void errorWhileANodeFollowsOthersDoesNotEndItsFollowing() {
		this.store.fatal = true;
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		try (KillSwitch node = new KillSwitch(chain, false, node(), List::of)) {
			// At the start, and then by the timer.
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> this.store.errors.get() >= 3);
			this.store.fatal = false;
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(chain::isToolsEnabled);
			change(started(node()), off("a"));
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !node.off().isEmpty());
			assertThat(node.off()).containsExactly(off("a"));
		}
	}

	@Test
	void storeThatDoesNotAnswerLeavesWhatIsKnown() {
		SharedSwitch one = started(node());
		change(one, off("a"));
		this.store.broken = true;
		assertThatIllegalStateException().isThrownBy(one::read);
		assertThatIllegalStateException().isThrownBy(() -> change(one, on("a")));
		assertThat(known(one)).containsExactly("a");
		SharedSwitch two = node();
		assertThatIllegalStateException().isThrownBy(two::read);
		assertThat(known(two)).isNull();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "k2;id", "k1", "k1;", "k1;id;TOOL", "k1;id;ALL,,x,,actuator", "k1;id;TOOL,,7,,actuator" })
	void whatSomebodyElseWroteIsNotRead(String text) {
		assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> new OffParts.Codec().read(0, text));
	}

	@Test
	void nodesThatKnewNothingOfEachOtherSwitchEverythingOffRatherThanOneTooFew() {
		List<Switched> one = IntStream.range(0, 60).mapToObj((i) -> off("a" + i)).toList();
		List<Switched> other = IntStream.range(0, 41).mapToObj((i) -> off("b" + i)).toList();
		assertThat(OffParts.union(one, other.subList(0, 40))).hasSize(100).containsAll(one);
		assertThat(OffParts.union(one, other)).extracting(Switched::part).containsExactly(Part.ALL);
	}

	@Test
	void whatIsKeptHasABoundAndIsReadAsItWas() {
		Switched longest = new Switched(new Part(Part.Kind.AGENT, "\u00fc".repeat(100)), false, Instant.EPOCH,
				"\u00fc".repeat(1000), ToolSwitch.ACTUATOR);
		List<Switched> parts = new ArrayList<>();
		for (int i = 0; i < ToolSwitch.MAX_PARTS; i++) {
			parts.add(longest);
		}
		OffParts.Codec codec = new OffParts.Codec();
		String text = codec.write(OffParts.none().with(parts));
		assertThat(text.length()).isLessThan(100_000);
		assertThat(codec.read(0, text).parts().get(0).part()).isEqualTo(longest.part());
		Switched all = new Switched(Part.ALL, false, Instant.EPOCH, null, ToolSwitch.APPLICATION);
		OffParts some = OffParts.none().with(List.of(all, off("a[,;]*")));
		assertThat(codec.read(0, codec.write(some))).isEqualTo(some);
	}

	/** A store that may lose everything, or not answer. */
	static final class Store implements SharedStates {

		private final AtomicLong micros = new AtomicLong(1_000_000_000_000_000L);

		private @Nullable KeyedState<?> state;

		private boolean broken;

		private volatile boolean unreadable;

		private volatile boolean fatal;

		private final AtomicInteger errors = new AtomicInteger();

		OffParts read() {
			return this.<OffParts>state(new OffParts.Codec())
				.look("-", OffParts.none(), (kept, now) -> Objects.requireNonNull(kept.state()));
		}

		void write(OffParts parts) {
			OffParts unused = this.<OffParts>state(new OffParts.Codec()).change("-", parts, (kept, now) -> {
				kept.keep(parts, now + 1_000_000_000L);
				return parts;
			});
		}

		void lose() {
			this.state = null;
		}

		@Override
		public <S> KeyedState<S> open(String name, StateCodec<S> codec) {
			return new KeyedState<>() {

				@Override
				public <T> T change(List<String> keys, T full, Change<S, T> change) {
					return state(codec).change(keys, full, change);
				}

				@Override
				public <T> T look(List<String> keys, T full, Change<S, T> change) {
					if (Store.this.fatal) {
						Store.this.errors.incrementAndGet();
						throw new NoClassDefFoundError("gone");
					}
					if (Store.this.unreadable) {
						throw new IllegalStateException("unreadable");
					}
					return state(codec).look(keys, full, change);
				}

			};
		}

		@SuppressWarnings("unchecked") // there is one kind of state
		private <S> KeyedState<S> state(StateCodec<S> codec) {
			if (this.broken) {
				throw new IllegalStateException("away");
			}
			if (this.state == null) {
				this.state = new MemoryState<>(
						new StateTerms<>(List.of("switch"), Integer.MAX_VALUE, StateTerms.WhenFull.REFUSE, true, codec),
						this.micros::incrementAndGet);
			}
			return (KeyedState<S>) Objects.requireNonNull(this.state);
		}

	}

}
