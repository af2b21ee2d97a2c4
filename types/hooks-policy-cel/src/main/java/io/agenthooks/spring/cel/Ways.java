package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a condition holds, or fails: which parts hold and fail at once. A
 * loop over values that are written counts as what it does with each of them.
 */
final class Ways {

	/** Of more nothing is known. */
	private static final int MAX_WAYS = 256;

	private Ways() {
	}

	/** {@code null} if there are too many; none if it never holds. */
	static @Nullable List<List<Part>> of(CelExpr condition, boolean negated) {
		return of(new Part(condition, negated, Map.of()));
	}

	/** {@code null} if there are too many. */
	static @Nullable List<List<Part>> both(@Nullable List<List<Part>> one, @Nullable List<List<Part>> other) {
		if (one == null || other == null || (long) one.size() * other.size() > MAX_WAYS) {
			return null;
		}
		List<List<Part>> ways = new ArrayList<>();
		for (List<Part> way : one) {
			for (List<Part> more : other) {
				List<Part> all = new ArrayList<>(way);
				all.addAll(more);
				ways.add(all);
			}
		}
		return ways;
	}

	private static @Nullable List<List<Part>> either(@Nullable List<List<Part>> one, @Nullable List<List<Part>> other) {
		if (one == null || other == null || one.size() + other.size() > MAX_WAYS) {
			return null;
		}
		List<List<Part>> ways = new ArrayList<>(one);
		ways.addAll(other);
		return ways;
	}

	private static @Nullable List<List<Part>> of(Part part) {
		CelExpr expression = part.resolved();
		if (CelSource.constant(expression) instanceof Boolean holds) {
			return (holds != part.negated()) ? List.of(List.of()) : List.of();
		}
		if (expression.getKind() == Kind.COMPREHENSION) {
			List<Part> each = part.ofLoop(expression.comprehension());
			return (each.isEmpty()) ? List.of(List.of(part))
					: joined(expression.comprehension().loopStep().call().function().equals("_&&_"), part, each);
		}
		if (expression.getKind() != Kind.CALL) {
			return List.of(List.of(part));
		}
		List<CelExpr> operands = expression.call().args();
		return switch (expression.call().function()) {
			case "!_" -> of(part.with(operands.get(0), !part.negated()));
			case "_&&_", "_||_" -> joined(expression.call().function().equals("_&&_"), part,
					operands.stream().map((each) -> part.with(each, part.negated())).toList());
			case "_?_:_" ->
				either(both(of(part.with(operands.get(0), false)), of(part.with(operands.get(1), part.negated()))),
						both(of(part.with(operands.get(0), true)), of(part.with(operands.get(2), part.negated()))));
			default -> List.of(List.of(part));
		};
	}

	/** If the whole is to fail, "and" and "or" change places. */
	private static @Nullable List<List<Part>> joined(boolean and, Part whole, List<Part> parts) {
		List<List<Part>> ways = of(parts.get(0));
		for (Part each : parts.subList(1, parts.size())) {
			ways = (and != whole.negated()) ? both(ways, of(each)) : either(ways, of(each));
			if (ways == null) {
				return null;
			}
		}
		return ways;
	}

	record Part(CelExpr expression, boolean negated, Map<String, CelExpr> locals) {

		private static final int MAX_VALUES = 64;

		Part with(CelExpr other, boolean negated) {
			return new Part(other, negated, this.locals);
		}

		CelExpr resolved() {
			return resolved(this.expression);
		}

		CelExpr resolved(CelExpr part) {
			return (part.getKind() == Kind.IDENT)
					? Objects.requireNonNullElse(this.locals.get(part.ident().name()), part) : part;
		}

		/** Of each value that is written; nothing if the loop does something else. */
		private List<Part> ofLoop(CelExpr.CelComprehension loop) {
			CelExpr step = loop.loopStep();
			boolean asks = loop.iterRange().getKind() == Kind.LIST && step.getKind() == Kind.CALL
					&& (step.call().function().equals("_&&_") || step.call().function().equals("_||_"))
					&& step.call().args().size() == 2 && step.call().args().get(0).getKind() == Kind.IDENT
					&& step.call().args().get(0).ident().name().equals(loop.accuVar());
			List<CelExpr> values = (asks) ? loop.iterRange().list().elements() : List.of();
			if (values.size() > MAX_VALUES || values.stream().anyMatch((value) -> value.getKind() != Kind.CONSTANT)) {
				return List.of();
			}
			return values.stream().map((value) -> {
				Map<String, CelExpr> locals = new HashMap<>(this.locals);
				locals.put(loop.iterVar(), value);
				return new Part(step.call().args().get(1), this.negated, locals);
			}).toList();
		}

	}

}
