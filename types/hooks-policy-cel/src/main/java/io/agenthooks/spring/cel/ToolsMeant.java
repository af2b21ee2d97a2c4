package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;

/**
 * In one of the ways in which the condition holds, it holds for these tools, and not for
 * just any.
 */
final class ToolsMeant {

	/** No condition has this name. */
	private static final String ANY = "q7x_j9z_w4k";

	private static final CelExpr NAME = CelExpr.ofSelect(0, CelExpr.ofIdent(0, "tool"), "name", false);

	private ToolsMeant() {
	}

	static boolean include(CelExpr condition, String tool) {
		List<List<Ways.Part>> ways = Ways.of(condition, false);
		return ways != null && ways.stream().anyMatch((way) -> canHold(way, tool) && !canHold(way, ANY));
	}

	private static boolean canHold(List<Ways.Part> way, String tool) {
		List<Ways.Part> parts = new ArrayList<>(way.stream().map(ToolsMeant::ofOneName).toList());
		parts.add(new Ways.Part(call("_==_", NAME, CelExpr.ofConstant(0, CelConstant.ofValue(tool))), false, Map.of()));
		return !Facts.contradict(parts);
	}

	private static CelExpr call(String function, CelExpr left, CelExpr right) {
		return CelExpr.ofCall(0, Optional.empty(), function, ImmutableList.of(left, right));
	}

	private static Ways.Part ofOneName(Ways.Part part) {
		CelExpr expression = part.resolved();
		if (expression.getKind() == Kind.COMPREHENSION && areNames(expression.comprehension().iterRange())) {
			CelExpr.CelComprehension loop = expression.comprehension();
			CelExpr step = loop.loopStep();
			boolean asks = step.getKind() == Kind.CALL
					&& (step.call().function().equals("_&&_") || step.call().function().equals("_||_"));
			if (!asks) {
				return part;
			}
			Map<String, CelExpr> locals = new HashMap<>(part.locals());
			locals.put(loop.iterVar(), NAME);
			return new Ways.Part(step.call().args().get(1), part.negated(), locals);
		}
		boolean isOfNames = expression.getKind() == Kind.CALL && expression.call().function().equals("@in")
				&& areNames(expression.call().args().get(1));
		return (isOfNames) ? part.with(call("_==_", NAME, expression.call().args().get(0)), part.negated()) : part;
	}

	private static boolean areNames(CelExpr part) {
		return part.getKind() == Kind.SELECT && part.select().field().equals("names")
				&& part.select().operand().getKind() == Kind.IDENT
				&& part.select().operand().ident().name().equals("tool");
	}

}
