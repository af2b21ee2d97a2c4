package io.agenthooks.chain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortScope;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.HookDecision;
import io.agenthooks.chain.KindOfCalls.Behavior;
import io.agenthooks.chain.KindOfCalls.Log;
import io.agenthooks.chain.KindOfCalls.Subject;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What holds for calls of every kind.
 */
class EveryKindTests {

	private static final Behavior DENYING = Behavior.of("denying", (kind) -> kind.deny("no"));

	private static final Behavior APPROVING = Behavior.of("approving", KindOfCalls::approve);

	private static final Behavior NOTHING = Behavior.of("mute", (kind) -> null);

	private final Log log = new Log();

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.agenthooks");

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void captureLog() {
		this.logger.setLevel(Level.INFO);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void releaseLog() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
		Thread.interrupted();
	}

	private Subject chain(KindOfCalls kind, Behavior... hooks) {
		return kind.chain(this.log, List.of(hooks));
	}

	private static Stream<Arguments> ofEveryKind(Stream<Supplier<Throwable>> failures) {
		List<Supplier<Throwable>> all = failures.toList();
		return Stream.of(KindOfCalls.values())
			.flatMap((kind) -> all.stream().map((failure) -> Arguments.of(kind, failure.get())));
	}

	static Stream<Arguments> failuresOfTheHook() {
		return ofEveryKind(Stream.of(() -> new IllegalStateException("secret"), () -> new IOException("secret"),
				() -> new TimeoutException("secret")));
	}

	static Stream<Arguments> whatIsNoFailureOfTheHook() {
		return ofEveryKind(Stream.of(() -> new CancellationException("secret"), () -> new StackOverflowError("secret"),
				() -> new NoClassDefFoundError("secret"), () -> new AssertionError("secret"),
				() -> new InterruptedException("secret"),
				() -> new IllegalStateException("secret", new InterruptedException()), () -> new Throwable("secret"),
				() -> new Aborted(), () -> new UncheckedIOException(new IOException(new InterruptedException())),
				() -> new CompletionException(new IllegalStateException(new CancellationException("secret"))),
				() -> new IllegalStateException(new CompletionException(new Aborted())),
				() -> new IllegalStateException(new NoClassDefFoundError("secret")), EveryKindTests::endless));
	}

	/**
	 * An exception that is the cause of its cause.
	 */
	private static Throwable endless() {
		IllegalStateException failure = new IllegalStateException("secret");
		return failure.initCause(new IllegalStateException(failure));
	}

	static Stream<Arguments> allFailures() {
		return Stream.concat(failuresOfTheHook(), whatIsNoFailureOfTheHook());
	}

	@ParameterizedTest
	@MethodSource("allFailures")
	void hookThatThrowsDenies(KindOfCalls kind, Throwable failure) {
		assertThat(chain(kind, Behavior.throwing("broken", failure), APPROVING).execute()).contains("The hook failed")
			.doesNotContain("secret");
		assertThat(this.log.made).isEmpty();
		assertThat(this.log.end().status()).isEqualTo("denied");
		assertThat(this.log.end().decidedBy()).isEqualTo("broken");
		assertThat(this.log.eventNames()).startsWith("Started", "HookFailed").hasSize(3);
		assertThat(this.lines.list).anySatisfy((line) -> assertThat(line.getFormattedMessage())
			.contains("The hook 'broken' failed with " + failure.getClass().getName(), "the call is denied")
			.doesNotContain("secret"));
	}

	@ParameterizedTest
	@EnumSource
	void hookThatDecidesNothingDenies(KindOfCalls kind) {
		assertThat(chain(kind, NOTHING, APPROVING).execute()).contains("The hook decided nothing");
		assertThat(this.log.eventNames()).startsWith("Started", "HookFailed").hasSize(3);
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.contains("The hook 'mute' decided nothing; that counts as a denial");
	}

	@ParameterizedTest
	@MethodSource("failuresOfTheHook")
	void hookThatMayFailLetsTheCallPassAndThatIsMarkedLoggedAndTold(KindOfCalls kind, Throwable failure) {
		assertThat(chain(kind, Behavior.throwing("broken", failure).failingOpen(), APPROVING).execute()).isNull();
		assertThat(this.log.made).hasSize(1);
		assertThat(this.log.end().failedOpen()).containsExactly("broken");
		assertThat(this.log.end().wouldDeny()).isEmpty();
		assertThat(this.log.end().decidedBy()).isNull();
		assertThat(this.log.eventNames()).startsWith("Started", "FailedOpen").hasSize(3);
		assertThat(this.lines.list).anySatisfy((line) -> assertThat(line.getFormattedMessage())
			.contains("The hook 'broken' failed open on the ", failure.getClass().getName())
			.doesNotContain("secret"));
	}

	@ParameterizedTest
	@EnumSource
	void hookThatMayFailAndDecidesNothingLetsTheCallPass(KindOfCalls kind) {
		assertThat(chain(kind, NOTHING.failingOpen()).execute()).isNull();
		assertThat(this.log.end().failedOpen()).containsExactly("mute");
	}

	@ParameterizedTest
	@MethodSource("whatIsNoFailureOfTheHook")
	void hookThatMayFailDeniesIfMoreThanTheHookFailed(KindOfCalls kind, Throwable failure) {
		assertThat(chain(kind, Behavior.throwing("broken", failure).failingOpen()).execute()).isNotNull();
		assertThat(this.log.made).isEmpty();
		assertThat(this.log.end().failedOpen()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void hookThatMayFailDeniesOnAThreadThatIsToStop(KindOfCalls kind) {
		assertThat(chain(kind, Behavior.of("broken", (asked) -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException();
		}).failingOpen()).execute()).isNotNull();
		assertThat(Thread.interrupted()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("allFailures")
	void observedHookThatThrowsWouldDeny(KindOfCalls kind, Throwable failure) {
		assertThat(chain(kind, Behavior.throwing("watched", failure).observing()).execute()).isNull();
		assertThat(this.log.made).hasSize(1);
		assertThat(this.log.end().wouldDeny()).containsExactly("watched");
		assertThat(this.log.end().failedOpen()).isEmpty();
		assertThat(this.log.eventNames()).startsWith("Started").hasSize(2);
		assertThat(this.lines.list).anySatisfy((line) -> assertThat(line.getFormattedMessage())
			.contains("The observed hook 'watched' failed", "enforced, it would deny")
			.doesNotContain("secret"));
	}

	@ParameterizedTest
	@EnumSource
	void observedHookThatDecidesNothingWouldDeny(KindOfCalls kind) {
		assertThat(chain(kind, NOTHING.observing()).execute()).isNull();
		assertThat(this.log.end().wouldDeny()).containsExactly("mute");
	}

	@ParameterizedTest
	@EnumSource
	void observedHookLetsTheCallPassAndSaysWhatItWouldDo(KindOfCalls kind) {
		Behavior aborting = Behavior.of("aborting", (asked) -> asked.abortRun("stop"));
		Subject chain = chain(kind, DENYING.observing(), aborting.observing(), APPROVING.observing());
		assertThat(chain.execute()).isNull();
		assertThat(this.log.end().wouldDeny()).containsExactly("denying", "aborting");
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.anyMatch((line) -> line.startsWith("The observed hook 'denying' would deny the "))
			.anyMatch((line) -> line.startsWith("The observed hook 'aborting' would abort the "));
		assertThat(chain.execute()).as("the next call of the run").isNull();
	}

	@ParameterizedTest
	@MethodSource("failuresOfTheHook")
	void observedHookThatMayFailWouldLetTheCallPass(KindOfCalls kind, Throwable failure) {
		assertThat(chain(kind, Behavior.throwing("watched", failure).failingOpen().observing()).execute()).isNull();
		assertThat(this.log.end().failedOpen()).containsExactly("watched");
		assertThat(this.log.end().wouldDeny()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("whatIsNoFailureOfTheHook")
	void observedHookThatMayFailWouldDenyIfMoreThanTheHookFailed(KindOfCalls kind, Throwable failure) {
		assertThat(chain(kind, Behavior.throwing("watched", failure).failingOpen().observing()).execute()).isNull();
		assertThat(this.log.end().wouldDeny()).containsExactly("watched");
	}

	static Stream<Arguments> modes() {
		return Stream.of(KindOfCalls.values())
			.flatMap((kind) -> Stream
				.<UnaryOperator<Behavior>>of((hook) -> hook, Behavior::failingOpen, Behavior::observing,
						(hook) -> hook.failingOpen().observing())
				.map((mode) -> Arguments.of(kind, mode)));
	}

	@ParameterizedTest
	@MethodSource("modes")
	void failureOfTheVirtualMachineIsTheCallersWhateverTheMode(KindOfCalls kind, UnaryOperator<Behavior> mode) {
		OutOfMemoryError error = new OutOfMemoryError("simulated");
		Subject chain = chain(kind, mode.apply(Behavior.throwing("broken", error)));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(chain::execute).isSameAs(error);
		assertThat(this.log.made).isEmpty();
		assertThat(this.log.end().status()).isEqualTo("denied");
		assertThat(this.log.end().failure()).isSameAs(error);
		assertThat(this.log.eventNames()).startsWith("Started", "HookFailed").hasSize(3);
	}

	@ParameterizedTest
	@MethodSource("modes")
	void hookOfWhichNobodyCanTellWhetherItIsForTheCallDeniesUnlessItOnlyObserves(KindOfCalls kind,
			UnaryOperator<Behavior> mode) {
		Behavior hook = mode.apply(APPROVING);
		boolean observes = hook.entry((PreToolHook) (call) -> ToolDecision.approve()).observe();
		@Nullable String reason = chain(kind, hook.with((entry) -> entry.forContexts((context) -> {
			throw new IllegalStateException("secret");
		}))).execute();
		if (observes) {
			assertThat(reason).isNull();
			assertThat(this.log.end().wouldDeny()).containsExactly(hook.name());
		}
		else {
			assertThat(reason).contains("The hook failed");
			assertThat(this.log.made).isEmpty();
		}
		assertThat(this.log.end().failedOpen()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("modes")
	void hookThatCannotBeAskedDeniesUnlessItOnlyObserves(KindOfCalls kind, UnaryOperator<Behavior> mode) {
		Behavior hook = mode.apply(APPROVING).with((entry) -> entry.askedBy(new HookAround() {

			@Override
			public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> asked) {
				throw new NotAskedException("The application is shutting down");
			}

		}));
		@Nullable String reason = chain(kind, hook).execute();
		if (this.log.end().wouldDeny().isEmpty()) {
			assertThat(reason).contains("The application is shutting down");
			assertThat(this.log.made).isEmpty();
		}
		assertThat(this.log.end().failedOpen()).isEmpty();
		assertThat(this.log.eventNames()).doesNotContain("HookFailed");
	}

	@ParameterizedTest
	@EnumSource
	void hookIsAskedAboutCallsOfItsContextsOnly(KindOfCalls kind) {
		assertThat(chain(kind, DENYING.with((entry) -> entry.forContexts((context) -> false))).execute()).isNull();
		assertThat(chain(kind, DENYING.with((entry) -> entry.forContexts((context) -> true))).execute()).contains("no");
	}

	@ParameterizedTest
	@EnumSource
	void whatStandsAroundAHookIsAskedInItsPlaceAndNotForOtherCalls(KindOfCalls kind) {
		List<String> asked = new ArrayList<>();
		HookAround around = new HookAround() {

			@Override
			public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
				asked.add("before");
				D decision = hook.get();
				asked.add("after " + ((decision != null) ? decision.verdict().value() : null));
				return decision;
			}

		};
		Behavior hook = DENYING.with((entry) -> entry.askedBy(around));
		assertThat(chain(kind, hook).execute()).contains("no");
		assertThat(asked).containsExactly("before", "after deny");
		assertThat(chain(kind, hook.with((entry) -> entry.forContexts((context) -> false))).execute()).isNull();
		assertThat(asked).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void firstHookThatObjectsSettlesTheCall(KindOfCalls kind) {
		assertThat(chain(kind, APPROVING, DENYING, Behavior.throwing("never", new AssertionError("asked"))).execute())
			.contains("no");
		assertThat(this.log.end().decidedBy()).isEqualTo("denying");
		assertThat(this.log.outcomes).hasSize(1);
		assertThat(this.log.eventNames()).startsWith("Started").hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void runThatIsAbortedIsOverForEveryKind(KindOfCalls kind) {
		Behavior aborting = Behavior.of("aborting", (asked) -> asked.abortRun("enough"));
		assertThat(chain(kind, aborting).execute()).contains("enough");
		assertThat(this.log.end().status()).isEqualTo("aborted");
		for (KindOfCalls other : KindOfCalls.values()) {
			assertThat(chain(other, Behavior.throwing("never", new AssertionError("asked"))).execute())
				.contains("enough");
		}
		assertThat(this.log.made).isEmpty();
		assertThat(this.log.outcomes).hasSize(4);
	}

	@ParameterizedTest
	@EnumSource
	void hookThatMakesTheCallItIsAskedAboutEnds(KindOfCalls kind) {
		List<Subject> self = new ArrayList<>();
		List<String> asked = new ArrayList<>();
		self.add(chain(kind, Behavior.of("recursive", (of) -> {
			asked.add("asked");
			String reason = self.get(0).execute();
			return (reason != null) ? of.deny(reason) : of.approve();
		})));
		assertThat(self.get(0).execute()).contains("nested too deep");
		assertThat(asked).hasSize(Nesting.MAX_DEPTH);
		assertThat(this.log.made).isEmpty();
		assertThat(this.log.outcomes).hasSize(Nesting.MAX_DEPTH + 1);
		assertThat(Nesting.ofThisThread().isTooDeep()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void probeIsDeniedAndNobodySeesIt(KindOfCalls kind) {
		Subject chain = chain(kind, Behavior.throwing("never", new AssertionError("asked")));
		assertThat(Probe.isDenied(chain.gate(), () -> {
			assertThat(chain.execute()).contains("it only proves the gate");
			return null;
		})).isTrue();
		assertThat(this.log.made).isEmpty();
		assertThat(this.log.outcomes).isEmpty();
		assertThat(this.log.events).isEmpty();
		assertThat(this.lines.list).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void probeOfAnotherGateIsNoneOfThisOne(KindOfCalls kind) {
		Subject chain = chain(kind, APPROVING);
		assertThat(Probe.isDenied(new Object(), () -> {
			assertThat(chain.execute()).isNotNull();
			return null;
		})).isFalse();
		assertThat(this.log.made).isEmpty();
	}

	private static final class Aborted extends AgentAbortedException {

		private static final long serialVersionUID = 1L;

		Aborted() {
			super("secret", "inner", "stop", AbortScope.TURN);
		}

	}

}
