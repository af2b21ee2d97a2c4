package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Reads a pattern of {@link Pattern} with DOTALL and UNICODE_CASE. Its meaning is the
 * same there; what cannot be searched for in linear time is refused.
 */
final class RegexParser {

	private static final int FLAGS = Pattern.DOTALL | Pattern.UNICODE_CASE;

	private static final int MAX_LENGTH = 5_000;

	private static final int MAX_NESTING = 100;

	private static final int MAX_SIZE = 10_000;

	/** The cost of finding out whether a pattern can be found: some milliseconds. */
	private static final int MAX_STEPS = 5_000_000;

	private final String pattern;

	private final Map<String, CharSet> javaSets;

	private int position;

	private boolean ignoreCase;

	private boolean multiline;

	private boolean dotAll = true;

	private final Set<Anchor> anchors = EnumSet.noneOf(Anchor.class);

	/**
	 * Whether Java goes over a pair of surrogates as a whole where the pattern may start,
	 * as it does for sets with characters beyond U+FFFF.
	 */
	private boolean skipsPairs;

	private RegexParser(String pattern, Map<String, CharSet> javaSets) {
		this.pattern = pattern;
		this.javaSets = javaSets;
		this.skipsPairs = pattern.chars().anyMatch((character) -> Character.isSurrogate((char) character));
	}

	static Regex parse(String pattern, Map<String, CharSet> javaSets) {
		checkSyntax(pattern);
		RegexParser parser = new RegexParser(Quotation.resolve(pattern), javaSets);
		Regex regex = parser.choice();
		if (regex.equals(Regex.Sequence.EMPTY)) {
			throw new UnusablePatternException("The pattern is empty, so it matches every text.",
					"Write what to look for, or '.*' if every text is meant.");
		}
		regex = parser.withStartInsidePair(regex);
		if (regex.size() > MAX_SIZE) {
			throw tooLarge();
		}
		parser.checkCanBeFound(regex);
		return regex;
	}

	/** A rule that no text can hold is not the rule that was meant. */
	private void checkCanBeFound(Regex regex) {
		if (!regex.hasAnyOf(CharSet.ALL)) {
			throw UnusablePatternException.inNoText("it asks for a character of brackets that allow none.",
					"Write brackets that allow some; '&&' leaves only what stands on both sides of it.");
		}
		if (!this.anchors.isEmpty() && !canBeFound(regex)) {
			Set<Anchor> wordEdges = EnumSet.of(Anchor.WORD_EDGE, Anchor.NO_WORD_EDGE);
			throw UnusablePatternException.inNoText("what it asks of a place never holds there.",
					(wordEdges.containsAll(this.anchors))
							? "Remove \\b inside of a word and between other characters, and \\B at the edge of a word."
							: "Nothing stands before the start of a text, or behind its end: write \\^ and \\$ for the "
									+ "characters themselves, or (?m) to have ^ and $ for lines.");
		}
	}

	/** Whether any text holds the pattern. If it would take long to know, it does. */
	private static boolean canBeFound(Regex regex) {
		try {
			return new Nfa(List.of(Nfa.Surrounded.byAnything(regex.trimmed().relaxed())))
				.canBeFound(new Budget(MAX_STEPS));
		}
		catch (Budget.ExhaustedException ex) {
			return true;
		}
	}

	/** Let Java say whether the pattern is valid. */
	private static void checkSyntax(String pattern) {
		if (pattern.chars().anyMatch(Character::isISOControl)) {
			throw new UnusablePatternException(
					"The pattern holds a line break or another control character, which no text is likely to have there.",
					"Write patterns in single quotes and on one line: YAML makes a backspace of \\b in double quotes.");
		}
		if (pattern.length() > MAX_LENGTH) {
			throw new UnusablePatternException("The pattern is longer than %d characters.".formatted(MAX_LENGTH),
					"Write several patterns.");
		}
		checkNesting(Quotation.resolve(pattern));
		try {
			Pattern.compile(pattern, FLAGS);
		}
		catch (PatternSyntaxException ex) {
			if (isTrailingBackslash(ex, pattern)) {
				throw new UnusablePatternException("The pattern ends in a single backslash, which escapes nothing.",
						"Write \\\\ for a backslash itself, in single quotes, or remove it.");
			}
			throw new UnusablePatternException("The pattern is not valid at offset %d: %s."
				.formatted(Math.max(0, ex.getIndex()), ex.getDescription().replaceAll("[{<'].*?[}>']", "...")),
					fixOf(ex, pattern));
		}
		catch (StackOverflowError ex) {
			throw tooNested();
		}
	}

	/** Java calls a backslash at the end an internal error before version 21. */
	private static boolean isTrailingBackslash(PatternSyntaxException ex, String pattern) {
		String description = ex.getDescription();
		return pattern.endsWith("\\")
				&& (description.startsWith("Unexpected internal") || description.startsWith("Unescaped trailing"));
	}

	private static String fixOf(PatternSyntaxException ex, String pattern) {
		String description = ex.getDescription();
		if (pattern.contains("(?P")) {
			return "Write (?<name>...) for a group with a name.";
		}
		if (description.startsWith("Illegal repetition") || description.startsWith("Unclosed counted")) {
			return "Write {n}, {n,} or {n,m}, or \\{ for a brace itself.";
		}
		if (description.startsWith("Dangling")) {
			return "Write a backslash before the character if it stands for itself.";
		}
		if (description.startsWith("Unclosed group") || description.startsWith("Unmatched closing")) {
			return "Write \\( and \\) for parentheses themselves.";
		}
		if (description.startsWith("Unclosed character class")) {
			return "Write \\[ for a bracket itself.";
		}
		return "Correct it; the syntax is that of java.util.regex.Pattern.";
	}

	/** A rough count: nothing may recurse before it. */
	private static void checkNesting(String pattern) {
		int nesting = 0;
		for (int i = 0; i < pattern.length(); i++) {
			switch (pattern.charAt(i)) {
				case '\\' -> i++;
				case '(', '[' -> {
					if (++nesting > MAX_NESTING) {
						throw tooNested();
					}
				}
				case ')', ']' -> {
					nesting = Math.max(0, nesting - 1);
				}
				default -> {
				}
			}
		}
	}

	private static UnusablePatternException tooNested() {
		return new UnusablePatternException("The pattern is nested too deep (the limit is %d).".formatted(MAX_NESTING),
				"Remove groups that are not needed, or write several patterns.");
	}

	private static UnusablePatternException tooLarge() {
		return new UnusablePatternException(
				"The pattern has more than %d steps when its repetitions are written out.".formatted(MAX_SIZE),
				"Write '*' or '+' for a repetition, or a smaller number.");
	}

	/**
	 * Add what Java finds from inside a pair of surrogates, where a pattern starts only
	 * with {@code \B}.
	 */
	private Regex withStartInsidePair(Regex regex) {
		if (this.skipsPairs || !this.anchors.contains(Anchor.NO_WORD_EDGE)) {
			return regex;
		}
		List<Regex> options = new ArrayList<>(List.of(regex));
		if (regex.matchesInsidePair()) {
			options.add(new Regex.Chars(CharSet.PAIRS));
		}
		Regex rest = regex.fromInsidePair();
		if (rest != null) {
			options.add(rest);
		}
		return (options.size() == 1) ? regex : new Regex.Choice(List.copyOf(options));
	}

	private Regex choice() {
		List<Regex> options = new ArrayList<>(List.of(sequence()));
		while (accept("|")) {
			options.add(sequence());
		}
		return (options.size() == 1) ? options.get(0) : new Regex.Choice(List.copyOf(options));
	}

	private Regex sequence() {
		List<Regex> parts = new ArrayList<>();
		while (this.position < this.pattern.length() && !at("|") && !at(")")) {
			Regex part = repeated(part());
			if (!part.equals(Regex.Sequence.EMPTY)) {
				parts.add(part);
			}
		}
		return (parts.size() == 1) ? parts.get(0) : new Regex.Sequence(List.copyOf(parts));
	}

	private Regex part() {
		if (isAtLiteral()) {
			return literals();
		}
		if (at("{")) {
			// Java takes a number without anything before it for one of nothing.
			return Regex.Sequence.EMPTY;
		}
		if (at("(")) {
			return group();
		}
		if (at("[")) {
			return new Regex.Chars(bracket());
		}
		if (accept(".")) {
			return new Regex.Chars((this.dotAll) ? CharSet.ALL : CharSet.LINE_TERMINATORS.negate());
		}
		if (accept("^")) {
			return place((this.multiline) ? Anchor.LINE_START : Anchor.TEXT_START);
		}
		if (accept("$")) {
			return place((this.multiline) ? Anchor.LINE_END : Anchor.LAST_LINE_END);
		}
		return escape();
	}

	private boolean isAtLiteral() {
		if (at("\\")) {
			return "AzZBbGXkR123456789dDwWsShHvVpP".indexOf(this.pattern.charAt(this.position + 1)) < 0;
		}
		return this.position < this.pattern.length() && "*+?{$.^([|)".indexOf(this.pattern.charAt(this.position)) < 0;
	}

	/**
	 * Read as many literals as Java takes at once; one with a quantifier stands alone.
	 */
	private Regex literals() {
		List<Integer> literals = new ArrayList<>();
		int last = this.position;
		while (isAtLiteral()) {
			last = this.position;
			literals.add(literal());
		}
		if (literals.size() > 1 && isAtQuantifier()) {
			this.position = last;
			literals.subList(literals.size() - 1, literals.size()).clear();
		}
		if (literals.size() == 1) {
			CharSet set = alone(literals.get(0));
			this.skipsPairs |= hasPairsOrSurrogates(set) || !set.equals(CharSet.of(literals.get(0)));
			return new Regex.Chars(set);
		}
		return new Regex.Sequence(literals.stream()
			.map((literal) -> (this.ignoreCase) ? CharSet.ofIgnoringCase(literal) : CharSet.of(literal))
			.<Regex>map(Regex.Chars::new)
			.toList());
	}

	private int literal() {
		return (at("\\")) ? escapedCharacter() : next();
	}

	private CharSet alone(int literal) {
		return (this.ignoreCase) ? CharSet.ofAloneIgnoringCase(literal) : CharSet.of(literal);
	}

	private Regex repeated(Regex body) {
		int min;
		int max = Regex.Repeat.UNBOUNDED;
		int start = this.position;
		if (accept("*")) {
			min = 0;
		}
		else if (accept("+")) {
			min = 1;
		}
		else if (accept("?")) {
			min = 0;
			max = 1;
		}
		else if (accept("{")) {
			min = number();
			max = (!accept(",")) ? min : (at("}")) ? max : number();
			this.position++;
		}
		else {
			return body;
		}
		if (at("+")) {
			throw unsupported("a possessive quantifier", start,
					"Remove the second '+': the search never goes back anyway.");
		}
		accept("?");
		if (isAtQuantifier()) {
			throw unsupported("a quantifier behind a quantifier", start,
					"Put what is repeated twice into a group: (?:a{2}){3}.");
		}
		Regex repeated = new Regex.Repeat(body, min, max);
		if (repeated.size() > MAX_SIZE) {
			throw tooLarge();
		}
		return repeated;
	}

	private boolean isAtQuantifier() {
		return at("{") || at("*") || at("+") || at("?");
	}

	private int number() {
		int start = this.position;
		while (Character.isDigit(this.pattern.charAt(this.position))) {
			this.position++;
		}
		return Integer.parseInt(this.pattern, start, this.position, 10);
	}

	private Regex group() {
		int start = this.position;
		boolean ignoreCase = this.ignoreCase;
		boolean multiline = this.multiline;
		boolean dotAll = this.dotAll;
		next();
		if (at("?") && flagsOrName(start)) {
			return Regex.Sequence.EMPTY;
		}
		Regex body = choice();
		next();
		this.ignoreCase = ignoreCase;
		this.multiline = multiline;
		this.dotAll = dotAll;
		return body;
	}

	private boolean flagsOrName(int start) {
		next();
		if (at("=") || at("!")) {
			throw unsupported("a look-ahead", start,
					"Write ab for a(?=b); for a(?!b), write the texts to deny instead of those to let through.");
		}
		if (at("<=") || at("<!")) {
			throw unsupported("a look-behind", start,
					"Write ab for (?<=a)b; for (?<!a)b, write the texts to deny instead of those to let through.");
		}
		if (at(">")) {
			throw unsupported("an atomic group", start,
					"Write (?:...) for (?>...): the search never goes back anyway.");
		}
		if (accept("<")) {
			this.position = this.pattern.indexOf('>', this.position) + 1;
			return false;
		}
		boolean on = true;
		for (int flag = next(); flag != ':' && flag != ')'; flag = next()) {
			switch (flag) {
				case '-' -> {
					on = false;
				}
				case 'i' -> {
					this.ignoreCase = on;
				}
				case 'm' -> {
					this.multiline = on;
				}
				case 's' -> {
					this.dotAll = on;
				}
				case 'u' -> {
					if (!on) {
						throw unsupported("the flag -u", start, "Remove it: case is always that of Unicode.");
					}
				}
				case 'x' ->
					throw unsupported("the flag x", start, "Write the pattern without blanks and comments in between.");
				case 'd' -> throw unsupported("the flag d", start, "Write \\n for the end of a line.");
				case 'U' -> throw unsupported("the flag U", start,
						"Write \\p{IsAlphabetic} for letters, \\p{Nd} for digits, \\p{IsWhite_Space} for blanks.");
				default -> throw unsupported("an unknown flag", start, "Remove it.");
			}
		}
		return this.pattern.charAt(this.position - 1) == ')';
	}

	private Regex escape() {
		int start = this.position;
		return switch (this.pattern.charAt(start + 1)) {
			case 'A' -> escapedPlace(Anchor.TEXT_START);
			case 'z' -> escapedPlace(Anchor.TEXT_END);
			case 'Z' -> escapedPlace(Anchor.LAST_LINE_END);
			case 'B' -> escapedPlace(Anchor.NO_WORD_EDGE);
			case 'b' -> {
				if (this.pattern.startsWith("{g}", start + 2)) {
					throw unsupported("a boundary of characters", start, "Write \\b for the edge of a word.");
				}
				yield escapedPlace(Anchor.WORD_EDGE);
			}
			case 'G' -> throw unsupported("\\G", start, "Write \\A for the start of the text.");
			case 'X' -> throw unsupported("\\X", start, "Write \\P{M}\\p{M}* for a letter with its marks.");
			case 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
				throw unsupported("a back-reference", start, "Write the alternatives out: (a.*a|b.*b) for (a|b).*\\1.");
			case 'R' -> {
				this.position += 2;
				yield new Regex.Choice(List.of(
						new Regex.Sequence(
								List.of(new Regex.Chars(CharSet.of('\r')), new Regex.Chars(CharSet.of('\n')))),
						new Regex.Chars(CharSet.range('\n', '\r').or(CharSet.LINE_TERMINATORS))));
			}
			default -> new Regex.Chars(groupOfCharacters());
		};
	}

	private Regex escapedPlace(Anchor anchor) {
		this.position += 2;
		return place(anchor);
	}

	private Regex place(Anchor anchor) {
		this.anchors.add(anchor);
		return new Regex.Place(anchor);
	}

	/** Before a hyphen in brackets, {@code \v} is the vertical tab alone. */
	private boolean isAtGroupOfCharacters() {
		return at("\\") && "dDwWsShHvVpP".indexOf(this.pattern.charAt(this.position + 1)) >= 0 && !at("\\v-");
	}

	private CharSet groupOfCharacters() {
		int start = this.position;
		next();
		int letter = next();
		this.skipsPairs |= Character.isUpperCase(letter);
		return switch (letter) {
			case 'd' -> CharSet.DIGITS;
			case 'D' -> CharSet.DIGITS.negate();
			case 'w' -> CharSet.WORD;
			case 'W' -> CharSet.WORD.negate();
			case 's' -> CharSet.SPACE;
			case 'S' -> CharSet.SPACE.negate();
			case 'p', 'P' -> {
				this.position = (at("{")) ? this.pattern.indexOf('}', this.position) + 1 : this.position + 1;
				yield javaSet(start);
			}
			default -> javaSet(start);
		};
	}

	private CharSet javaSet(int start) {
		String expression = this.pattern.substring(start, this.position);
		int flags = FLAGS | ((this.ignoreCase) ? Pattern.CASE_INSENSITIVE : 0);
		CharSet set = this.javaSets.computeIfAbsent(flags + expression, (key) -> CharSet.ofJava(expression, flags));
		this.skipsPairs |= hasPairsOrSurrogates(set);
		return set;
	}

	private static boolean hasPairsOrSurrogates(CharSet set) {
		return set.intersects(Character.MIN_SURROGATE, Character.MAX_SURROGATE)
				|| set.intersects(Character.MIN_SUPPLEMENTARY_CODE_POINT, Character.MAX_CODE_POINT);
	}

	private int escapedCharacter() {
		next();
		int letter = next();
		return switch (letter) {
			case 't' -> '\t';
			case 'n' -> '\n';
			case 'r' -> '\r';
			case 'f' -> '\f';
			case 'a' -> 7;
			case 'e' -> 27;
			case 'v' -> 0x0B;
			case 'c' -> next() ^ 64;
			case '0' -> octal();
			case 'x' -> (accept("{")) ? hexadecimal(this.pattern.indexOf('}', this.position) - this.position, 1)
					: hexadecimal(2, 0);
			case 'u' -> utf16();
			case 'N' -> named();
			default -> letter;
		};
	}

	private int octal() {
		int value = next() - '0';
		for (int digits = 1; digits < 3; digits++) {
			int digit = (this.position < this.pattern.length()) ? this.pattern.charAt(this.position) - '0' : -1;
			if (digit < 0 || digit > 7 || value * 8 + digit > 0xFF) {
				break;
			}
			value = value * 8 + digit;
			this.position++;
		}
		return value;
	}

	private int hexadecimal(int digits, int skipped) {
		int value = Integer.parseInt(this.pattern, this.position, this.position + digits, 16);
		this.position += digits + skipped;
		return value;
	}

	private int named() {
		int start = this.position + 1;
		int end = this.pattern.indexOf('}', start);
		this.position = end + 1;
		return Character.codePointOf(this.pattern.substring(start, end));
	}

	private int utf16() {
		int unit = hexadecimal(4, 0);
		if (Character.isHighSurrogate((char) unit) && at("\\u")) {
			int low = Integer.parseInt(this.pattern, this.position + 2, this.position + 6, 16);
			if (Character.isLowSurrogate((char) low)) {
				this.position += 6;
				return Character.toCodePoint((char) unit, (char) low);
			}
		}
		return unit;
	}

	/**
	 * Read a class in brackets. One with nested classes or intersections is left to Java.
	 */
	private CharSet bracket() {
		int start = this.position;
		next();
		boolean negated = accept("^");
		CharSet.Builder members = new CharSet.Builder();
		boolean first = true;
		while (first || !at("]")) {
			first = false;
			checkMember();
			if (at("[") || at("&&")) {
				return javaBracket(start);
			}
			if (isAtGroupOfCharacters()) {
				members.add(groupOfCharacters());
				continue;
			}
			int from = literal();
			if (at("-") && !this.pattern.startsWith("]", this.position + 1)
					&& !this.pattern.startsWith("[", this.position + 1)) {
				next();
				members.add(range(from, literal()));
			}
			else {
				CharSet set = alone(from);
				// Of Latin letters Java knows the cases without looking further.
				this.skipsPairs |= hasPairsOrSurrogates(set)
						|| (!set.equals(CharSet.of(from)) && (from > 0xFF || set.intersects(0x100, 0xFFFF)));
				members.add(set);
			}
		}
		next();
		this.skipsPairs |= negated;
		return (negated) ? members.build().negate() : members.build();
	}

	private CharSet range(int from, int to) {
		CharSet range = (this.ignoreCase) ? CharSet.rangeIgnoringCase(from, to) : CharSet.range(from, to);
		this.skipsPairs |= this.ignoreCase || hasPairsOrSurrogates(range);
		return range;
	}

	/** Refuse what other engines take for something else inside brackets. */
	private void checkMember() {
		if (at("[:") && this.pattern.indexOf(":]", this.position + 2) > 0) {
			throw unsupported("a POSIX class in brackets", this.position, "Write \\p{Alpha} for [:alpha:], and so on.");
		}
		if (at("&&]") || at("&&&")) {
			throw unsupported("an intersection with nothing", this.position, "Write \\& for the character itself.");
		}
	}

	private CharSet javaBracket(int start) {
		this.position = start;
		int open = 0;
		do {
			checkMember();
			int character = next();
			switch (character) {
				case '[' -> {
					open++;
					accept("^");
					accept("]");
				}
				case ']' -> open--;
				case '\\' -> {
					if (next() == 'c') {
						next();
					}
				}
				default -> {
				}
			}
		}
		while (open > 0);
		return javaSet(start);
	}

	private boolean at(String text) {
		return this.pattern.startsWith(text, this.position);
	}

	private boolean accept(String text) {
		boolean accepted = at(text);
		if (accepted) {
			this.position += text.length();
		}
		return accepted;
	}

	private int next() {
		int codePoint = this.pattern.codePointAt(this.position);
		this.position += Character.charCount(codePoint);
		return codePoint;
	}

	private static UnusablePatternException unsupported(String what, int offset, String action) {
		return new UnusablePatternException(
				"The pattern uses %s at offset %d, which is not supported.".formatted(what, offset), action);
	}

}
