package io.agenthooks.spring.cel;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Values are those of arguments, times and durations. What goes wrong is a value as well,
 * a {@link Failure}.
 */
interface Expression {

	@Nullable Object value(Scope scope);

	default boolean isConstant() {
		return false;
	}

	final class Constant implements Expression {

		private final @Nullable Object value;

		/** In the plain spelling of texts. */
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
