package io.agenthooks.spring.origin;

import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the tools that a tool of the application wraps. A wrapper does not say what it
 * wraps, so this reads its fields, and those of what it holds: proxies, lambdas, arrays,
 * collections, and objects of the application itself. Libraries are not read, apart from
 * their tools and from what supplies an object later.
 * <p>
 * These objects are in use. Nothing of the application is called: only a collection of
 * {@code java.util} that stores its elements itself is asked for them. What a field is
 * declared to hold, and does not hold yet or hides, makes the result uncertain.
 *
 * @param <T> the type of wrappers, and of what they hold
 * @since 0.1.0
 */
public final class WrappedTools<T> {

	private final Predicate<Class<?>> kind;

	private final Predicate<Class<?>> wanted;

	private final Predicate<Class<?>> trace;

	private final Predicate<Class<?>> closed;

	private final ClassValue<FieldPlan> types = new ClassValue<>() {

		@Override
		protected FieldPlan computeValue(Class<?> type) {
			return planOf(type);
		}

	};

	/**
	 * Create a search.
	 * @param kind the type of wrappers, and of what they hold
	 * @param wanted whether tools of a class are searched for
	 * @param trace whether objects of a class lead to such tools in an unknown way
	 * @param closed whether objects of a class are not read
	 */
	public WrappedTools(Class<T> kind, Predicate<Class<?>> wanted, Predicate<Class<?>> trace,
			Predicate<Class<?>> closed) {
		this(kind::isAssignableFrom, wanted, trace, closed);
	}

	private WrappedTools(Predicate<Class<?>> kind, Predicate<Class<?>> wanted, Predicate<Class<?>> trace,
			Predicate<Class<?>> closed) {
		this.kind = kind;
		this.wanted = wanted;
		this.trace = trace;
		this.closed = closed;
	}

	/**
	 * Create a search for tools that have no type in common.
	 * @param kind whether objects of a class are wrappers, or what these hold
	 * @param wanted whether tools of a class are searched for
	 * @param closed whether objects of a class are not read
	 * @return the search
	 */
	public static WrappedTools<Object> of(Predicate<Class<?>> kind, Predicate<Class<?>> wanted,
			Predicate<Class<?>> closed) {
		return new WrappedTools<>(kind, wanted, (type) -> false, closed);
	}

	private FieldPlan planOf(Class<?> type) {
		boolean tool = this.kind.test(type);
		if (tool && this.wanted.test(type)) {
			return FieldPlan.WANTED;
		}
		if (this.trace.test(type)) {
			return FieldPlan.TRACE;
		}
		return (this.closed.test(type)) ? FieldPlan.LEAF : FieldPlan.of(type, tool, this::isToolOrTrace);
	}

	private boolean isToolOrTrace(Class<?> type) {
		return this.kind.test(type) || this.trace.test(type);
	}

	/**
	 * Find tools in a wrapper.
	 * @param wrapper the wrapper, which may be such a tool itself
	 * @return the tools
	 */
	public Contents<T> find(T wrapper) {
		ToolSearch search = new ToolSearch(this.types::get, this::isToolOrTrace);
		search.search(wrapper);
		return new Contents<>(search.found().stream().map(this::cast).toList(), search.isCertain());
	}

	@SuppressWarnings("unchecked") // it is of this kind
	private T cast(Object found) {
		return (T) found;
	}

	/**
	 * The tools in a wrapper.
	 *
	 * @param <T> the type of wrappers, and of what they hold
	 * @param tools the tools that were found, each once
	 * @param certain whether there can be no other: nothing was hidden or missing, and
	 * nothing leads to others in an unknown way
	 * @since 0.1.0
	 */
	public record Contents<T>(List<T> tools, boolean certain) {
	}

}
