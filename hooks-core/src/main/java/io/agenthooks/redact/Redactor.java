package io.agenthooks.redact;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternFinder;
import io.agenthooks.pattern.PatternFinder.Part;
import io.agenthooks.pattern.PatternFinder.Target;
import io.agenthooks.redact.RedactConfig.Strategy;
import io.agenthooks.redact.TextEdits.Kept;
import io.agenthooks.redact.Written.Scalar;

/**
 * Takes out of texts and JSON-like values what must not be seen. It is immutable, and
 * safe for use by many threads: make one and keep it.
 * <p>
 * A text is searched until nothing more is found in what is left of it, so redacting a
 * text again changes nothing; only {@link Strategy#REMOVE} takes the next word for a
 * password if the one before it is gone. Time grows with the length of a text alone, and
 * what would take more than about a quarter of a second, or is longer than
 * {@value #MAX_LENGTH} characters, is not passed on at all.
 * <p>
 * In maps, names are searched as well, and all that is below a member whose name is that
 * of a password goes. A text that is JSON or YAML is searched as the value that it is,
 * and stays JSON or YAML.
 *
 * @since 0.1.0
 */
public final class Redactor {

	private static final long CELLS = 1 << 21;

	/**
	 * The longest text that is searched. What is noted of each of its characters takes
	 * many times its memory.
	 */
	private static final int MAX_LENGTH = 4_000_000;

	private static final String UNSEARCHED = "[redacted: too large to be searched]";

	/** The cost of looking at something found, compared to searching a character. */
	private static final int HIT = 50;

	/** The cost of looking for numbers, for each character. */
	private static final long NUMBERS = 2;

	/** The cost of making a hash. */
	private static final int HASHING = 500;

	private final List<String> names;

	private final Markers.Names markers;

	private final Strategy strategy;

	/** The finder of all patterns: the own ones first, then the formats. */
	private final @Nullable PatternFinder finder;

	private final List<Format> formats;

	private final int ownPatterns;

	private final Set<Detector> detectors;

	/** The finders of what no pattern can tell. */
	private final Map<Detector, BiConsumer<String, BiConsumer<Integer, Integer>>> numbers = new EnumMap<>(
			Detector.class);

	/**
	 * Create a redactor.
	 * @param config what to take out, and what to put into its place
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public Redactor(RedactConfig config) {
		RedactReader reader = new RedactReader(config);
		this.detectors = reader.detectors();
		List<Target> targets = new ArrayList<>();
		this.names = new ArrayList<>();
		reader.patterns().forEach((name, forms) -> forms.forEach((form) -> {
			this.names.add(name);
			targets.add(new Target(null, form, null));
		}));
		reader.check();
		this.ownPatterns = targets.size();
		this.names.addAll(Detector.ids());
		this.markers = new Markers.Names(this.names);
		this.formats = Format.ALL.stream().filter((format) -> this.detectors.contains(format.detector())).toList();
		this.formats.forEach((format) -> targets.add(format.target()));
		this.finder = (targets.isEmpty()) ? null : new PatternFinder(targets, CELLS);
		this.numbers.put(Detector.PASSWORD, Tables::find);
		this.numbers.put(Detector.CARD, NumberKind.CARDS::find);
		this.numbers.put(Detector.PHONE, NumberKind.PHONES::find);
		this.numbers.put(Detector.IBAN, NumberKind.ACCOUNT_NUMBERS::find);
		this.numbers.put(Detector.SSN, NumberKind.SOCIAL::find);
		this.numbers.put(Detector.IP, NumberKind.ADDRESSES::find);
		this.numbers.keySet().retainAll(this.detectors);
		this.strategy = (config.strategy() != null) ? config.strategy() : Strategy.MASK;
	}

	/**
	 * A redactor with the detectors that search by default, that says what kind of thing
	 * was there.
	 * @return the redactor
	 */
	public static Redactor ofDefaults() {
		return Defaults.REDACTOR;
	}

	/**
	 * Redact a text.
	 * @param text the text
	 * @return the text without what must not be seen, the same object if there is nothing
	 * to hide, or a note in its place if it is too large to be searched
	 */
	public String redact(String text) {
		try {
			return redact(text, new Budget());
		}
		catch (Budget.ExhaustedException ex) {
			return UNSEARCHED;
		}
	}

	/**
	 * Redact a JSON-like value, such as the arguments of a call.
	 * @param values the members; what is neither text, number, boolean, list nor map
	 * cannot be searched and becomes {@code null}
	 * @return the members without what must not be seen, the same object if there is
	 * nothing to hide, or a note in their place if they are too large to be searched
	 */
	public Map<String, @Nullable Object> redact(Map<String, ? extends @Nullable Object> values) {
		try {
			return new ValueRedactor(this, new Search(new Budget())).redactMembers(values);
		}
		catch (Budget.ExhaustedException ex) {
			return Map.of("redacted", UNSEARCHED);
		}
	}

	/**
	 * Redact what leaves the application. Where it is unsure it hides: what looks like a
	 * placeholder, says of which type a secret is, or how many there are, goes as well.
	 * @param values the members
	 * @return the members without what must not be seen, the same object if there is
	 * nothing to hide, or {@code null} if they cannot be searched within the budget
	 */
	public @Nullable Map<String, @Nullable Object> redactStrictly(Map<String, ? extends @Nullable Object> values) {
		try {
			return ValueRedactor.strict(this, new Search(new Budget())).redactMembers(values);
		}
		catch (Budget.ExhaustedException ex) {
			return null;
		}
	}

	/**
	 * Find out what stands in a JSON-like value that must not be seen.
	 * @param value the value, such as a text, or the arguments of a call
	 * @param budget what the search may cost
	 * @return the names of the detectors and patterns that found something, in the order
	 * of the alphabet
	 * @throws Budget.ExhaustedException if the value is too large to be searched
	 */
	public Set<String> find(@Nullable Object value, Budget budget) {
		BitSet found = new BitSet();
		new ValueRedactor(this, new Search(budget, found)).redact(value);
		Set<String> names = new TreeSet<>();
		found.stream().forEach((kind) -> names.add(this.names.get(kind)));
		return names;
	}

	boolean isDenying() {
		return this.strategy == Strategy.DENY;
	}

	/** Whether a text has nothing to hide, as far as a quick look tells. */
	boolean isClean(String text, Budget budget) {
		if (this.ownPatterns > 0 || Suspicion.isIn(text)) {
			return false;
		}
		List<Hit> hits = new ArrayList<>();
		if (this.finder != null && !this.finder.find(text, budget).isEmpty()) {
			return false;
		}
		this.numbers.forEach((detector, numbers) -> {
			if (detector != Detector.PASSWORD && detector != Detector.CARD) {
				budget.spend(NUMBERS * text.length());
				numbers.accept(text, (start, end) -> hits.add(new Hit(0, start, end, true)));
			}
		});
		return hits.isEmpty();
	}

	String redact(String text, Budget budget) {
		return new ValueRedactor(this, new Search(budget)).redactText(text);
	}

	/** Redact a text as one that is no value. */
	String redactPlain(String text, List<Kept> kept, Search search) {
		checkLength(text);
		String redacted = text;
		List<Kept> parts = kept;
		List<Hit> hits = outside(parts, find(text, search.budget()));
		while (!hits.isEmpty()) {
			Replaced replaced = replace(redacted, hits, parts, search);
			redacted = replaced.text();
			parts = replaced.kept();
			hits = outside(parts, find(redacted, search.budget()));
			if (isRemoving()) {
				hits = hits.stream().filter(Hit::self).toList();
			}
		}
		return redacted;
	}

	private static void checkLength(String text) {
		if (text.length() > MAX_LENGTH) {
			throw new Budget.ExhaustedException();
		}
	}

	/** The rest of hits outside of some parts. */
	private static List<Hit> outside(List<Kept> parts, List<Hit> hits) {
		if (parts.isEmpty()) {
			return hits;
		}
		List<Hit> outside = new ArrayList<>();
		int next = 0;
		for (Hit hit : hits) {
			int start = hit.start();
			while (next < parts.size() && parts.get(next).end() <= start) {
				next++;
			}
			for (int i = next; i < parts.size() && parts.get(i).start() < hit.end(); i++) {
				if (start < parts.get(i).start()) {
					outside.add(new Hit(hit.kind(), start, parts.get(i).start(), hit.self()));
				}
				start = Math.max(start, parts.get(i).end());
			}
			if (start < hit.end()) {
				outside.add(new Hit(hit.kind(), start, hit.end(), hit.self()));
			}
		}
		return outside;
	}

	/**
	 * Find the scalars of values that patterns of one's own reach from outside of them,
	 * as one with the name of a member does. Those have to go as a whole.
	 */
	IdentityHashMap<Scalar, Integer> touched(String text, List<Written> values, Budget budget) {
		checkLength(text);
		IdentityHashMap<Scalar, Integer> touched = new IdentityHashMap<>();
		if (this.finder == null || this.ownPatterns == 0) {
			return touched;
		}
		List<Scalar> names = new ArrayList<>();
		List<Scalar> scalars = new ArrayList<>();
		values.forEach((value) -> WrittenValues.collect(value, names, scalars));
		for (Part part : this.finder.find(text, budget)) {
			budget.spend(HIT);
			if (part.target() < this.ownPatterns && !touch(part, scalars, touched, budget)) {
				touch(part, names, touched, budget);
			}
		}
		return touched;
	}

	private static boolean touch(Part part, List<Scalar> scalars, IdentityHashMap<Scalar, Integer> touched,
			Budget budget) {
		int first = 0;
		for (int last = scalars.size(); first < last;) {
			int middle = (first + last) >>> 1;
			if (scalars.get(middle).end() <= part.start()) {
				first = middle + 1;
			}
			else {
				last = middle;
			}
		}
		boolean isIn = false;
		for (int i = first; i < scalars.size() && scalars.get(i).start() < part.end(); i++) {
			Scalar scalar = scalars.get(i);
			budget.spend(1);
			isIn = true;
			if (part.start() < scalar.start() || part.end() > scalar.end()) {
				touched.putIfAbsent(scalar, part.target());
			}
		}
		return isIn;
	}

	boolean isRemoving() {
		return this.strategy == Strategy.REMOVE;
	}

	boolean searchesFor(Detector detector) {
		return this.detectors.contains(detector);
	}

	/** Replace a text that must not be seen at all. */
	String replacement(String text, Detector detector, Search search) {
		return replacement(text, this.names.indexOf(detector.id()), search);
	}

	/** Replace a text that must not be seen at all. */
	String replacement(String text, int kind, Search search) {
		checkLength(text);
		Markers markers = new Markers(text, this.markers, search.budget());
		return (markers.covers(0, text.length())) ? text : marker(text, kind, search);
	}

	private String marker(String text, int kind, Search search) {
		search.found().set(kind);
		if (this.strategy == Strategy.HASH) {
			search.budget().spend(HASHING + 10L * text.length());
		}
		return switch (this.strategy) {
			case MASK, DENY -> Markers.mask(this.names.get(kind));
			case HASH -> Markers.hash(this.names.get(kind), text.getBytes(StandardCharsets.UTF_8));
			case REMOVE -> "";
		};
	}

	private List<Hit> find(String text, Budget budget) {
		List<Hit> hits = new ArrayList<>();
		search(text, hits, budget);
		VisibleText visible = VisibleText.of(text);
		if (visible != null) {
			List<Hit> more = new ArrayList<>();
			search(visible.toString(), more, budget);
			more.forEach((hit) -> hits.add(visible.toOriginal(hit)));
		}
		if (hits.isEmpty()) {
			return hits;
		}
		hits.sort(Comparator.comparingInt(Hit::start));
		budget.spend((long) HIT * hits.size() + text.length());
		return merge(new Markers(text, this.markers, budget).exclude(hits));
	}

	private void search(String text, List<Hit> hits, Budget budget) {
		if (this.finder != null) {
			for (Part part : this.finder.find(text, budget)) {
				budget.spend(HIT);
				Hit hit = hit(text, part);
				if (hit != null) {
					hits.add(hit);
				}
			}
		}
		this.numbers.forEach((detector, numbers) -> {
			budget.spend(NUMBERS * text.length());
			int kind = this.names.indexOf(detector.id());
			numbers.accept(text, (start, end) -> hits.add(new Hit(kind, start, end, true)));
		});
	}

	private @Nullable Hit hit(String text, Part part) {
		int start = Escapes.startOf(text, part.start(), part.end());
		if (part.target() < this.ownPatterns) {
			return new Hit(part.target(), start, part.end(), true);
		}
		Format format = this.formats.get(part.target() - this.ownPatterns);
		return (!format.hides(text, start, part.end())) ? null
				: new Hit(this.names.indexOf(format.detector().id()), start, part.end(), format.isOfItself());
	}

	private static List<Hit> merge(List<Hit> hits) {
		List<Hit> merged = new ArrayList<>();
		for (Hit hit : hits) {
			Hit last = (merged.isEmpty()) ? null : merged.get(merged.size() - 1);
			if (last == null || last.end() <= hit.start()) {
				merged.add(hit);
			}
			else {
				merged.set(merged.size() - 1, new Hit(Math.min(last.kind(), hit.kind()), last.start(),
						Math.max(last.end(), hit.end()), last.self() || hit.self()));
			}
		}
		return merged;
	}

	private Replaced replace(String text, List<Hit> hits, List<Kept> kept, Search search) {
		StringBuilder replaced = new StringBuilder(text.length());
		List<Kept> moved = new ArrayList<>(kept.size());
		int position = 0;
		int next = 0;
		for (Hit hit : hits) {
			int shift = replaced.length() - position;
			for (; next < kept.size() && kept.get(next).start() < hit.start(); next++) {
				moved.add(kept.get(next).moved(shift));
			}
			replaced.append(text, position, hit.start());
			replaced.append(marker(text.substring(hit.start(), hit.end()), hit.kind(), search));
			position = hit.end();
		}
		int shift = replaced.length() - position;
		kept.subList(next, kept.size()).forEach((part) -> moved.add(part.moved(shift)));
		return new Replaced(replaced.append(text, position, text.length()).toString(), moved);
	}

	/** A search, and what it found so far. */
	record Search(Budget budget, BitSet found) {

		Search(Budget budget) {
			this(budget, new BitSet());
		}

	}

	/** A text in which hits were replaced. */
	private record Replaced(String text, List<Kept> kept) {
	}

	/** Made when first asked for. */
	private static final class Defaults {

		private static final Redactor REDACTOR = new Redactor(RedactConfig.defaults());

	}

}
