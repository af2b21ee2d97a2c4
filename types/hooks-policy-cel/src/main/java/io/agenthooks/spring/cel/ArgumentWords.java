package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;

import dev.cel.common.ast.CelExpr;
import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;

record ArgumentWords(Map<String, Local> locals) {

	String named(CelExpr part) {
		return Objects.requireNonNullElse(label(part), "a part of the condition");
	}

	@Nullable String label(CelExpr part) {
		return switch (part.getKind()) {
			case IDENT -> {
				Local local = this.locals.get(part.ident().name());
				yield (local != null) ? local.label()
						: (part.ident().name().equals(CelTranslation.ARGUMENTS)) ? CelTranslation.ARGUMENTS : null;
			}
			case SELECT -> {
				String operand = label(part.select().operand());
				yield (operand != null) ? operand + "." + SafeText.name(part.select().field()) : null;
			}
			case CALL -> labelOfCall(part.call());
			default -> null;
		};
	}

	private @Nullable String labelOfCall(CelExpr.CelCall call) {
		if (call.function().equals("_[_]")) {
			String container = label(call.args().get(0));
			Object key = CelSource.constant(call.args().get(1));
			if (container == null) {
				return null;
			}
			return (key instanceof String name) ? container + "." + SafeText.name(name) : "an element of " + container;
		}
		String target = call.target().map(this::label).orElse(null);
		return (target != null && call.args().isEmpty()) ? "%s.%s()".formatted(target, call.function()) : null;
	}

	String instead(CelExpr part, ArgumentType type, CelExpr other, ArgumentType with) {
		Object written = CelSource.constant(other);
		if (type.is(Values.Kind.LIST)) {
			return "Write '... in %s' for one of its elements, or %s.size() for how many there are"
				.formatted(named(part), named(part));
		}
		if (type.is(Values.Kind.MAP)) {
			return "Write one of its fields, as in %s.%s".formatted(named(part),
					type.members().keySet().stream().sorted().findFirst().map(SafeText::name).orElse("name"));
		}
		if (type.is(Values.Kind.NUMBER)) {
			return (written instanceof String text && text.matches("-?\\d{1,15}(\\.\\d{1,15})?"))
					? "Write %s without quotes".formatted(text) : "Compare it with a number";
		}
		if (type.is(Values.Kind.BOOLEAN)) {
			return "Write 'true' or 'false' without quotes, or %s alone".formatted(named(part));
		}
		if (written instanceof BigDecimal number) {
			return "Write '%s' in quotes, double(%s) for a number that is written in the text, or size(%s) for its length"
				.formatted(number.toPlainString(), named(part), named(part));
		}
		return with.is(Values.Kind.TIME) ? "Write timestamp(%s)".formatted(named(part))
				: with.is(Values.Kind.DURATION) ? "Write duration(%s)".formatted(named(part))
						: with.is(Values.Kind.LIST) ? "Write '%s in ...'".formatted(named(part))
								: "Compare it with a text in quotes";
	}

	/** {@code label} is {@code null} if what it stands for is no argument. */
	record Local(ArgumentType type, @Nullable String label) {
	}

}
