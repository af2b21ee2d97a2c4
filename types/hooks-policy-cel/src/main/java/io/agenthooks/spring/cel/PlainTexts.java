package io.agenthooks.spring.cel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.LiteralCharacters;
import io.agenthooks.policy.SearchText;

/** As patterns of policies read texts. */
record PlainTexts(Map<String, @Nullable Object> arguments) {

	@SuppressWarnings("unchecked")
	static PlainTexts of(Map<String, @Nullable Object> arguments, Supplier<Budget> budget) {
		return new PlainTexts((Map<String, @Nullable Object>) plain((Object) arguments, budget));
	}

	static String plain(String text, Supplier<Budget> budget) {
		return (isPlain(text)) ? text : SearchText.clean(text, budget.get());
	}

	/** It has one spelling only, at a glance. */
	static boolean isPlain(String text) {
		return text.chars().allMatch((character) -> character >= ' ' && character < 0x7F);
	}

	/** Its plain spelling is another one. A symbol means itself. */
	static boolean isUnusual(String text) {
		return !isPlain(text) && text.codePoints().noneMatch(LiteralCharacters::isSymbol)
				&& !SearchText.clean(text, new Budget()).equals(text);
	}

	static Object plain(Object value, Supplier<Budget> budget) {
		if (value instanceof String text) {
			return plain(text, budget);
		}
		if (value instanceof Map<?, ?> map) {
			return plain(map, budget);
		}
		return (value instanceof Collection<?> list) ? plain(list, budget) : value;
	}

	/** Names stay: they are those of the schema. */
	@SuppressWarnings("ReferenceEquality") // the very value, if nothing changed
	private static Map<?, ?> plain(Map<?, ?> map, Supplier<Budget> budget) {
		Map<Object, @Nullable Object> changed = null;
		for (Map.Entry<?, ?> member : map.entrySet()) {
			Object value = member.getValue();
			Object plain = (value != null) ? plain(value, budget) : null;
			if (plain != value) {
				changed = (changed != null) ? changed : new LinkedHashMap<>(map);
				changed.put(member.getKey(), plain);
			}
		}
		return (changed != null) ? changed : map;
	}

	@SuppressWarnings("ReferenceEquality") // the very value, if nothing changed
	private static Collection<?> plain(Collection<?> list, Supplier<Budget> budget) {
		List<@Nullable Object> plain = new ArrayList<>(list.size());
		boolean changed = false;
		for (Object value : list) {
			Object each = (value != null) ? plain(value, budget) : null;
			changed |= each != value;
			plain.add(each);
		}
		return (changed) ? plain : list;
	}

}
