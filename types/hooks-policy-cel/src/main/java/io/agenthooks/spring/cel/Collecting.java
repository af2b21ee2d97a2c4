package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Lists, maps and loops. */
final class Collecting {

	/** The cost of going through a loop once, for each part of what is in it. */
	private static final int PART = 6;

	private Collecting() {
	}

	/** A list that is written in the condition. */
	static final class Elements extends Expression {

		private final Expression[] elements;

		Elements(Expression... elements) {
			this.elements = elements;
		}

		@Override
		@Nullable Object value(Scope scope) {
			List<@Nullable Object> list = new ArrayList<>(this.elements.length);
			for (Expression element : this.elements) {
				Object value = element.value(scope);
				if (value instanceof Failure) {
					return value;
				}
				list.add(value);
			}
			return list;
		}

		@Override
		int cost() {
			return costOf(this.elements);
		}

	}

	/** A map that is written in the condition. */
	static final class Members extends Expression {

		private final Expression[] keys;

		private final Expression[] values;

		Members(List<Expression> keys, List<Expression> values) {
			this.keys = keys.toArray(Expression[]::new);
			this.values = values.toArray(Expression[]::new);
		}

		@Override
		@Nullable Object value(Scope scope) {
			Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
			for (int i = 0; i < this.keys.length; i++) {
				Object key = this.keys[i].value(scope);
				Object value = this.values[i].value(scope);
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

		@Override
		int cost() {
			return costOf(this.keys) + costOf(this.values);
		}

	}

	/** A loop, as {@code all}, {@code exists}, {@code map} and the like are made of. */
	static final class Loop extends Expression {

		private final Expression range;

		private final int variable;

		private final int collected;

		private final @Nullable Expression start;

		private final Expression condition;

		private final Expression step;

		private final Expression result;

		private final String label;

		private final int stepCost;

		Loop(Expression range, int variable, int collected, @Nullable Expression start, Expression condition,
				Expression step, Expression result, String label) {
			this.range = range;
			this.variable = variable;
			this.collected = collected;
			this.start = start;
			this.condition = condition;
			this.step = step;
			this.result = result;
			this.label = label;
			this.stepCost = PART * costOf(condition, step);
		}

		@Override
		@Nullable Object value(Scope scope) {
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

		@Override
		int cost() {
			return costOf(this.range, this.condition, this.step, this.result);
		}

	}

}
