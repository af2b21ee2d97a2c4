package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import io.agenthooks.toolcall.ToolIdentity;

/**
 * The rules on where the values of calls may come from.
 *
 * @param untrusted the tools whose results may be anyone's words
 * @param trusted the tools whose results name values; what is both is untrusted
 * @param secret the tools whose results are private
 * @param sinks the tools whose calls have effects, and who may name their values
 * @param always whether the rules hold also before untrusted data is there
 * @param deny whether a call is denied, and no person is asked
 * @param maxRuns how many runs are remembered
 * @since 0.1.0
 */
public record FlowRules(Predicate<ToolIdentity> untrusted, Predicate<ToolIdentity> trusted,
		Predicate<ToolIdentity> secret, List<Sink> sinks, boolean always, boolean deny, int maxRuns) {

	/** The runs that are remembered, unless it is said otherwise. */
	public static final int DEFAULT_MAX_RUNS = 10_000;

	/**
	 * Create the rules.
	 * @throws IllegalArgumentException if no run would be remembered
	 */
	public FlowRules {
		Objects.requireNonNull(untrusted, "'untrusted' must not be null");
		Objects.requireNonNull(trusted, "'trusted' must not be null");
		Objects.requireNonNull(secret, "'secret' must not be null");
		sinks = List.copyOf(sinks);
		if (maxRuns < 1) {
			throw new IllegalArgumentException("'maxRuns' must be 1 or more");
		}
	}

	/** A tool of a server makes its label only stricter by what it says about itself. */
	Label labelOf(ToolIdentity tool) {
		if (this.untrusted.test(tool)) {
			return Label.UNTRUSTED;
		}
		if (this.trusted.test(tool)) {
			return Label.TRUSTED;
		}
		return (Boolean.TRUE.equals(tool.hints().openWorld())) ? Label.UNTRUSTED : Label.NEUTRAL;
	}

	List<Sink> sinksFor(ToolIdentity tool) {
		return this.sinks.stream().filter((sink) -> sink.tools().test(tool)).toList();
	}

	enum Label {

		UNTRUSTED, NEUTRAL, TRUSTED

	}

	/**
	 * Tools whose calls have effects.
	 *
	 * @param tools the tools
	 * @param namedBy who may name the values of an argument, by the name of the argument;
	 * if it is empty, no call passes once untrusted data is there
	 * @since 0.1.0
	 */
	public record Sink(Predicate<ToolIdentity> tools, Map<String, List<Source>> namedBy) {

		public Sink {
			Objects.requireNonNull(tools, "'tools' must not be null");
			Map<String, List<Source>> copy = new LinkedHashMap<>();
			namedBy.forEach((argument, sources) -> copy.put(argument, List.copyOf(sources)));
			namedBy = Collections.unmodifiableMap(copy);
		}

	}

	/**
	 * A source of values.
	 *
	 * @since 0.1.0
	 */
	public sealed interface Source {

		/**
		 * The words of the user.
		 * @return the source
		 */
		static Source user() {
			return Plain.USER;
		}

		/**
		 * The results of trusted tools.
		 * @return the source
		 */
		static Source trusted() {
			return Plain.TRUSTED;
		}

		/**
		 * Return a source of the values that the rules themselves name. Of an address of
		 * the web the host is compared, or scheme, host and path if the glob has a
		 * scheme.
		 * @param globs values, or globs of them
		 * @return the source
		 * @throws IllegalArgumentException if a glob has a mistake
		 */
		static Source list(List<String> globs) {
			return Tested.of(globs);
		}

		/**
		 * Return a source that the application tests.
		 * @param test whether it names a value, which is given as the model wrote it,
		 * without blanks around it. It is asked by many threads, and one that throws
		 * names nothing.
		 * @return the source
		 */
		static Source test(Predicate<String> test) {
			return new Tested(test);
		}

	}

	enum Plain implements Source {

		USER, TRUSTED

	}

	record Tested(Predicate<String> test) implements Source {

		Tested {
			Objects.requireNonNull(test, "'test' must not be null");
		}

		static Tested of(List<String> globs) {
			List<ListedValue> listed = new ArrayList<>();
			globs.forEach((glob) -> listed.add(ListedValue.of(glob)));
			return new Tested((value) -> listed.stream().anyMatch((each) -> each.names(value)));
		}

		boolean names(String value) {
			try {
				return this.test.test(value);
			}
			catch (RuntimeException ex) {
				// Whoever cannot tell does not name it.
				return false;
			}
		}

	}

}
