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
import io.agenthooks.Verdict;

/**
 * What the assertions about all kinds of calls have in common. A message says what became
 * of the call, by which hook and why; it shows what is secret only where the assertion is
 * about it.
 *
 * @param <S> the assertions
 * @param <A> the call and what became of it
 * @since 0.1.0
 */
public abstract sealed class HookedAssert<S extends HookedAssert<S, A>, A> extends AbstractAssert<S, A>
		permits TestedToolCallAssert, TestedLlmCallAssert, TestedRunAssert {

	HookedAssert(A actual, Class<S> selfType) {
		super(actual, selfType);
	}

	/**
	 * What this is about, as messages call it.
	 */
	abstract String noun();

	abstract Verdict verdict();

	/**
	 * Why the call was denied or aborted.
	 */
	abstract @Nullable String reason();

	/**
	 * How much was aborted.
	 */
	abstract @Nullable AbortScope scope();

	abstract @Nullable String decidedBy();

	abstract List<String> failedOpen();

	abstract List<String> wouldDeny();

	abstract @Nullable Exception failure();

	abstract List<?> events();

	/**
	 * The names of the hooks that failed, each with why.
	 */
	abstract List<String> failedHooks();

	/**
	 * The names of the hooks that replaced what came back.
	 */
	abstract List<String> replacedBy();

	/**
	 * What happened, from the start to {@code "and succeeded"}.
	 */
	abstract String whatHappened(String hook);

	/**
	 * Verify which hook denied, answered or aborted, or was the last to modify.
	 * @param hook the name of the hook
	 * @return this
	 */
	public S byHook(String hook) {
		return check(hook.equals(decidedBy()), "to be decided by the hook '" + hook + "'");
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
	 * Go on with the exception that reached the caller: that of what stands behind the
	 * hooks, or of an abort.
	 * @return assertions about the exception
	 */
	public AbstractThrowableAssert<?, ? extends Throwable> exception() {
		Exception failure = failure();
		check(failure != null, "to throw");
		return Assertions.assertThat(failure);
	}

	/**
	 * Verify that a hook failed, and was passed nevertheless.
	 * @param hook the name of the hook
	 * @return this
	 */
	public S hasFailedOpen(String hook) {
		return check(failedOpen().contains(hook), "to pass the hook '" + hook + "' because it failed open");
	}

	/**
	 * Verify that a hook that only observes would have denied or aborted.
	 * @param hook the name of the hook
	 * @return this
	 */
	public S wouldBeDeniedBy(String hook) {
		return check(wouldDeny().contains(hook), "to pass the hook '" + hook + "' only because it observes");
	}

	final S checkAborted(AbortScope scope) {
		return check(scope() == scope, "to abort the " + word(scope));
	}

	final S checkEvents(List<? extends Class<?>> expected) {
		return check(events().stream().map(Object::getClass).toList().equals(expected),
				"to have the events\n  " + names(expected.stream()));
	}

	final S check(boolean holds, String expectation) {
		if (!holds) {
			throw failure("%s", expecting(expectation + "\nbut "));
		}
		return this.myself;
	}

	final String expecting(String expectation) {
		String hook = "the hook '" + decidedBy() + "'";
		return "\nExpecting " + noun() + ' ' + expectation + whatHappened(hook) + details();
	}

	/**
	 * Which hook aborted how much, and why.
	 */
	final String aborted(String hook) {
		AbortScope scope = scope();
		return (scope != null) ? "%s aborted the %s: \"%s\"".formatted(hook, word(scope), reason())
				: "an exception aborted it";
	}

	private static String word(AbortScope scope) {
		return scope.name().toLowerCase(Locale.ROOT);
	}

	private String details() {
		Exception failure = failure();
		return detail("hooks that replaced the result", replacedBy()) + detail("hooks that failed open", failedOpen())
				+ detail("hooks that would deny", wouldDeny()) + detail("hooks that failed", failedHooks())
				+ detail("exception", (failure != null) ? List.of(failure.getClass().getName()) : List.of())
				+ "\n  events: " + names(events().stream().map(Object::getClass));
	}

	private static String detail(String title, List<String> names) {
		return (names.isEmpty()) ? "" : "\n  " + title + ": " + String.join(", ", names);
	}

	private static String names(Stream<? extends Class<?>> types) {
		String names = types.map(Class::getSimpleName).collect(Collectors.joining(", "));
		return (names.isEmpty()) ? "none" : names;
	}

	/**
	 * What is asserted about, which must not be null.
	 */
	final A tested() {
		isNotNull();
		return Objects.requireNonNull(this.actual);
	}

}
