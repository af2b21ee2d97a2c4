package io.agenthooks.spring.guard;

import java.util.Comparator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link KnownMethods}.
 */
@ExtendWith(OutputCaptureExtension.class)
class KnownMethodsTests {

	private static final KnownMethods ALL = KnownMethods.of(Way.class, "run(String)", "run(String, Object[])",
			"fail()");

	private static final KnownMethods SOME = KnownMethods.of(Way.class, "run(String)", "fail()", "gone(int)");

	private final Way guard = new Way() {

		@Override
		public String run(String text) {
			return "guarded " + text;
		}

		@Override
		public String fail() {
			throw new IllegalStateException("As the guard says");
		}

	};

	@Test
	void guardStaysItselfIfAllMethodsAreKnown(CapturedOutput output) {
		ALL.warn();
		assertThat(ALL.areAll()).isTrue();
		assertThat(ALL.refuseOthers(this.guard)).isSameAs(this.guard);
		assertThat(output).isEmpty();
	}

	@Test
	void otherMethodIsRefusedAndTheKnownOnesAskTheGuard() {
		Way refusing = SOME.refuseOthers(this.guard);
		assertThat(refusing.run("a")).isEqualTo("guarded a");
		assertThatIllegalStateException().isThrownBy(refusing::fail).withMessage("As the guard says");
		assertThatExceptionOfType(UnknownMethodException.class).isThrownBy(() -> refusing.run("a", "b"))
			.withMessageContaining("Way.run(String, Object[])");
		assertThat(KnownMethods.unwrap(refusing)).isSameAs(this.guard);
		assertThat(KnownMethods.unwrap(this.guard)).isSameAs(this.guard);
	}

	@Test
	void otherMethodIsToldAtTheStart(CapturedOutput output) {
		SOME.warn();
		assertThat(output).contains("does not know, and every call of it is refused: Way.run(String, Object[])");
	}

	@Test
	void methodOfAClassThatImplementsTheTypeIsChecked() throws Exception {
		assertThatExceptionOfType(UnknownMethodException.class)
			.isThrownBy(() -> SOME.check(Own.class.getMethod("run", String.class, Object[].class)));
		SOME.check(Own.class.getMethod("run", String.class));
		SOME.check(Comparator.class.getMethod("reversed"));
	}

	interface Way {

		String run(String text);

		String fail();

		default String run(String text, Object... options) {
			return "unguarded";
		}

		static Way none() {
			return new Own();
		}

	}

	static class Own implements Way {

		@Override
		public String run(String text) {
			return text;
		}

		@Override
		public String fail() {
			return "";
		}

		@Override
		public String run(String text, Object... options) {
			return text;
		}

	}

}
