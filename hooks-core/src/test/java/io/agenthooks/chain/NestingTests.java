package io.agenthooks.chain;

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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Nesting}: how an approved call passes several guards.
 */
class NestingTests {

	private static final HookedCall CALL = new Call("1");

	private final Object gate = new Object();

	private final Nesting nesting = Nesting.ofThisThread();

	@BeforeEach
	void carryOut() {
		this.nesting.enter();
		this.nesting.carryOut(this.gate, CALL);
	}

	@AfterEach
	void carriedOut() {
		this.nesting.carriedOut();
		this.nesting.leave();
		assertThat(deliver("tool")).isNull();
	}

	private @Nullable String deliver(Object presented) {
		return deliver(this.nesting, this.gate, presented);
	}

	private static @Nullable String deliver(Nesting nesting, Object gate, Object presented) {
		return nesting.deliver(gate, String.class, (target, call) -> target.equals(presented) && call.equals(CALL),
				() -> "ran");
	}

	private @Nullable String deliver(CarriedCall carried) {
		CarriedCall taken = carried.take(this.gate, CALL::equals);
		return (taken != null) ? taken.carryOut(() -> "ran") : null;
	}

	private String handOver(Function<CarriedCall, String> work) {
		return this.nesting.handOver(this.gate, (carried) -> work.apply(Objects.requireNonNull(carried)));
	}

	@Test
	void depthCountsTheCallsThatAreInsideOfEachOther() {
		assertThat(this.nesting.depth()).isOne();
		this.nesting.enter();
		// It is decided about, and not carried out yet.
		assertThat(this.nesting.depth()).isEqualTo(2);
		this.nesting.carryOut(this.gate, new Call("1"));
		assertThat(this.nesting.depth()).isEqualTo(2);
		this.nesting.carriedOut();
		this.nesting.leave();
		assertThat(this.nesting.depth()).isOne();
	}

	@Test
	void deliverWhenNothingIsToBeReachedDecides() {
		assertThat(deliver("tool")).isNull();
	}

	@Test
	void deliverWhenToolIsPresentedRunsItOnce() {
		this.nesting.mayReach(this.gate, "tool");
		assertThat(deliver("tool")).isEqualTo("ran");
		assertThat(deliver("tool")).isNull();
	}

	@Test
	void deliverWhenAnythingDiffersDecides() {
		this.nesting.mayReach(this.gate, "tool");
		assertThat(deliver("another tool")).isNull();
		assertThat(deliver(this.nesting, new Object(), "tool")).isNull();
		assertThat(this.nesting.deliver(this.gate, String.class, (target, call) -> false, () -> "ran")).isNull();
		assertThat(onAnotherThread(() -> deliver(Nesting.ofThisThread(), this.gate, "tool"))).isNull();
		assertThat(deliver("tool")).isEqualTo("ran");
	}

	@Test
	void isRunningIsOfTheVeryCallUntilItIsHandedOn() {
		assertThat(this.nesting.isRunning(this.gate, CALL)).isTrue();
		assertThat(this.nesting.isRunning(new Object(), CALL)).isFalse();
		assertThat(this.nesting.isRunning(this.gate, new Call("1"))).isFalse();
		assertThat(this.nesting.deliver(this.gate, new Call("1"), () -> "ran")).isNull();
		String ran = this.nesting.deliver(this.gate, CALL, () -> {
			// To one more guard.
			assertThat(this.nesting.deliver(this.gate, CALL, () -> "inner")).isEqualTo("inner");
			assertThat(this.nesting.isRunning(this.gate, CALL)).isFalse();
			return "ran";
		});
		assertThat(ran).isEqualTo("ran");
		assertThat(this.nesting.isRunning(this.gate, CALL)).isFalse();
		assertThat(this.nesting.deliver(this.gate, CALL, () -> "ran")).isNull();
	}

	@Test
	void mayReachWhenAnotherGateSaysSoChangesNothing() {
		this.nesting.mayReach(new Object(), "tool");
		assertThat(deliver("tool")).isNull();
	}

	@Test
	void deliverInsideAnotherCallDecides() {
		this.nesting.mayReach(this.gate, "tool");
		this.nesting.enter();
		assertThat(deliver("tool")).isNull();
		this.nesting.carryOut(this.gate, new Call("2"));
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
		this.nesting.mayReach(this.gate, "tool");
		handOver((carried) -> {
			assertThat(deliver("tool")).isEqualTo("ran");
			assertThat(onAnotherThread(() -> deliver(carried))).isNull();
			return "";
		});
	}

	@Test
	void callThatIsOverIsNotTaken() {
		List<CarriedCall> kept = new ArrayList<>();
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
				nesting.carryOut(this.gate, other);
				String ran = nesting.handOver(this.gate, (theirs) -> {
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
		this.nesting.handOver(new Object(), (carried) -> {
			assertThat(carried).isNull();
			return "";
		});
	}

	@Test
	void callThatIsTakenMayReachOneMoreGuard() {
		handOver((carried) -> onAnotherThread(() -> {
			CarriedCall taken = Objects.requireNonNull(carried.take(this.gate, CALL::equals));
			return taken.carryOut(() -> {
				Nesting nesting = Nesting.ofThisThread();
				nesting.mayReach(this.gate, "tool");
				assertThat(deliver(nesting, this.gate, "tool")).isEqualTo("ran");
				assertThat(deliver(nesting, this.gate, "tool")).isNull();
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
