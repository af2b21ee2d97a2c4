package io.agenthooks.policy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.NumberText;

/**
 * Searches the arguments of a call for patterns.
 * <p>
 * What is searched is each value below an argument, however deep: texts, numbers and
 * booleans as JSON writes them, the values in each list joined by single spaces, and the
 * names inside of nested maps, for the model chooses those as well. A list or map is
 * searched once more as a whole, in each of the ways in which a framework
 * {@linkplain WrittenValue makes one text of it}. The names of the arguments themselves
 * belong to the tool: they are searched for the patterns that are for every argument.
 * <p>
 * A rule is for every argument of its name, at any depth. One whose name has dots is also
 * for what stands at that path: {@code file.path} for {@code path} in {@code file}.
 */
final class ArgumentRules {

	private final Map<String, List<Rule>> named;

	/** A name with dots may be a path. */
	private final int maxDots;

	private final @Nullable TextSearch any;

	ArgumentRules(Map<String, TextSearch> named, @Nullable TextSearch any) {
		this.named = named.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(rule) -> List.of(new Rule(rule.getKey(), rule.getValue()))));
		this.maxDots = named.keySet().stream().mapToInt(ArgumentRules::dots).max().orElse(0);
		this.any = any;
	}

	private static int dots(String name) {
		return (int) name.chars().filter((ch) -> ch == '.').count();
	}

	@Nullable Finding find(Map<String, @Nullable Object> arguments) {
		if (this.named.isEmpty() && this.any == null) {
			return null;
		}
		Budget budget = new Budget();
		if (!this.named.isEmpty()) {
			Finding finding = new Walk(this.named, this.maxDots, budget).members(arguments, "", List.of());
			if (finding != null) {
				return finding;
			}
		}
		if (this.any != null) {
			Walk walk = new Walk(Map.of(), 0, budget);
			for (Map.Entry<String, @Nullable Object> argument : arguments.entrySet()) {
				List<Rule> rules = List.of(new Rule(argument.getKey(), this.any));
				Finding finding = walk.text(argument.getKey(), rules);
				finding = (finding != null) ? finding : walk.beginning(argument.getValue(), "", 0, rules);
				if (finding != null) {
					return finding;
				}
			}
		}
		return null;
	}

	record Finding(String argument, String pattern) {
	}

	private record Rule(String argument, TextSearch search) {
	}

	private static final class Walk {

		private static final int JOINING = 4;

		private static final int VALUE = 4;

		private final Map<String, List<Rule>> named;

		private final int maxDots;

		private final Budget budget;

		/**
		 * The values below the outermost list so far, joined; most calls have no list.
		 */
		private @Nullable StringBuilder joined;

		private int count;

		private int lists;

		Walk(Map<String, List<Rule>> named, int maxDots, Budget budget) {
			this.named = named;
			this.maxDots = maxDots;
			this.budget = budget;
		}

		@Nullable Finding members(Map<?, ?> map, String parent, List<Rule> rules) {
			for (Map.Entry<?, ?> member : map.entrySet()) {
				String name = (String) member.getKey();
				Finding finding = text(name, rules);
				if (finding == null) {
					String path = path(parent, name);
					finding = beginning(member.getValue(), path, rules.size(), and(rules, path, name));
				}
				if (finding != null) {
					return finding;
				}
			}
			return null;
		}

		private String path(String parent, String name) {
			if (this.maxDots == 0 || parent.isEmpty()) {
				return name;
			}
			this.budget.spend(parent.length() + name.length());
			return parent + "." + name;
		}

		/**
		 * The rules around a member, those for its name, and those for an end of its
		 * path.
		 */
		private List<Rule> and(List<Rule> rules, String path, String name) {
			List<Rule> all = and(rules, name);
			int dot = path.length() - name.length() - 1;
			for (int i = 0; i < this.maxDots && dot > 0; i++) {
				dot = path.lastIndexOf('.', dot - 1);
				all = and(all, path.substring(dot + 1));
			}
			return all;
		}

		private List<Rule> and(List<Rule> rules, String name) {
			List<Rule> more = this.named.get(name);
			if (more == null || rules.isEmpty()) {
				return (more != null) ? more : rules;
			}
			if (rules.containsAll(more)) {
				return rules;
			}
			List<Rule> all = new ArrayList<>(rules);
			all.addAll(more);
			return all;
		}

		/**
		 * Search a value at which rules may begin to hold: for those it is the whole of
		 * which a framework may make one text.
		 */
		@Nullable Finding beginning(@Nullable Object value, String path, int before, List<Rule> rules) {
			Finding finding = value(value, path, rules);
			if (finding != null || before == rules.size() || !WrittenValue.hasParts(value)) {
				return finding;
			}
			List<Rule> begun = rules.subList(before, rules.size());
			for (String written : WrittenValue.write(value, this.budget)) {
				finding = text(written, begun);
				if (finding != null) {
					return finding;
				}
			}
			return null;
		}

		private @Nullable Finding value(@Nullable Object value, String path, List<Rule> rules) {
			this.budget.spend(VALUE);
			if (value instanceof String text && !rules.isEmpty()) {
				join(text);
				return text(text, rules);
			}
			if (value instanceof Map<?, ?> map) {
				return members(map, path, rules);
			}
			if (value instanceof List<?> list) {
				return elements(list, path, rules);
			}
			if (value == null || rules.isEmpty()) {
				return null;
			}
			String text = (value instanceof Number number) ? SearchText.of(number, this.budget) : value.toString();
			join(text);
			if (!(value instanceof Number number)) {
				return text(text, rules);
			}
			Finding finding = cleanText(text, text, rules);
			return (finding != null) ? finding : otherForms(number, text, rules);
		}

		private @Nullable Finding otherForms(Number number, String text, List<Rule> rules) {
			String plain = NumberText.plain(number, text);
			Finding finding = (plain.equals(text)) ? null : cleanText(plain, plain, rules);
			if (finding != null || !(number instanceof BigDecimal)) {
				return finding;
			}
			String rounded = Double.toString(number.doubleValue());
			return (rounded.equals(text) || rounded.equals(plain)) ? null : cleanText(rounded, rounded, rules);
		}

		/** Search the values one by one and joined, for all lists around them at once. */
		private @Nullable Finding elements(List<?> list, String path, List<Rule> rules) {
			StringBuilder joined = joined();
			int start = joined.length();
			int before = this.count;
			this.lists++;
			for (Object element : list) {
				Finding finding = value(element, path, rules);
				if (finding != null) {
					return finding;
				}
			}
			this.lists--;
			Finding finding = null;
			boolean isAlone = list.size() == 1 && list.get(0) instanceof List<?>;
			if (!rules.isEmpty() && this.count > before + 1 && !isAlone) {
				int length = joined.length() - start;
				this.budget.spend((long) JOINING * length);
				finding = text(joined.substring((start == 0) ? 0 : start + 1), rules);
			}
			if (this.lists == 0) {
				joined.setLength(0);
				this.count = 0;
			}
			return finding;
		}

		/**
		 * Empty ones are left out: what stands around them must not seem further apart.
		 */
		private void join(String text) {
			if (this.lists > 0 && !text.isEmpty()) {
				this.budget.spend(text.length());
				StringBuilder joined = joined();
				joined.append((joined.isEmpty()) ? "" : " ").append(text);
				this.count++;
			}
		}

		private StringBuilder joined() {
			StringBuilder joined = this.joined;
			if (joined == null) {
				joined = new StringBuilder();
				this.joined = joined;
			}
			return joined;
		}

		private @Nullable Finding text(String text, List<Rule> rules) {
			if (rules.isEmpty()) {
				return null;
			}
			return cleanText(text, SearchText.clean(text, this.budget), rules);
		}

		private @Nullable Finding cleanText(String text, String clean, List<Rule> rules) {
			for (Rule rule : rules) {
				String found = rule.search().find(text, clean, this.budget);
				if (found != null) {
					return new Finding(rule.argument(), found);
				}
			}
			return null;
		}

	}

}
