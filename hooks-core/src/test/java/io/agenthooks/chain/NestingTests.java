package io.agenthooks.chain;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
		return Nesting.deliver(this.gate, presented, CALL::equals, () -> "ran");
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
		assertThat(Nesting.deliver(new Object(), "tool", CALL::equals, () -> "ran")).isNull();
		assertThat(Nesting.deliver(this.gate, "tool", (call) -> false, () -> "ran")).isNull();
		assertThat(onAnotherThread(() -> deliver("tool"))).isNull();
		assertThat(deliver("tool")).isEqualTo("ran");
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
	void deliverWhenHandedOverRunsItOnceOnAnyThread() {
		String ran = this.nesting.handOver(this.gate, "carrier"::equals, () -> {
			assertThat(onAnotherThread(() -> deliver("another carrier"))).isNull();
			String first = onAnotherThread(() -> deliver("carrier"));
			assertThat(deliver("carrier")).isNull();
			assertThat(onAnotherThread(() -> deliver("carrier"))).isNull();
			return first;
		});
		assertThat(ran).isEqualTo("ran");
	}

	@Test
	void deliverWhenReachedOnThisThreadIsNotDeliveredElsewhere() {
		this.nesting.mayReach(this.gate, "tool");
		this.nesting.handOver(this.gate, "carrier"::equals, () -> {
			assertThat(deliver("tool")).isEqualTo("ran");
			assertThat(onAnotherThread(() -> deliver("carrier"))).isNull();
			return "";
		});
	}

	@Test
	void deliverWhenWorkIsDoneDecides() {
		this.nesting.handOver(this.gate, "carrier"::equals, () -> "");
		assertThat(deliver("carrier")).isNull();
		assertThatIllegalStateException().isThrownBy(() -> this.nesting.handOver(this.gate, "carrier"::equals, () -> {
			throw new IllegalStateException();
		}));
		assertThat(deliver("carrier")).isNull();
	}

	@Test
	void handOverWhenAnotherGateApprovedTheCallHandsNothingOver() {
		Object another = new Object();
		this.nesting.handOver(another, "carrier"::equals, () -> {
			assertThat(deliver("carrier")).isNull();
			assertThat(Nesting.deliver(another, "carrier", CALL::equals, () -> "ran")).isNull();
			return "";
		});
	}

	@Test
	void deliverWhenHandedOverMayReachOneMoreGuard() {
		this.nesting.handOver(this.gate, "carrier"::equals,
				() -> onAnotherThread(() -> Nesting.deliver(this.gate, "carrier", CALL::equals, () -> {
					assertThat(deliver("tool")).isNull();
					Nesting.ofThisThread().mayReach(this.gate, "tool");
					assertThat(deliver("tool")).isEqualTo("ran");
					assertThat(deliver("tool")).isNull();
					return "";
				})));
		assertThat(deliver("tool")).isNull();
	}

	@Test
	void isHandedOverDoesNotDeliver() {
		this.nesting.handOver(this.gate, "carrier"::equals, () -> {
			assertThat(Nesting.isHandedOver(this.gate, "carrier", CALL::equals)).isTrue();
			assertThat(Nesting.isHandedOver(this.gate, "another", CALL::equals)).isFalse();
			assertThat(Nesting.isHandedOver(new Object(), "carrier", CALL::equals)).isFalse();
			assertThat(Nesting.isHandedOver(this.gate, "carrier", (call) -> false)).isFalse();
			assertThat(deliver("carrier")).isEqualTo("ran");
			return "";
		});
		assertThat(Nesting.isHandedOver(this.gate, "carrier", CALL::equals)).isFalse();
	}

	private static <T> @Nullable T onAnotherThread(Supplier<@Nullable T> work) {
		return CompletableFuture.supplyAsync(work).orTimeout(1, TimeUnit.MINUTES).join();
	}

	private record Call(String id) implements HookedCall {

		@Override
		public CallContext context() {
			return CallContext.empty();
		}

	}

}
