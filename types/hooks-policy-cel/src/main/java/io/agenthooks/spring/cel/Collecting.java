package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

final class Collecting {

	private Collecting() {
	}

	record Elements(List<Expression> elements) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			List<@Nullable Object> list = new ArrayList<>(this.elements.size());
			for (Expression element : this.elements) {
				Object value = element.value(scope);
				if (value instanceof Failure) {
					return value;
				}
				list.add(value);
			}
			return list;
		}

	}

	record Members(List<Expression> keys, List<Expression> values) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
			for (int i = 0; i < this.keys.size(); i++) {
				Object key = this.keys.get(i).value(scope);
				Object value = this.values.get(i).value(scope);
				if (key instanceof Failure) {
					return key;
				}
				if (value instanceof Failure) {
					return value;
				}
				map.put(key, value);
			}
			return map;
		}

	}

	/**
	 * A loop, as {@code all}, {@code map} and the like are made of; {@code start} is
	 * {@code null} for an empty list.
	 */
	record Loop(Expression range, int variable, int collected, @Nullable Expression start, Expression condition,
			Expression step, Expression result, String label, int stepCost) implements Expression {

		@Override
		public @Nullable Object value(Scope scope) {
			Object range = this.range.value(scope);
			Collection<?> values;
			if (range instanceof Collection<?> list) {
				values = list;
			}
			else if (range instanceof Map<?, ?> map) {
				values = map.keySet();
			}
			else {
				return (range instanceof Failure) ? range
						: new Failure("%s is %s, not a list or a map".formatted(this.label, Values.kind(range)));
			}
			Expression start = this.start;
			Arithmetic.Collected list = (start != null) ? null : new Arithmetic.Collected();
			@Nullable Object[] locals = scope.locals;
			locals[this.collected] = (start != null) ? start.value(scope) : list;
			for (Object value : values) {
				scope.spend(this.stepCost);
				locals[this.variable] = value;
				if (!Boolean.TRUE.equals(this.condition.value(scope))) {
					break;
				}
				locals[this.collected] = this.step.value(scope);
			}
			if (list != null) {
				list.close();
			}
			return this.result.value(scope);
		}

	}

}
