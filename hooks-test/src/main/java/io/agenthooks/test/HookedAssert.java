package io.agenthooks.test;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.HookOutcome;
import io.agenthooks.Verdict;

/**
 * The common assertions about all kinds of calls. A message says what became of the call,
 * by which hook and why; it shows what is secret only where the assertion is about it.
 *
 * @param <S> the assertions
 * @param <A> the call and what became of it
 * @param <E> what happens to calls
 * @since 0.1.0
 */
public abstract sealed class HookedAssert<S extends HookedAssert<S, A, E>, A extends Tested<? extends HookOutcome, E>, E>
		extends AbstractAssert<S, A> permits CallAssert, TestedRunAssert {

	private final String failing;

	HookedAssert(A actual, Class<S> selfType, String failing) {
		super(actual, selfType);
		this.failing = failing;
	}

	/** The subject in messages. */
	abstract String noun();

	/**
	 * The failure in the event of a hook that failed, or {@code null} for other events.
	 */
	abstract @Nullable String failedHook(E event);

	/** The events, from the start to {@code "and succeeded"}. */
	abstract String whatHappened(String hook);

	/**
	 * Verify that no hook objected or changed anything, so that the call reached the
	 * tool, model or agent. It may have failed, and its result may have been replaced.
	 * @return this
	 */
	public S isApproved() {
		return check(verdict() == Verdict.APPROVE, "to be approved");
	}

	/**
	 * Verify that a hook denied.
	 * @return this
	 */
	public S isDenied() {
		return check(hasStatus("DENIED"), "to be denied");
	}

	/**
	 * Verify that the call reached the tool, model or agent, which succeeded.
	 * @return this
	 */
	public S hasSucceeded() {
		return check(hasStatus("SUCCEEDED"), "to succeed");
	}

	/**
	 * Verify that the call reached the tool, model or agent, which failed.
	 * @return this
	 */
	public S hasFailed() {
		return check(hasStatus("FAILED"), this.failing);
	}

	/**
	 * Verify what happened.
	 * @param events the types of all events, in order
	 * @return this
	 */
	@SafeVarargs
	@SuppressWarnings("varargs") // a list of classes only
	public final S hasEvents(Class<? extends E>... events) {
		List<Class<? extends E>> expected = List.of(events);
		return check(tested().events().stream().map(Object::getClass).toList().equals(expected),
				"to have the events\n  " + names(expected.stream()));
	}

	/**
	 * Verify which hook denied, answered or aborted, or was the last to modify.
	 * @param hook the name of the hook
	 * @return this
	 */
	public S byHook(String hook) {
		return check(hook.equals(outcome().decidedBy()), "to be decided by the hook '" + hook + "'");
	}

	/**
	 * Verify why the hooks denied or aborted.
	 * @param reason the whole reason
	 * @return this
	 */
	public S withReason(String reason) {
		return check(reason.equals(reason()), "to have the reason\n  \"" + reason + '"');
	}

	/**
	 * Verify why the hooks denied or aborted.
	 * @param text part of the reason
	 * @return this
	 */
	public S withReasonContaining(String text) {
		String reason = reason();
		return check(reason != null && reason.contains(text), "to have a reason containing\n  \"" + text + '"');
	}

	/**
	 * Continue with the exception that reached the caller: that of the tool, model or
	 * agent, or of an abort.
	 * @return assertions about the exception
	 */
	public AbstractThrowableAssert<?, ? extends Throwable> exception() {
		Exception failure = tested().failure();
		check(failure != null, "to throw");
		return Assertions.assertThat(failure);
	}

	/**
	 * Verify that a hook failed open.
	 * @param hook the name of the hook
	 * @return this
	 */
	public S hasFailedOpen(String hook) {
		return check(outcome().failedOpen().contains(hook), "to pass the hook '" + hook + "' because it failed open");
	}

	/**
	 * Verify that a hook that only observes would have denied or aborted.
	 * @param hook the name of the hook
	 * @return this
	 */
	public S wouldBeDeniedBy(String hook) {
		return check(outcome().wouldDeny().contains(hook), "to pass the hook '" + hook + "' only because it observes");
	}

	final S checkEffective(String what, @Nullable Object actual, @Nullable Object expected) {
		if (!Objects.equals(actual, expected)) {
			throw failureWithActualExpected(actual, expected, "%s",
					expecting("to have " + what + "\n  " + expected + "\nbut it has\n  " + actual + "\nand "));
		}
		return this.myself;
	}

	final S check(boolean holds, String expectation) {
		if (!holds) {
			throw failure("%s", expecting(expectation + "\nbut "));
		}
		return this.myself;
	}

	final String expecting(String expectation) {
		String hook = "the hook '" + outcome().decidedBy() + "'";
		return "\nExpecting " + noun() + ' ' + expectation + whatHappened(hook) + details();
	}

	/** The hook that aborted, how much, and why. */
	final String aborted(String hook) {
		AbortScope scope = outcome().decision().scope();
		return (scope != null) ? "%s aborted the %s: \"%s\"".formatted(hook, word(scope), reason())
				: "an exception aborted it";
	}

	static String word(AbortScope scope) {
		return scope.name().toLowerCase(Locale.ROOT);
	}

	private String details() {
		HookOutcome outcome = outcome();
		Exception failure = tested().failure();
		return detail("hooks that replaced the result", outcome.replacedBy())
				+ detail("hooks that failed open", outcome.failedOpen())
				+ detail("hooks that would deny", outcome.wouldDeny())
				+ detail("hooks that failed",
						tested().events().stream().map(this::failedHook).filter(Objects::nonNull).toList())
				+ detail("exception", (failure != null) ? List.of(failure.getClass().getName()) : List.of())
				+ "\n  events: " + names(tested().events().stream().map(Object::getClass));
	}

	private static String detail(String title, List<String> names) {
		return (names.isEmpty()) ? "" : "\n  " + title + ": " + String.join(", ", names);
	}

	private static String names(Stream<? extends Class<?>> types) {
		String names = types.map(Class::getSimpleName).collect(Collectors.joining(", "));
		return (names.isEmpty()) ? "none" : names;
	}

	final boolean hasStatus(String status) {
		return outcome().status().name().equals(status);
	}

	final Verdict verdict() {
		return outcome().decision().verdict();
	}

	final @Nullable String reason() {
		return outcome().decision().reason();
	}

	private HookOutcome outcome() {
		return tested().outcome();
	}

	/** The subject, which must not be null. */
	final A tested() {
		isNotNull();
		return Objects.requireNonNull(this.actual);
	}

}
