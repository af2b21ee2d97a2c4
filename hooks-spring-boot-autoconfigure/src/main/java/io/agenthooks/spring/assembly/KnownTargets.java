package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/** The tools as far as they are known, to say whether one would accept a call. */
final class KnownTargets {

	private final ConfigurableListableBeanFactory beanFactory;

	private final SingletonSupplier<KnownTools> tools;

	private final OfferedSchemas offered;

	KnownTargets(ConfigurableListableBeanFactory beanFactory, OfferedSchemas offered) {
		this.beanFactory = beanFactory;
		this.offered = offered;
		this.tools = SingletonSupplier.of(() -> KnownToolsFinder.findIfPossible(beanFactory));
	}

	/** The tool that would get a call, which is never run. */
	ToolExecutor of(ToolCall call) {
		ToolExecutor executor = executorOf(call);
		if (executor != null) {
			return new Target(executor::objection);
		}
		Set<String> schemas = schemasOf(call);
		return new Target((last) -> objection(schemas, last));
	}

	/** The reason why no schema of some accepts a call, or {@code null}. */
	private static @Nullable String objection(Set<String> schemas, ToolCall call) {
		String objection = null;
		for (String schema : schemas) {
			objection = ToolSchema.of(schema).objection(call.arguments());
			if (objection == null) {
				return null;
			}
		}
		return objection;
	}

	/** Whether all tools are known, and none of them has the name that is called. */
	boolean isUnknown(ToolCall call) {
		KnownTools known = this.tools.obtain();
		return known.unknown() == null && call.identity()
			.names()
			.stream()
			.noneMatch((name) -> known.names().contains(name) || this.offered.isKnown(name));
	}

	/** Whether it is certain which tool would get a call, and what that accepts. */
	boolean isCertain(ToolCall call) {
		return executorOf(call) != null || schemasOf(call).size() == 1;
	}

	/**
	 * None if not all are known. A server's tool may have the name and another schema.
	 */
	private Set<String> schemasOf(ToolCall call) {
		if (!call.identity().isOfApplication()) {
			return Set.of();
		}
		KnownTools known = this.tools.obtain();
		Set<String> schemas = new LinkedHashSet<>();
		if (known.names().contains(call.tool()) && !addAll(known.schemasOf(call.tool()), schemas)) {
			return Set.of();
		}
		if (this.offered.isKnown(call.tool()) && !addAll(this.offered.of(call.tool()), schemas)) {
			return Set.of();
		}
		return schemas;
	}

	/** Whether there are any; there is none if not all are known. */
	private static boolean addAll(Set<String> some, Set<String> schemas) {
		schemas.addAll(some);
		return !some.isEmpty();
	}

	/** The executor that knows the tool, or the only one, if nothing else brings any. */
	private @Nullable ToolExecutor executorOf(ToolCall call) {
		KnownTools known = this.tools.obtain();
		String tool = nameOf(call.identity());
		List<ToolExecutor> silent = new ArrayList<>();
		List<ToolExecutor> knowing = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(ToolExecutor.class, true, false)) {
			if (this.beanFactory.getSingleton(name) instanceof ToolExecutor executor) {
				Set<String> names = KnownToolsFinder.namesOf(executor);
				if (tool != null && names.contains(tool)) {
					knowing.add(executor);
				}
				else if (names.isEmpty()) {
					silent.add(executor);
				}
			}
		}
		if (knowing.isEmpty()) {
			boolean alone = silent.size() == 1 && known.unknowns().size() == 1;
			return (alone && call.identity().names().stream().noneMatch(known.names()::contains)) ? silent.get(0)
					: null;
		}
		boolean others = known.sources()
			.stream()
			.anyMatch((source) -> source.tool().equals(tool) && source.kind() != KnownTools.Kind.EXECUTOR);
		return (knowing.size() == 1 && !others) ? knowing.get(0) : null;
	}

	/** The name by which this very tool is known, and no other of its name. */
	private static @Nullable String nameOf(ToolIdentity tool) {
		return (tool.isOfApplication()) ? tool.name()
				: (tool.server() != null) ? tool.server() + "__" + tool.name() : null;
	}

	/** A tool of which it is only asked whether it accepts a call. */
	private record Target(Function<ToolCall, @Nullable String> objections) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			throw new IllegalStateException("Nobody runs a tool to explain a call");
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return this.objections.apply(call);
		}

	}

}
