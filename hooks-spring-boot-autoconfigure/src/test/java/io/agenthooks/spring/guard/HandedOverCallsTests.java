package io.agenthooks.spring.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.Nesting;
import io.agenthooks.spring.guard.HandedOverCalls.Carried;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link HandedOverCalls}: how an approved call passes several guards.
 */
class HandedOverCallsTests {

	private static final HookedCall CALL = new Call("1");

	private final Object gate = new Object();

	private final Nesting nesting = Nesting.ofThisThread();

	@BeforeEach
	void carryOut() {
		this.nesting.enter();
		this.nesting.carryOut(this.gate, CALL, null);
	}

	@AfterEach
	void carriedOut() {
		this.nesting.carriedOut();
		this.nesting.leave();
		assertThat(deliver("tool")).isNull();
	}

	private @Nullable String deliver(Object presented) {
		return deliver(this.gate, presented);
	}

	private static @Nullable String deliver(Object gate, Object presented) {
		return HandedOverCalls.deliver(gate, String.class,
				(target, call) -> target.equals(presented) && call.equals(CALL), () -> "ran");
	}

	private @Nullable String deliver(Carried carried) {
		Carried taken = carried.take(this.gate, CALL::equals);
		return (taken != null) ? taken.carryOut(() -> "ran") : null;
	}

	private String handOver(Function<Carried, String> work) {
		return HandedOverCalls.handOver(this.gate, (carried) -> work.apply(Objects.requireNonNull(carried)));
	}

	@Test
	void deliverWhenNothingIsToBeReachedDecides() {
		assertThat(deliver("tool")).isNull();
	}

	@Test
	void deliverWhenToolIsPresentedRunsItOnce() {
		HandedOverCalls.mayReach(this.gate, "tool");
		assertThat(deliver("tool")).isEqualTo("ran");
		assertThat(deliver("tool")).isNull();
	}

	@Test
	void deliverWhenAnythingDiffersDecides() {
		HandedOverCalls.mayReach(this.gate, "tool");
		assertThat(deliver("another tool")).isNull();
		assertThat(deliver(new Object(), "tool")).isNull();
		assertThat(HandedOverCalls.deliver(this.gate, String.class, (target, call) -> false, () -> "ran")).isNull();
		assertThat(onAnotherThread(() -> deliver(this.gate, "tool"))).isNull();
		assertThat(deliver("tool")).isEqualTo("ran");
	}

	@Test
	void mayReachWhenAnotherGateSaysSoChangesNothing() {
		HandedOverCalls.mayReach(new Object(), "tool");
		assertThat(deliver("tool")).isNull();
	}

	@Test
	void deliverInsideAnotherCallDecides() {
		HandedOverCalls.mayReach(this.gate, "tool");
		this.nesting.enter();
		assertThat(deliver("tool")).isNull();
		this.nesting.carryOut(this.gate, new Call("2"), null);
		assertThat(deliver("tool")).isNull();
		this.nesting.carriedOut();
		this.nesting.leave();
	}

	@Test
	void callThatIsCarriedIsTakenOnceOnAnyThread() {
		String ran = handOver((carried) -> {
			String first = onAnotherThread(() -> deliver(carried));
			assertThat(deliver(carried)).isNull();
			assertThat(onAnotherThread(() -> deliver(carried))).isNull();
			return String.valueOf(first);
		});
		assertThat(ran).isEqualTo("ran");
	}

	@Test
	void callThatIsCarriedIsNotTakenForAnotherOrByAnotherGate() {
		handOver((carried) -> {
			assertThat(carried.take(new Object(), CALL::equals)).isNull();
			assertThat(carried.take(this.gate, (call) -> false)).isNull();
			assertThat(deliver(carried)).isEqualTo("ran");
			return "";
		});
	}

	@Test
	void callThatWasReachedOnThisThreadIsNotTakenElsewhere() {
		HandedOverCalls.mayReach(this.gate, "tool");
		handOver((carried) -> {
			assertThat(deliver("tool")).isEqualTo("ran");
			assertThat(onAnotherThread(() -> deliver(carried))).isNull();
			return "";
		});
	}

	@Test
	void callThatIsOverIsNotTaken() {
		List<Carried> kept = new ArrayList<>();
		handOver((carried) -> {
			kept.add(carried);
			return "";
		});
		assertThatIllegalStateException().isThrownBy(() -> handOver((carried) -> {
			kept.add(carried);
			throw new IllegalStateException();
		}));
		handOver((carried) -> {
			kept.add(Objects.requireNonNull(carried.take(this.gate, CALL::equals)));
			return "";
		});
		assertThat(kept).hasSize(3).allSatisfy((carried) -> assertThat(deliver(carried)).isNull());
	}

	@Test
	void callsOfOneToolThatGoOnAtOnceAreNotTakenForEachOther() {
		handOver((mine) -> {
			Call other = new Call("2");
			onAnotherThread(() -> {
				Nesting nesting = Nesting.ofThisThread();
				nesting.enter();
				nesting.carryOut(this.gate, other, null);
				String ran = HandedOverCalls.handOver(this.gate, (theirs) -> {
					assertThat(Objects.requireNonNull(theirs).take(this.gate, CALL::equals)).isNull();
					assertThat(theirs.take(this.gate, other::equals)).isNotNull();
					return "ran";
				});
				nesting.carriedOut();
				nesting.leave();
				return ran;
			});
			return String.valueOf(deliver(mine));
		});
	}

	@Test
	void handOverWhenAnotherGateApprovedTheCallHandsNothingOver() {
		HandedOverCalls.handOver(new Object(), (carried) -> {
			assertThat(carried).isNull();
			return "";
		});
	}

	@Test
	void callThatIsTakenMayReachOneMoreGuard() {
		handOver((carried) -> onAnotherThread(() -> {
			Carried taken = Objects.requireNonNull(carried.take(this.gate, CALL::equals));
			return taken.carryOut(() -> {
				HandedOverCalls.mayReach(this.gate, "tool");
				assertThat(deliver(this.gate, "tool")).isEqualTo("ran");
				assertThat(deliver(this.gate, "tool")).isNull();
				assertThat(deliver(taken)).isNull();
				return "";
			});
		}));
		assertThat(deliver("tool")).isNull();
	}

	private static <T extends @Nullable Object> T onAnotherThread(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work).orTimeout(1, TimeUnit.MINUTES).join();
	}

	private record Call(String id) implements HookedCall {

		@Override
		public CallContext context() {
			return CallContext.empty();
		}

	}

}
