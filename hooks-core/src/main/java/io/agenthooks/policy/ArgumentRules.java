package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;

/**
 * Searches the arguments of a call for patterns.
 * <p>
 * What is searched is each value below an argument, however deep: texts, numbers and
 * booleans as JSON writes them, the values in each list joined by single spaces, and the
 * names inside of nested maps, for the model chooses those as well. Not the names of the
 * arguments themselves: those belong to the tool.
 * <p>
 * A rule is for every argument of its name, at any depth. One whose name has dots is also
 * for what stands at that path: {@code file.path} for {@code path} in {@code file}.
 */
final class ArgumentRules {

	private final Map<String, PatternSet> named;

	/** How many dots a name has at most; with any, it may be a path. */
	private final int maxDots;

	private final @Nullable PatternSet any;

	/**
	 * Create the rules.
	 * @param named what must not be found in an argument, by its name
	 * @param any what must not be found in any argument, or {@code null}
	 */
	ArgumentRules(Map<String, PatternSet> named, @Nullable PatternSet any) {
		this.named = named;
		this.maxDots = named.keySet().stream().mapToInt(ArgumentRules::dots).max().orElse(0);
		this.any = any;
	}

	private static int dots(String name) {
		return (int) name.chars().filter((ch) -> ch == '.').count();
	}

	/**
	 * Search arguments.
	 * @param arguments the arguments
	 * @return what is found, or {@code null}
	 * @throws Budget.ExhaustedException if there is too much to search
	 */
	@Nullable Finding find(Map<String, @Nullable Object> arguments) {
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
				Finding finding = walk.value(argument.getValue(), "", List.of(new Rule(argument.getKey(), this.any)));
				if (finding != null) {
					return finding;
				}
			}
		}
		return null;
	}

	/**
	 * A pattern that is found in an argument.
	 *
	 * @param argument the name of the argument
	 * @param pattern the pattern
	 */
	record Finding(String argument, String pattern) {
	}

	/**
	 * What holds for everything below an argument.
	 *
	 * @param argument the name of the argument
	 * @param patterns what must not be found
	 */
	private record Rule(String argument, PatternSet patterns) {
	}

	/**
	 * A walk through the arguments, with the rules that hold where it is.
	 *
	 * @param named the rules that are met on the way
	 * @param maxDots how many dots the name of a rule has at most
	 * @param budget what the walk may cost
	 */
	private record Walk(Map<String, PatternSet> named, int maxDots, Budget budget) {

		/** What joining a character costs, compared to searching it. */
		private static final int JOINING = 4;

		@Nullable Finding members(Map<?, ?> map, String parent, List<Rule> rules) {
			for (Map.Entry<?, ?> member : map.entrySet()) {
				String name = (String) member.getKey();
				Finding finding = text(name, rules);
				if (finding == null) {
					String path = path(parent, name);
					finding = value(member.getValue(), path, and(rules, path, name));
				}
				if (finding != null) {
					return finding;
				}
			}
			return null;
		}

		/**
		 * The path of a member, or its name if no rule is for a path.
		 */
		private String path(String parent, String name) {
			if (this.maxDots == 0 || parent.isEmpty()) {
				return name;
			}
			this.budget.spend(parent.length() + name.length());
			return parent + "." + name;
		}

		/**
		 * The rules that hold for a member: those around it, those for its name, and
		 * those for an end of its path.
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
			PatternSet patterns = this.named.get(name);
			return (patterns != null) ? and(rules, new Rule(name, patterns)) : rules;
		}

		private static List<Rule> and(List<Rule> rules, Rule rule) {
			if (rules.contains(rule)) {
				return rules;
			}
			List<Rule> all = new ArrayList<>(rules);
			all.add(rule);
			return all;
		}

		@Nullable Finding value(@Nullable Object value, String path, List<Rule> rules) {
			if (value instanceof Map<?, ?> map) {
				return members(map, path, rules);
			}
			if (value instanceof List<?> list) {
				return elements(list, path, rules);
			}
			if (value == null || rules.isEmpty()) {
				return null;
			}
			String text = leaf(value);
			Finding finding = text(text, rules);
			if (finding == null && value instanceof Number number) {
				String plain = SearchText.plain(number, text);
				return (plain.equals(text)) ? null : text(plain, rules);
			}
			return finding;
		}

		private @Nullable Finding elements(List<?> list, String path, List<Rule> rules) {
			for (Object element : list) {
				Finding finding = value(element, path, rules);
				if (finding != null) {
					return finding;
				}
			}
			if (rules.isEmpty()) {
				return null;
			}
			StringBuilder joined = new StringBuilder();
			int count = join(list, joined);
			this.budget.spend((long) JOINING * joined.length());
			return (count > 1) ? text(joined.toString(), rules) : null;
		}

		/**
		 * Append the values below a list or map, and say how many there were. Empty ones
		 * are left out: what stands around them must not seem further apart.
		 */
		private int join(@Nullable Object value, StringBuilder joined) {
			Iterable<?> inner = (value instanceof Map<?, ?> map) ? map.values()
					: (value instanceof List<?> list) ? list : null;
			if (inner != null) {
				int count = 0;
				for (Object element : inner) {
					count += join(element, joined);
				}
				return count;
			}
			String text = (value != null) ? leaf(value) : "";
			if (text.isEmpty()) {
				return 0;
			}
			joined.append((joined.isEmpty()) ? "" : " ").append(text);
			return 1;
		}

		private String leaf(Object value) {
			return (value instanceof Number number) ? SearchText.of(number, this.budget) : value.toString();
		}

		private @Nullable Finding text(String text, List<Rule> rules) {
			if (rules.isEmpty()) {
				return null;
			}
			String clean = SearchText.clean(text, this.budget);
			for (Rule rule : rules) {
				TextPattern pattern = SearchText.find(rule.patterns(), text, clean, this.budget);
				if (pattern != null) {
					return new Finding(rule.argument(), pattern.toString());
				}
			}
			return null;
		}

	}

}
