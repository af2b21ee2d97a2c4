package io.agenthooks.spring.cel;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.policy.FilePath;
import io.agenthooks.policy.HostName;
import io.agenthooks.policy.MailAddresses;
import io.agenthooks.policy.MoneyAmount;
import io.agenthooks.policy.ShellWords;
import io.agenthooks.policy.UnreadableValueException;
import io.agenthooks.policy.WebAddress;

/**
 * Of a text that cannot be read, or that its readers read differently, nothing can be
 * said.
 */
final class ThingFunctions {

	private static final Set<String> OF_ONE = Set.of("mails", "url", "words", "money", "isInternal");

	private ThingFunctions() {
	}

	static boolean isOfOne(String function) {
		return OF_ONE.contains(function);
	}

	private static Failure unreadable(String label, String function, String why) {
		return new Failure("%s cannot be read by %s(): %s".formatted(label, function, why));
	}

	record OfOne(String function, Expression part, String label) implements Expression {

		/** Of reading a character. */
		private static final int READING = 40;

		private static final int ONCE = 200;

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.part.value(scope);
			if (value instanceof Failure) {
				return value;
			}
			if (value instanceof String text) {
				scope.spend(ONCE + (long) READING * text.length());
			}
			try {
				return read(value, scope);
			}
			catch (UnreadableValueException ex) {
				return unreadable(this.label, this.function, ex.reason());
			}
		}

		private @Nullable Object read(@Nullable Object value, Scope scope) throws UnreadableValueException {
			return switch (this.function) {
				case "mails" -> MailAddresses.of(value, scope.budget()).stream().map(Thing::of).toList();
				case "url" -> (value instanceof String text) ? Thing.of(WebAddress.of(text), this.label)
						: Functions.unfit(this.function, this.label, value);
				case "words" -> words(value);
				case "money" -> (value instanceof String text) ? MoneyAmount.of(text)
						: (value instanceof Number) ? value : Functions.unfit(this.function, this.label, value);
				default -> isInternal(value);
			};
		}

		/** Or of a list that is one already. */
		private Object words(@Nullable Object value) throws UnreadableValueException {
			if (value instanceof String text) {
				return ShellWords.of(text);
			}
			boolean areTexts = value instanceof Collection<?> list && list.stream().allMatch(String.class::isInstance);
			return (areTexts && value != null) ? value : Functions.unfit(this.function, this.label, value);
		}

		private Object isInternal(@Nullable Object value) throws UnreadableValueException {
			if (value instanceof Thing thing && thing.meaning() instanceof WebAddress url) {
				return url.isInternal();
			}
			return (value instanceof String text) ? HostName.isInternal(text) || HostName.isInternal(HostName.of(text))
					: Functions.unfit(this.function, this.label, value);
		}

	}

	record Under(Expression whole, Expression above, String label) implements Expression {

		private static final int ONCE = 200;

		private static final int READING = 40;

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.whole.value(scope);
			Object other = this.above.value(scope);
			if (value instanceof Failure || other instanceof Failure) {
				return (value instanceof Failure) ? value : other;
			}
			if (!(other instanceof String domain)) {
				return Functions.unfit("under", "what it is compared with", other);
			}
			try {
				if (value instanceof Thing thing && thing.meaning() instanceof FilePath path) {
					return isUnder(path, domain, scope);
				}
				if (!(value instanceof String text)) {
					return Functions.unfit("under", this.label, value);
				}
				scope.spend(ONCE + (long) READING * (text.length() + domain.length()));
				return HostName.isUnder(HostName.of(text), HostName.of(domain));
			}
			catch (UnreadableValueException ex) {
				return unreadable(this.label, "under", ex.reason());
			}
		}

		private Object isUnder(FilePath path, String folder, Scope scope) throws UnreadableValueException {
			scope.spend(ONCE + (long) READING * (path.toString().length() + folder.length()));
			if (path.isRelative() && !FilePath.of(folder, null).isRelative()) {
				return new Failure("%s is relative, and the rule does not say to which folder: path(.., '/folder')"
					.formatted(this.label));
			}
			return path.isUnder(folder);
		}

	}

	record OfPath(Expression part, @Nullable Expression base, @Nullable Expression real,
			String label) implements Expression {

		private static final int ONCE = 2_000;

		private static final int READING = 80;

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.part.value(scope);
			Object base = (this.base != null) ? this.base.value(scope) : null;
			Object real = (this.real != null) ? this.real.value(scope) : false;
			for (Object each : new @Nullable Object[] { value, base, real }) {
				if (each instanceof Failure) {
					return each;
				}
			}
			if (!(value instanceof String text) || (this.base != null && !(base instanceof String))) {
				return Functions.unfit("path", this.label, value);
			}
			scope.spend(ONCE + (long) READING * text.length());
			try {
				FilePath path = FilePath.ofArgument(text, (base != null) ? base.toString() : null);
				return Thing.of((Boolean.TRUE.equals(real)) ? path.real() : path, this.label);
			}
			catch (UnreadableValueException ex) {
				return unreadable(this.label, "path", ex.reason());
			}
		}

	}

	record HasAny(List<String> authorities) implements Expression {

		@Override
		public Object value(Scope scope) {
			return scope.context().authorities().stream().anyMatch(this.authorities::contains);
		}

	}

}
