package io.agenthooks.spring.cel;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A limit that counts by the id of a call, or the time, counts each call by itself, and
 * never limits.
 */
final class UniqueValues {

	private static final Set<String> UNIQUE = Set.of("call.id", "now");

	/** They leave of a unique value a unique one. */
	private static final Set<String> KEEPING = Set.of("_+_", "_-_", "_*_", "_[_]", "string", "dyn", "int", "double",
			"timestamp", "duration", "lowerAscii", "upperAscii", "trim", "getMilliseconds");

	private final CelSource source;

	private final Set<String> locals = new HashSet<>();

	UniqueValues(CelSource source) {
		this.source = source;
	}

	void check(CelExpr expression) {
		CelExpr unique = find(expression);
		if (unique != null) {
			throw this.source.mistake(unique,
					"The value of '%s' is different for each call, so each call would be counted by itself and never be limited"
						.formatted(this.source.label(unique)),
					"Write what many calls have in common, such as call.session, user.name or an argument.");
		}
	}

	private @Nullable CelExpr find(CelExpr part) {
		return switch (part.getKind()) {
			case IDENT ->
				(this.locals.contains(part.ident().name()) || UNIQUE.contains(part.ident().name())) ? part : null;
			case SELECT -> (part.select().testOnly()) ? null
					: (UNIQUE.contains(this.source.label(part))) ? part : find(part.select().operand());
			case LIST -> first(part.list().elements().stream());
			case MAP -> first(part.map().entries().stream().flatMap((entry) -> Stream.of(entry.key(), entry.value())));
			case CALL -> ofCall(part.call());
			case COMPREHENSION -> ofLoop(part.comprehension());
			default -> null;
		};
	}

	private @Nullable CelExpr ofCall(CelExpr.CelCall call) {
		if (call.function().equals("_?_:_")) {
			return first(call.args().stream().skip(1));
		}
		List<CelExpr> parts = Stream.concat(call.target().stream(), call.args().stream()).toList();
		return (KEEPING.contains(call.function())) ? first(parts.stream()) : null;
	}

	private @Nullable CelExpr ofLoop(CelExpr.CelComprehension loop) {
		CelExpr range = find(loop.iterRange());
		if (range == null) {
			return find(loop.loopStep());
		}
		boolean added = this.locals.add(loop.iterVar());
		CelExpr step = find(loop.loopStep());
		if (added) {
			this.locals.remove(loop.iterVar());
		}
		return (step != null) ? range : null;
	}

	private @Nullable CelExpr first(Stream<CelExpr> parts) {
		for (CelExpr part : parts.toList()) {
			CelExpr unique = (part.getKind() == Kind.NOT_SET) ? null : find(part);
			if (unique != null) {
				return unique;
			}
		}
		return null;
	}

}
