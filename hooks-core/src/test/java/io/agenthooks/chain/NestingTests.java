package io.agenthooks.chain;

import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;

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
		this.nesting.carryOut(this.gate, CALL, "outer");
	}

	@AfterEach
	void carriedOut() {
		this.nesting.carriedOut();
		this.nesting.leave();
		assertThat(this.nesting.execution(this.gate)).isNull();
	}

	@Test
	void depthCountsTheCallsThatAreInsideOfEachOther() {
		assertThat(this.nesting.depth()).isOne();
		this.nesting.enter();
		// It is decided about, and not carried out yet.
		assertThat(this.nesting.depth()).isEqualTo(2);
		this.nesting.carryOut(this.gate, new Call("1"), null);
		assertThat(this.nesting.depth()).isEqualTo(2);
		this.nesting.carriedOut();
		this.nesting.leave();
		assertThat(this.nesting.depth()).isOne();
	}

	@Test
	void deliversTheVeryCallOnceToEachGuard() {
		assertThat(this.nesting.deliver(new Object(), CALL, "tool", () -> "ran")).isNull();
		assertThat(this.nesting.deliver(this.gate, new Call("1"), "tool", () -> "ran")).isNull();
		assertThat(this.nesting.deliver(this.gate, CALL, "outer", () -> "again")).isNull();
		String ran = this.nesting.deliver(this.gate, CALL, "tool", () -> {
			assertThat(this.nesting.deliver(this.gate, CALL, "tool", () -> "again")).isNull();
			assertThat(this.nesting.deliver(this.gate, CALL, "outer", () -> "again")).isNull();
			// To one more guard.
			assertThat(this.nesting.deliver(this.gate, CALL, "inner", () -> "inner")).isEqualTo("inner");
			assertThat(this.nesting.deliver(this.gate, CALL, "inner", () -> "inner")).isNull();
			return "ran";
		});
		assertThat(ran).isEqualTo("ran");
		assertThat(this.nesting.deliver(this.gate, CALL, "tool", () -> "ran")).isNull();
	}

	@Test
	void executionIsThatOfTheCallWhichIsCarriedOut() {
		Execution execution = Objects.requireNonNull(this.nesting.execution(this.gate));
		assertThat(execution.call()).isSameAs(CALL);
		assertThat(this.nesting.execution(this.gate)).isSameAs(execution);
		assertThat(this.nesting.execution(new Object())).isNull();
		assertThat(execution).hasToString("Execution");
		this.nesting.enter();
		assertThat(this.nesting.execution(this.gate)).isNull();
		this.nesting.carryOut(this.gate, new Call("1"), null);
		assertThat(this.nesting.execution(this.gate)).isNotSameAs(execution);
		this.nesting.carriedOut();
		this.nesting.leave();
		assertThat(this.nesting.execution(this.gate)).isSameAs(execution);
	}

	@Test
	void executionThatIsTakenIsNotDeliveredButMayBeHandedOnOnceMore() {
		Execution execution = Objects.requireNonNull(this.nesting.execution(this.gate));
		assertThat(execution.take()).isTrue();
		assertThat(execution.take()).isFalse();
		assertThat(this.nesting.deliver(this.gate, CALL, "tool", () -> "ran")).isNull();
		String ran = execution.next().carryOut(() -> this.nesting.deliver(this.gate, CALL, "tool", () -> "ran"));
		assertThat(ran).isEqualTo("ran");
		assertThat(this.nesting.deliver(this.gate, CALL, "tool", () -> "ran")).isNull();
	}

	private record Call(String id) implements HookedCall {

		@Override
		public CallContext context() {
			return CallContext.empty();
		}

	}

}
