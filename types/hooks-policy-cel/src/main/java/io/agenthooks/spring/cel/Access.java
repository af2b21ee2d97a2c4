package io.agenthooks.spring.cel;

import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** Gets values out of what a condition sees. */
final class Access {

	private Access() {
	}

	record Known(Function<Scope, @Nullable Object> source, Failure absent) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.source.apply(scope);
			return (value != null) ? value : this.absent;
		}

	}

	record IsKnown(Function<Scope, @Nullable Object> source) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.source.apply(scope);
			return value != null && !"".equals(value);
		}

	}

	record Local(int slot) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			return scope.locals[this.slot];
		}

	}

	/** The labels are words for messages. */
	record Member(Expression parent, String name, String label, String mapLabel, boolean isTest) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object value = this.parent.value(scope);
			if (!(value instanceof Map<?, ?> map)) {
				return (value instanceof Failure) ? value
						: new Failure("%s is %s, not a map".formatted(this.mapLabel, Values.kind(value)));
			}
			Object member = map.get(this.name);
			if (this.isTest) {
				return member != null;
			}
			return (member != null || map.containsKey(this.name)) ? member : new Failure(this.label + " is absent");
		}

	}

	record Element(Expression container, Expression key, String label) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object container = this.container.value(scope);
			if (container instanceof Failure) {
				return container;
			}
			Object key = this.key.value(scope);
			if (key instanceof Failure) {
				return key;
			}
			if (container instanceof Map<?, ?> map) {
				return member(map, key, scope);
			}
			if (container instanceof Collection<?> collection && key instanceof Number number) {
				BigInteger position = Numbers.whole(number);
				if (position == null || position.signum() < 0
						|| position.compareTo(BigInteger.valueOf(collection.size())) >= 0) {
					return absent();
				}
				return (collection instanceof List<?> list) ? list.get(position.intValue())
						: List.copyOf(collection).get(position.intValue());
			}
			return new Failure("%s has nothing in brackets: %s and %s".formatted(this.label, Values.kind(container),
					Values.kind(key)));
		}

		private @Nullable Object member(Map<?, ?> map, @Nullable Object key, Scope scope) {
			if (key instanceof String) {
				return (map.containsKey(key)) ? map.get(key) : absent();
			}
			for (Map.Entry<?, ?> each : map.entrySet()) {
				scope.spend(1);
				if (Values.equality(each.getKey(), key, scope) == 1) {
					return each.getValue();
				}
			}
			return absent();
		}

		private Failure absent() {
			return new Failure("something in " + this.label + " is absent");
		}

	}

}
