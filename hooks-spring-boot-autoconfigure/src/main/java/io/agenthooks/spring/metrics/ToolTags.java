package io.agenthooks.spring.metrics;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * The values that names of called tools have in metrics and traces. A model invents
 * names, so only those that executors declare become values. If there may be others, so
 * do the first {@value ToolTag#MAX_NAMES} other names that were called, except those of
 * which a framework knew that there is no such tool.
 *
 * @since 0.1.0
 */
public final class ToolTags {

	/** The value for all other names. */
	public static final String UNKNOWN = "unknown";

	private final Supplier<NamedTools> tools;

	private final ToolTag tag = new ToolTag();

	ToolTags(Supplier<NamedTools> tools) {
		this.tools = tools;
	}

	/**
	 * The values in an application. Executors are looked at when the first call is made:
	 * they may need the hooks.
	 * @param executors the executors
	 * @param guarded what is guarded, which may have other tools
	 * @return the values
	 */
	public static ToolTags of(ObjectProvider<ToolExecutor> executors, ObjectProvider<GuardedType> guarded) {
		return new ToolTags(SingletonSupplier.of(() -> declaredTools(executors, guarded))::obtain);
	}

	/** A library with tools of its own knows itself which names are invented. */
	private static NamedTools declaredTools(ObjectProvider<ToolExecutor> executors,
			ObjectProvider<GuardedType> guarded) {
		List<Set<String>> declared = executors.stream().map(ToolExecutor::toolNames).toList();
		boolean onlyExecutors = guarded.stream()
			.allMatch((type) -> !type.runsTools() || type.types().equals(List.of(ToolExecutor.class)));
		return new NamedTools(declared.stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet()),
				onlyExecutors && !declared.isEmpty() && declared.stream().noneMatch(Set::isEmpty));
	}

	/**
	 * The value for a tool that was called.
	 * @param tool the name of the tool
	 * @param decidedBy who settled the call, or {@code null} if nobody objected
	 * @return the name, or {@value #UNKNOWN}
	 */
	public String of(String tool, @Nullable String decidedBy) {
		if (BuiltInDecider.TOOL_NAME.value().equals(decidedBy)
				|| BuiltInDecider.UNKNOWN_TOOL.value().equals(decidedBy)) {
			return UNKNOWN;
		}
		NamedTools known = this.tools.get();
		if (known.names().contains(tool)) {
			return tool;
		}
		return (known.complete()) ? UNKNOWN : this.tag.of(tool);
	}

	record NamedTools(Set<String> names, boolean complete) {
	}

}
