package io.agenthooks.spring.arguments;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import com.networknt.schema.SchemaContext;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;
import io.agenthooks.pattern.UnusablePatternException;

/**
 * The library asks this for each pattern, which is also how parts of the schema find it.
 */
final class SchemaLimits implements RegularExpressionFactory {

	private static final int MAX_PARTS = 20_000;

	/** In bytes, roughly. */
	private static final int PART = 1_000;

	/** In bytes, roughly. */
	private static final int PATTERN = 100_000;

	/** The least cost of reading a pattern, compared to searching a character. */
	private static final int READING = 300_000;

	private static final int SEARCH = 150;

	static final String TOO_LONG = "It would take too long to check the arguments against the schema of the tool";

	private static final String TOO_LARGE = "The schema of the tool is too large to be checked";

	private static final String TOO_COSTLY = "The patterns in the schema of the tool cost too much to be checked";

	private static final String UNKNOWN = "A pattern in the schema of the tool cannot be checked safely";

	private static final ThreadLocal<@Nullable Budget> ofThread = new ThreadLocal<>();

	private final Map<String, RegularExpression> patterns = new HashMap<>();

	private final Budget reading = new Budget();

	private final PatternReader reader = new PatternReader(this.reading);

	private int parts;

	private boolean depends;

	private boolean tooCostly;

	static SchemaLimits of(SchemaContext context) {
		return (SchemaLimits) context.getSchemaRegistryConfig().getRegularExpressionFactory();
	}

	synchronized void addPart(String keyword, JsonNode schema) {
		this.parts += 1 + schema.size();
		if (this.parts > MAX_PARTS) {
			throw new TooCostlyException(TOO_LARGE);
		}
		this.depends |= keyword.startsWith("unevaluated") || keyword.startsWith("$dynamic")
				|| keyword.startsWith("$recursive");
	}

	/** Whether what a part says of a value depends on more than the two. */
	synchronized boolean depends() {
		return this.depends;
	}

	synchronized void check() {
		if (this.tooCostly) {
			throw new TooCostlyException(TOO_COSTLY);
		}
	}

	/** In bytes, roughly. */
	synchronized long weight() {
		return (long) PART * this.parts + (long) PATTERN * this.patterns.size();
	}

	static void within(Budget budget, Runnable check) {
		Budget around = ofThread.get();
		ofThread.set(budget);
		try {
			check.run();
		}
		finally {
			if (around != null) {
				ofThread.set(around);
			}
			else {
				ofThread.remove();
			}
		}
	}

	@Override
	public synchronized RegularExpression getRegularExpression(String regex) {
		RegularExpression known = this.patterns.get(regex);
		if (known == null) {
			try {
				known = read(regex);
			}
			catch (Budget.ExhaustedException ex) {
				// The library would log what is thrown here, with the pattern.
				this.tooCostly = true;
				known = refusal(TOO_COSTLY);
			}
			this.patterns.put(regex, known);
		}
		return known;
	}

	private RegularExpression read(String regex) {
		this.reading.spend(READING);
		String translated = EcmaPattern.translate(regex);
		if (translated.isEmpty()) {
			return (text) -> true;
		}
		Search search = search(translated);
		return (search != null) ? (text) -> find(search, text) : refusal(UNKNOWN);
	}

	private static RegularExpression refusal(String reason) {
		return (text) -> {
			throw new TooCostlyException(reason);
		};
	}

	private static boolean find(Search search, String text) {
		Budget budget = Objects.requireNonNullElseGet(ofThread.get(), Budget::new);
		try {
			budget.spend(SEARCH);
			return search.find(text, budget);
		}
		catch (Budget.ExhaustedException ex) {
			// The library would log any other exception, with the pattern.
			throw new TooCostlyException(TOO_LONG);
		}
	}

	private @Nullable Search search(String regex) {
		try {
			TextPattern pattern = this.reader.read(regex);
			PatternSet patterns = PatternSet.of(pattern);
			return (text, budget) -> patterns.find(text, budget) != null;
		}
		catch (UnusablePatternException ex) {
			JavaPattern pattern = JavaPattern.of(regex);
			return (pattern != null) ? pattern::find : null;
		}
	}

	@FunctionalInterface
	private interface Search {

		boolean find(String text, Budget budget);

	}

}
