package io.agenthooks.spring.cel;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * A part of a condition, ready to be asked for its value. Values are those of arguments:
 * {@code null}, texts, booleans, numbers, collections and maps, besides times and
 * durations. What goes wrong is a value as well, a {@link Failure}.
 */
interface Expression {

	@Nullable Object value(Scope scope);

	/** Whether the value is the same for every call. */
	default boolean isConstant() {
		return false;
	}

	/** A value that is written in the condition. */
	final class Constant implements Expression {

		private final @Nullable Object value;

		/** The value in the plain spelling of texts. */
		private final @Nullable Object plain;

		Constant(@Nullable Object value) {
			this.value = value;
			this.plain = (value != null) ? PlainTexts.plain(value, Budget::new) : null;
		}

		@Override
		public @Nullable Object value(Scope scope) {
			return (scope.isPlain()) ? this.plain : this.value;
		}

		@Override
		public boolean isConstant() {
			return true;
		}

	}

}
