package io.agenthooks.spring.arguments;

import java.util.IdentityHashMap;
import java.util.List;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import io.agenthooks.pattern.Budget;

/**
 * Counts the steps of one check: a schema that refers to itself takes as many as its
 * arguments let it. What a part that is referred to says of a value is remembered, so
 * that one which refers to itself in several ways does not take each at each level.
 */
final class CheckContext extends ExecutionContext {

	/** The cost of a step, compared to searching a character. */
	private static final int STEP = 60;

	/** The cost of a level above a step: unevaluated members are looked for in each. */
	private static final int LEVEL = 4;

	private static final int NOTE = 20;

	/** The cost of a mistake, which is kept until the end. */
	private static final int MISTAKE = 1_000;

	/** The cost of a character of a mistake. */
	private static final int MISTAKE_CHARACTER = 4;

	private static final int MAX_DEPTH = 1_000;

	private static final int MAX_REMEMBERED = 5;

	private final Budget budget;

	/**
	 * Equal parts and values may stand at other places. Null while no part is referred
	 * to.
	 */
	private @Nullable IdentityHashMap<Schema, IdentityHashMap<JsonNode, List<Error>>> known;

	private int depth;

	CheckContext(ExecutionConfig config, Budget budget) {
		super(config);
		this.budget = budget;
	}

	void spend(long steps) {
		this.budget.spend(steps);
	}

	@Override
	public void evaluationPathAddLast(String token) {
		enter();
		super.evaluationPathAddLast(token);
	}

	@Override
	public void evaluationPathAddLast(int token) {
		enter();
		super.evaluationPathAddLast(token);
	}

	/** Of each note it is found out whether it is from below the part that looks. */
	void spendOnNotes(int notes) {
		spend(notes * (NOTE + (long) LEVEL * this.depth));
	}

	private void enter() {
		spend(STEP + (long) LEVEL * this.depth);
		if (++this.depth > MAX_DEPTH) {
			throw new Budget.ExhaustedException();
		}
	}

	@Override
	public void evaluationPathRemoveLast() {
		this.depth--;
		super.evaluationPathRemoveLast();
	}

	@Override
	public void addError(Error error) {
		long cost = MISTAKE;
		Object[] arguments = error.getArguments();
		for (int i = 0; arguments != null && i < arguments.length; i++) {
			cost += (arguments[i] instanceof String text) ? (long) MISTAKE_CHARACTER * text.length() : 0;
		}
		spend(cost);
		super.addError(error);
	}

	void refer(Schema schema, JsonNode value, Runnable check) {
		if (this.known == null) {
			this.known = new IdentityHashMap<>();
		}
		IdentityHashMap<JsonNode, List<Error>> known = this.known.computeIfAbsent(schema,
				(part) -> new IdentityHashMap<>());
		List<Error> mistakes = known.get(value);
		if (mistakes != null) {
			mistakes.forEach(this::addError);
			return;
		}
		int before = getErrors().size();
		check.run();
		List<Error> all = getErrors();
		known.put(value, List.copyOf(all.subList(before, Math.min(all.size(), before + MAX_REMEMBERED))));
	}

}
