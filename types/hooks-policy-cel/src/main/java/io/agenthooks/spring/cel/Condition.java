package io.agenthooks.spring.cel;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.spring.scope.ArgumentsInConditions;
import io.agenthooks.spring.scope.NamesInConditions;

/**
 * A condition of a rule, ready to be asked.
 *
 * @param expression the condition
 * @param locals how many variables its loops have
 * @param source the condition as it is written
 * @param readsArguments whether it reads any
 * @param argumentNames the names of those that it reads by name
 * @param readsTexts whether it reads what a model or a person wrote
 * @param unusual whether it has texts that are spelled in another way than usual
 * @param names the names of users, agents and such that it compares with
 */
record Condition(Expression expression, int locals, CelSource source, boolean readsArguments,
		List<String> argumentNames, boolean readsTexts, boolean unusual, Set<ComparedNames.Name> names) {

	/**
	 * Where texts of an unusual spelling make a difference, that cannot be said: a tool
	 * may read them as usual.
	 */
	Object holds(Scope scope) {
		if (this.readsTexts && this.unusual) {
			// Whoever wrote the rule means the usual spelling.
			Object plain = scope.ifSpelledPlainly(() -> asWritten(scope));
			if (plain != null) {
				return plain;
			}
		}
		Object holds = asWritten(scope);
		if (!this.readsTexts || holds instanceof Failure) {
			return holds;
		}
		try {
			Object plain = scope.inPlainSpelling(() -> asWritten(scope));
			return (plain == null || plain.equals(holds)) ? holds : Failure.UNUSUAL_SPELLING;
		}
		catch (Budget.ExhaustedException ex) {
			return Failure.TOO_MUCH_WORK;
		}
	}

	private Object asWritten(Scope scope) {
		@Nullable Object value = value(scope);
		return (value instanceof Boolean || value instanceof Failure) ? value
				: new Failure("the condition is " + Values.kind(value) + ", not true or false");
	}

	@Nullable Object value(Scope scope) {
		try {
			scope.begin(this.locals);
			return this.expression.value(scope);
		}
		catch (Budget.ExhaustedException ex) {
			return Failure.TOO_MUCH_WORK;
		}
		catch (RuntimeException ex) {
			// Whatever it is, an argument must not make a rule disappear.
			return new Failure("the condition cannot be evaluated");
		}
	}

	List<ArgumentsInConditions.Found> check(List<String> path, ArgumentType arguments) {
		return (this.readsArguments) ? ArgumentCheck.find(this.source, path, arguments) : List.of();
	}

	/** It need not be true or false. */
	List<ArgumentsInConditions.Found> checkValue(List<String> path, ArgumentType arguments) {
		return (this.readsArguments) ? ArgumentCheck.findInValue(this.source, path, arguments) : List.of();
	}

	/** For one that is not of a rule but of this option. */
	List<NamesInConditions.Compared> compared(String option) {
		return this.names.stream()
			.map((name) -> new NamesInConditions.Compared(NamesInConditions.Compared.NO_RULE, option, name.kind(),
					name.name(), name.anyCase()))
			.toList();
	}

	/**
	 * In one of the ways in which it holds, only some tools are meant, one of them this.
	 */
	boolean means(String tool) {
		return ToolsMeant.include(this.source.tree().getExpr(), tool);
	}

	boolean isAlways(boolean value) {
		return this.expression.isConstant()
				&& Boolean.valueOf(value).equals(this.expression.value(Scope.beforeCalls()));
	}

}
