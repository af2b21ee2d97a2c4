package io.agenthooks.spring.cel;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.policy.HostName;
import io.agenthooks.policy.UnreadableValueException;

/** Each field has one spelling: another is a mistake. */
final class ThingFields {

	private static final Map<String, String> WORDS = Map.of("@mail", "a mail address", "@url", "a URL", "@path",
			"a path");

	private static final Set<String> IN_LOWER_CASE = Set.of("@url.scheme", "@url.host", "@mail.domain", "@path.ext");

	private static final int MAX_PORT = 65_535;

	private ThingFields() {
	}

	/** The field in words, if its text is in lower case. */
	static @Nullable String inLowerCase(CelSource source, CelExpr part) {
		String field = field(source, part);
		return (field != null && IN_LOWER_CASE.contains(field)) ? words(field) : null;
	}

	static void check(CelSource source, CelExpr part, @Nullable Object written) {
		String field = field(source, part);
		if (field == null) {
			return;
		}
		for (Object each : (written instanceof List<?> list) ? list : Collections.singletonList(written)) {
			String spelling = (each instanceof String text) ? spelling(field, text) : null;
			boolean isNever = (each instanceof Number number)
					? field.equals("@url.port") && (number.longValue() < -1 || number.longValue() > MAX_PORT)
					: each instanceof String && !each.equals(spelling);
			if (isNever) {
				throw never(source, part, field, spelling);
			}
		}
	}

	static void checkStart(CelSource source, CelExpr part, String start) {
		String field = field(source, part);
		if (field != null && field.equals("@url.path") && !start.startsWith("/")) {
			throw never(source, part, field, "/" + start);
		}
	}

	private static UnreadableConditionException never(CelSource source, CelExpr part, String field,
			@Nullable String spelling) {
		String words = words(field);
		return source.mistake(part, "T%s is never what is written here".formatted(words.substring(1)),
				(spelling != null) ? "Write '%s'.".formatted(SafeText.name(spelling))
						: "Write %s alone, as it is read.".formatted(words));
	}

	private static String words(String field) {
		int dot = field.indexOf('.');
		return "the %s of %s".formatted(field.substring(dot + 1), WORDS.get(field.substring(0, dot)));
	}

	private static @Nullable String field(CelSource source, CelExpr part) {
		if (part.getKind() != CelExpr.ExprKind.Kind.SELECT) {
			return null;
		}
		String thing = source.tree().getType(part.select().operand().id()).map(CelType::name).orElse("");
		return (WORDS.containsKey(thing)) ? thing + "." + part.select().field() : null;
	}

	/** {@code null} if the field never has it. */
	private static @Nullable String spelling(String field, String text) {
		String lower = text.toLowerCase(Locale.ROOT);
		return switch (field) {
			case "@url.scheme" -> fitting(lower.replaceFirst(":/*$", ""), "[a-z][a-z0-9+.-]*");
			case "@url.host" -> (text.isEmpty()) ? text : host(text);
			case "@mail.domain" -> host(text.replaceFirst("^@", ""));
			case "@url.path" -> (text.startsWith("/")) ? text : "/" + text;
			case "@mail.address" -> address(text, text.lastIndexOf('@'));
			case "@mail.local" -> fitting(text, "[^@]*");
			case "@path.name" -> fitting(text, "[^/]*");
			case "@path.ext" -> lower.substring(lower.lastIndexOf('.') + 1);
			default -> text;
		};
	}

	private static @Nullable String address(String text, int at) {
		String domain = (at > 0) ? host(text.substring(at + 1)) : null;
		return (domain != null) ? text.substring(0, at + 1) + domain : null;
	}

	private static @Nullable String fitting(String text, String pattern) {
		return (text.matches(pattern)) ? text : null;
	}

	private static @Nullable String host(String text) {
		try {
			return HostName.of(text);
		}
		catch (UnreadableValueException ex) {
			return null;
		}
	}

}
