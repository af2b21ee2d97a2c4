package io.agenthooks.redact;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.NumberText;
import io.agenthooks.redact.Redactor.Search;
import io.agenthooks.redact.Written.Mapping;
import io.agenthooks.redact.Written.Scalar;
import io.agenthooks.redact.Written.Sequence;
import io.agenthooks.redact.Written.Style;

/**
 * Redacts a JSON-like value: maps, lists, and texts, also where such a text is itself
 * JSON or YAML. What has nothing to hide stays the same object; what cannot be searched
 * becomes {@code null}.
 * <p>
 * All that is below a name of secrets goes, and so does the value of a pair whose name is
 * one. What stands for a secret, but may be none, stays unless the walk is strict.
 */
final class ValueRedactor {

	private static final int MAX_DEPTH = 64;

	/** The cost of looking at a value, beside searching it. */
	private static final int VALUE = 20;

	/** Longer texts are no names. */
	private static final int MAX_NAME = 256;

	private static final int MAX_REMEMBERED = 1_000;

	/** Lists of more names are no columns. */
	private static final int MAX_COLUMNS = 64;

	/** Members of a Secret of Kubernetes. */
	private static final Set<String> IN_SECRETS = Set.of("data", "stringData");

	/** Names of several words, without digits. */
	private static final Pattern COMPOUND = Pattern.compile("[A-Za-z]{1,40}(?:[_.-][A-Za-z]{1,40}){1,6}");

	private final Redactor redactor;

	private final Search search;

	private final Budget budget;

	/** Whether everything goes that may be a password. */
	private final boolean strict;

	/** Names that were met, and whether they are those of secrets. */
	private final Map<String, Boolean> names = new HashMap<>();

	/** Names that were met, redacted. */
	private final Map<String, String> redactedNames = new HashMap<>();

	private int depth;

	/** The text that is walked, or {@code null} if it is a value. */
	private @Nullable TextEdits edits;

	ValueRedactor(Redactor redactor, Search search) {
		this(redactor, search, false);
	}

	private ValueRedactor(Redactor redactor, Search search, boolean strict) {
		this.redactor = redactor;
		this.search = search;
		this.budget = search.budget();
		this.strict = strict;
	}

	/** A redactor that hides where it is unsure. */
	static ValueRedactor strict(Redactor redactor, Search search) {
		return new ValueRedactor(redactor, search, true);
	}

	@Nullable Object redact(@Nullable Object value) {
		return redact(value, false);
	}

	@SuppressWarnings("unchecked")
	Map<String, @Nullable Object> redactMembers(Map<String, ? extends @Nullable Object> members) {
		Object redacted = redact(members, false);
		return (redacted != null) ? (Map<String, @Nullable Object>) redacted : Map.of();
	}

	String redactText(String text) {
		if (this.redactor.isClean(text, this.budget)) {
			return text;
		}
		String redacted = text;
		List<Written> values = WrittenValues.find(text, this.budget);
		while (true) {
			TextEdits written = (values.isEmpty()) ? null : edits(redacted, values);
			String next = (written != null)
					? written.apply((around, kept) -> this.redactor.redactPlain(around, kept, this.search))
					: this.redactor.redactPlain(redacted, List.of(), this.search);
			if (next.equals(redacted) || this.redactor.isRemoving() || (written != null && written.isAll())) {
				return next;
			}
			// What was replaced may have kept another value from being one.
			List<Written> more = WrittenValues.find(next, this.budget);
			if (values.isEmpty() && more.isEmpty()) {
				return next;
			}
			redacted = next;
			values = more;
		}
	}

	private TextEdits edits(String text, List<Written> values) {
		descend();
		TextEdits around = this.edits;
		TextEdits inside = new TextEdits(text, values, this.redactor.touched(text, values, this.budget));
		this.edits = inside;
		try {
			for (Written value : values) {
				redact(value, WrittenValues.isNamed(text, value.start(), this::tells));
			}
			return inside;
		}
		finally {
			this.edits = around;
			this.depth--;
		}
	}

	private void descend() {
		if (++this.depth > MAX_DEPTH) {
			throw new Budget.ExhaustedException();
		}
	}

	private @Nullable Object redact(@Nullable Object value, boolean isPassword) {
		this.budget.spend(VALUE);
		if (value == null || value instanceof Boolean) {
			return value;
		}
		if (value instanceof String text) {
			return redactText(text, isPassword);
		}
		if (value instanceof Number number) {
			return redactNumber(number, isPassword);
		}
		if (value instanceof Scalar scalar) {
			return redactScalar(scalar, isPassword);
		}
		descend();
		try {
			return redactParts(value, isPassword);
		}
		finally {
			this.depth--;
		}
	}

	private @Nullable Object redactParts(Object value, boolean isPassword) {
		if (value instanceof Map<?, ?> map) {
			return redactMap(map, isPassword);
		}
		if (value instanceof Mapping mapping) {
			return redactMembers(new Members(mapping), isPassword);
		}
		if (value instanceof Collection<?> collection) {
			return redactList(collection, value, isPassword);
		}
		if (value instanceof Sequence sequence) {
			return redactList(sequence.elements(), value, isPassword);
		}
		return (value instanceof Object[] array) ? redactList(Arrays.asList(array), value, isPassword) : null;
	}

	private @Nullable Object redactScalar(Scalar scalar, boolean isPassword) {
		Object said = scalar.value();
		TextEdits text = Objects.requireNonNull(this.edits);
		Integer touched = text.kindOf(scalar);
		if (touched != null && said != null && !(said instanceof Boolean)) {
			return text.replace(scalar, this.redactor.replacement(said.toString(), touched, this.search));
		}
		boolean isHarmless = isPassword && !this.strict && scalar.style() == Style.PLAIN && said instanceof String plain
				&& Prose.isPlainValue(plain);
		Object redacted = redact(said, isPassword && !isHarmless);
		return (Objects.equals(redacted, said)) ? scalar : text.replace(scalar, redacted);
	}

	private String redactText(String text, boolean isPassword) {
		if (isPassword && !text.isEmpty()
				&& (this.strict || !(Harmless.placeholder(text, 0, text.length()) || Prose.isComplaint(text)))) {
			return this.redactor.replacement(text, Detector.PASSWORD, this.search);
		}
		return redactText(text);
	}

	private @Nullable Object redactNumber(Number number, boolean isPassword) {
		String text = textOf(number);
		if (text == null) {
			return null;
		}
		String redacted = redactText(text, isPassword);
		return (redacted.equals(text)) ? number : redacted;
	}

	/**
	 * The digits of a number, without an exponent, or {@code null} if it is none of JSON
	 * or has too many of them.
	 */
	private static @Nullable String textOf(Number number) {
		if (number instanceof Integer || number instanceof Long || number instanceof Short || number instanceof Byte) {
			return number.toString();
		}
		if ((number instanceof Double || number instanceof Float) && !Double.isFinite(number.doubleValue())) {
			return number.toString();
		}
		boolean isSearchable = (number instanceof BigDecimal decimal) ? !NumberText.hasManyZeros(decimal)
				: number instanceof BigInteger || number instanceof Double || number instanceof Float;
		return (isSearchable && NumberText.isWritable(number)) ? NumberText.plain(number, number.toString()) : null;
	}

	private Object redactList(Collection<?> list, Object original, boolean isPassword) {
		List<@Nullable Object> redacted = new ArrayList<>();
		boolean isSame = true;
		boolean isNamed = false;
		boolean isInKey = false;
		boolean areNames = isPassword && !this.strict && list.stream().anyMatch(ValueRedactor::isNameOfSecret);
		boolean arePairs = !isPassword && list.stream().allMatch(ValueRedactor::isPair);
		boolean isTable = !isPassword && !(arePairs && list.stream().anyMatch(this::tellsFirst));
		List<@Nullable String> columns = (isTable) ? columns((list.isEmpty()) ? null : list.iterator().next())
				: List.of();
		isTable = isTable(list, columns);
		for (Object element : list) {
			Object searched;
			if (arePairs && tellsFirst(element)) {
				searched = redactRow(element, (position) -> position == 1);
			}
			else if (isTable && !redacted.isEmpty()) {
				searched = redactRow(element, columns);
			}
			else {
				String text = Members.textIn(element);
				isInKey |= text != null && KeyLines.begins(text) && this.redactor.searchesFor(Detector.SECRET);
				searched = redact(element, (isPassword && !(areNames && isCompound(element))) || isNamed || isInKey);
				isInKey &= text == null || !KeyLines.ends(text);
				isNamed = text != null && isOption(text);
			}
			isSame &= Objects.equals(searched, element);
			redacted.add(searched);
		}
		return (isSame) ? original : Collections.unmodifiableList(redacted);
	}

	/**
	 * Whether an element says how a secret is called, as where services list which ones
	 * they use: {@code secrets: [db_password]}.
	 */
	private static boolean isNameOfSecret(@Nullable Object element) {
		return isCompound(element) && SecretNames.tells(String.valueOf(Members.textIn(element)));
	}

	private static boolean isCompound(@Nullable Object element) {
		String text = Members.textIn(element);
		return text != null && COMPOUND.matcher(text).matches();
	}

	/**
	 * Whether this is a list of a name and its value, as those of a map are told in a
	 * list of lists.
	 */
	private static boolean isPair(@Nullable Object value) {
		List<?> list = Members.listIn(value);
		return list.size() == 2 && Members.textIn(list.get(0)) != null;
	}

	private boolean tellsFirst(@Nullable Object pair) {
		String name = Members.textIn(Members.listIn(pair).get(0));
		return name != null && tellsAsName(name);
	}

	/**
	 * Whether a text is a name of secrets, rather than one in which something was found.
	 */
	private boolean tellsAsName(String text) {
		return text.length() <= MAX_NAME && text.chars().noneMatch((character) -> "=[{<(".indexOf(character) >= 0)
				&& tells(text.strip());
	}

	/**
	 * The names of columns that are those of secrets, and {@code null} for each of the
	 * others; none if a value names no columns.
	 */
	private List<@Nullable String> columns(@Nullable Object value) {
		List<?> list = Members.listIn(value);
		if (list.size() < 2 || list.size() > MAX_COLUMNS) {
			return List.of();
		}
		List<@Nullable String> columns = new ArrayList<>();
		boolean tells = false;
		for (Object element : list) {
			String name = columnName(element);
			if (name == null) {
				return List.of();
			}
			boolean isSecret = tellsAsName(name);
			columns.add((isSecret) ? name : null);
			tells |= isSecret;
		}
		return (tells) ? columns : List.of();
	}

	/** The name of a column: a text, or the one in its description. */
	private static @Nullable String columnName(@Nullable Object element) {
		Members members = Members.in(element);
		if (members == null) {
			return Members.textIn(element);
		}
		for (int i = 0; i < members.size(); i++) {
			if (SecretNames.isNameOfPair(members.name(i))) {
				return Members.textIn(members.value(i));
			}
		}
		return null;
	}

	/** Whether all elements are rows of as many cells as there are columns. */
	private boolean isTable(Collection<?> rows, List<@Nullable String> columns) {
		this.budget.spend(rows.size());
		return !columns.isEmpty() && rows.stream().allMatch((row) -> Members.listIn(row).size() == columns.size());
	}

	private Object redactRow(@Nullable Object row, List<@Nullable String> columns) {
		return redactRow(row, (position) -> {
			String column = columns.get(position);
			return column != null && !isCount(column, Members.listIn(row).get(position));
		});
	}

	private Object redactRow(@Nullable Object row, IntPredicate isSecret) {
		List<?> list = Members.listIn(row);
		List<@Nullable Object> redacted = new ArrayList<>();
		for (int i = 0; i < list.size(); i++) {
			redacted.add(redact(list.get(i), isSecret.test(i)));
		}
		return (redacted.equals(list)) ? Objects.requireNonNull(row) : Collections.unmodifiableList(redacted);
	}

	/**
	 * Redact a member that has no name of secrets: what else the map says of it tells
	 * whether it has rows of columns, or headers and their values in turn.
	 */
	private @Nullable Object redactMember(String name, @Nullable Object value, List<@Nullable String> columns) {
		List<?> list = Members.listIn(value);
		if (!list.isEmpty() && isTable(list, columns)) {
			List<Object> rows = list.stream().<Object>map((row) -> redactRow(row, columns)).toList();
			return (rows.equals(list)) ? value : rows;
		}
		return (name.toLowerCase(Locale.ROOT).endsWith("headers")) ? redactHeaders(value, list) : redact(value, false);
	}

	private @Nullable Object redactHeaders(@Nullable Object value, List<?> list) {
		boolean isFlat = list.size() % 2 == 0 && list.stream().allMatch((element) -> Members.textIn(element) != null);
		return (isFlat && !list.isEmpty())
				? redactRow(value, (position) -> position % 2 == 1 && isHeader(list.get(position - 1)))
				: redact(value, false);
	}

	/** Whether this is a header of credentials, rather than the name of a column. */
	private boolean isHeader(@Nullable Object element) {
		String name = String.valueOf(Members.textIn(element));
		return tellsAsName(name)
				&& (name.indexOf('-') > 0 || name.equalsIgnoreCase("cookie") || SecretNames.isCredentials(name));
	}

	/**
	 * Whether an element of a list says that the next one is a password, as words of a
	 * command line do.
	 */
	private boolean isOption(String text) {
		return text.startsWith("-") && text.length() <= MAX_NAME && text.indexOf('=') < 0 && tells(text);
	}

	/** Redact a map; one whose names are not texts cannot be searched. */
	private @Nullable Object redactMap(Map<?, ?> map, boolean isPassword) {
		return (map.keySet().stream().allMatch(String.class::isInstance)) ? redactMembers(new Members(map), isPassword)
				: null;
	}

	private Object redactMembers(Members members, boolean isNamed) {
		boolean isPassword = isNamed && (this.strict || !Descriptions.isOne(members, this.budget));
		Map<String, @Nullable Object> redacted = new LinkedHashMap<>();
		Map<String, Integer> used = new HashMap<>();
		boolean isSame = true;
		Predicate<String> beside = (isPassword) ? (name) -> true : besideNames(members);
		boolean isSchema = isPassword && !this.strict && Descriptions.isSchema(members);
		List<@Nullable String> columns = (isPassword) ? List.of() : columns(members);
		for (int i = 0; i < members.size(); i++) {
			String name = members.name(i);
			Object value = members.value(i);
			boolean isHidden = (isPassword) ? !(isSchema && Descriptions.isOfSchema(members, i))
					: (tells(name) && !isCount(name, value)) || beside.test(name);
			String searched = redactName(members, i);
			Object hidden = (isHidden) ? redact(value, true) : redactMember(name, value, columns);
			if (!searched.equals(name)) {
				searched = unused(searched, members, used);
				members.rename(i, searched, this.edits);
			}
			isSame &= searched.equals(name) && Objects.equals(hidden, value);
			used.putIfAbsent(searched, 1);
			redacted.put(searched, hidden);
		}
		return (isSame) ? members.original() : Collections.unmodifiableMap(redacted);
	}

	private List<@Nullable String> columns(Members members) {
		for (int i = 0; i < members.size(); i++) {
			List<@Nullable String> columns = columns(members.value(i));
			if (!columns.isEmpty()) {
				return columns;
			}
		}
		return List.of();
	}

	private String redactName(Members members, int position) {
		Scalar written = members.scalar(position);
		Integer touched = (this.edits != null && written != null) ? this.edits.kindOf(written) : null;
		String name = members.name(position);
		if (touched != null) {
			return this.redactor.replacement(name, touched, this.search);
		}
		// Most are those of a schema, so they come again.
		String known = this.redactedNames.get(name);
		if (known == null) {
			known = this.redactor.redactPlain(name, List.of(), this.search);
			if (this.redactedNames.size() < MAX_REMEMBERED && name.length() <= MAX_NAME) {
				this.redactedNames.put(name, known);
			}
		}
		return known;
	}

	/**
	 * Whether a number says how many there are of what it is named after, or all numbers
	 * of a map do: {@code tokens: {input: 12, output: 7}}.
	 */
	private boolean isCount(String name, @Nullable Object value) {
		Object said = (value instanceof Scalar scalar) ? scalar.value() : value;
		if (this.strict) {
			return false;
		}
		if (said instanceof Number number) {
			return SecretNames.isCounted(name, number);
		}
		Members members = Members.in(value);
		return members != null && SecretNames.isCounted(name, 0) && areCounts(members);
	}

	private boolean areCounts(Members members) {
		for (int i = 0; i < members.size(); i++) {
			this.budget.spend(VALUE);
			Object value = members.value(i);
			Members inner = Members.in(value);
			Object said = (value instanceof Scalar scalar) ? scalar.value() : value;
			boolean isCount = (inner != null) ? areCounts(inner)
					: said instanceof Number && SecretNames.isOfCount(members.name(i));
			if (!isCount) {
				return false;
			}
		}
		return members.size() > 0;
	}

	/**
	 * Which members of a map are secrets because of what stands beside them: the value of
	 * a pair, and all in a Secret of Kubernetes.
	 */
	private Predicate<String> besideNames(Members members) {
		boolean isSecret = false;
		boolean isPair = false;
		boolean isNamed = false;
		for (int i = 0; i < members.size(); i++) {
			String text = Members.textIn(members.value(i));
			String name = members.name(i);
			if (text == null) {
				continue;
			}
			isSecret |= (name.equals("kind") && text.equals("Secret")) || (name.equals("type") && isTypeOfSecret(text));
			boolean isName = SecretNames.isNameOfPair(name)
					|| (name.equals("type") && text.equalsIgnoreCase("password"));
			if ((isName || SecretNames.isTitleOfPair(name)) && !tells(name) && tellsAsName(text)) {
				isPair = true;
				isNamed |= isName;
			}
		}
		boolean all = isSecret && this.redactor.searchesFor(Detector.SECRET);
		boolean value = isPair;
		boolean content = isNamed;
		return (member) -> (all && IN_SECRETS.contains(member)) || (value && SecretNames.isValueOfPair(member))
				|| (content && SecretNames.isContentOfPair(member));
	}

	private static boolean isTypeOfSecret(String type) {
		return type.equals("Opaque") || type.startsWith("kubernetes.io/");
	}

	private boolean tells(String name) {
		Boolean known = this.names.get(name);
		if (known == null) {
			this.budget.spend(2L * name.length());
			known = (this.redactor.searchesFor(Detector.SECRET) && SecretNames.isCredentials(name))
					|| (this.redactor.searchesFor(Detector.PASSWORD) && SecretNames.tells(name));
			if (this.names.size() < MAX_REMEMBERED && name.length() <= MAX_NAME) {
				this.names.put(name, known);
			}
		}
		return known;
	}

	/** A name that no other member has: several secrets may leave the same. */
	private String unused(String name, Members members, Map<String, Integer> used) {
		String unused = name;
		int number = used.getOrDefault(name, 1);
		while (members.has(unused) || used.containsKey(unused)) {
			this.budget.spend(VALUE + (long) name.length());
			unused = name + "#" + ++number;
		}
		used.put(name, number);
		return unused;
	}

}
