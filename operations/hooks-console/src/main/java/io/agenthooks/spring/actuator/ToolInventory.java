package io.agenthooks.spring.actuator;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.SafeText;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.guard.EscapedTools;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.toolcall.ToolIdentity;

/** Makes no bean and asks no server: tools of servers are known once they were called. */
record ToolInventory(ConfigurableListableBeanFactory beanFactory, ObjectProvider<ToolHooks> hooks,
		ObjectProvider<GuardedType> types, ObjectProvider<EscapedTools> escaped,
		ObjectProvider<OfferedSchemas> offered) {

	private static final String SPRING_AI = "ToolCallingManager";

	private static final String LANGCHAIN4J = "AI services";

	private static final int MAX_SCHEMA = 64 * 1024;

	private static final StrictJson json = new StrictJson(Byte.MAX_VALUE);

	/** Whether a model was offered a tool of a name, which need not be a bean. */
	boolean isOffered(String tool) {
		return this.offered.stream().anyMatch((schemas) -> schemas.isKnown(tool));
	}

	/** As the model is told; {@code null} if it is not known for certain. */
	@Nullable Map<String, @Nullable Object> schemaOf(ToolIdentity tool, Found found) {
		Set<String> schemas = new HashSet<>(
				(tool.isOfApplication()) ? found.known().declaredOf(tool.modelName()) : Set.of());
		this.offered.stream()
			.map((offered) -> offered.toldOf(tool.modelName()))
			.filter(Objects::nonNull)
			.forEach((told) -> schemas.add(told.schema()));
		if (schemas.size() != 1 || schemas.iterator().next().length() > MAX_SCHEMA) {
			return null;
		}
		try {
			return json.readObject(schemas.iterator().next().getBytes(StandardCharsets.UTF_8));
		}
		catch (InvalidJsonException ex) {
			return null;
		}
	}

	Found find(List<JournalEntry> calls) {
		KnownTools known = KnownToolsFinder.findIn(this.beanFactory);
		boolean active = this.hooks.getIfAvailable() != null;
		List<GuardedType> types = this.types.orderedStream().filter(GuardedType::runsTools).toList();
		Set<String> escaped = new TreeSet<>();
		this.escaped.orderedStream().forEach((tools) -> escaped.addAll(tools.names()));
		Map<ToolIdentity, FoundTool> tools = new LinkedHashMap<>();
		for (KnownTools.Source source : known.sources()) {
			ToolIdentity identity = ToolIdentity.ofApplication(source.tool());
			String guardedBy = (active && !escaped.contains(source.tool())) ? guardOf(source, types) : null;
			FoundTool tool = new FoundTool(identity, sourceOf(source), guardedBy);
			tools.merge(identity, tool, (one, other) -> (!one.isGuarded()) ? one : (other.isGuarded()) ? one : other);
		}
		for (String tool : known.names()) {
			ToolIdentity identity = ToolIdentity.ofApplication(tool);
			tools.computeIfAbsent(identity,
					(absent) -> new FoundTool(absent, "known at the start", (active) ? "hooks" : null));
		}
		addCalled(calls, escaped, tools);
		for (String tool : escaped) {
			ToolIdentity identity = ToolIdentity.ofApplication(tool);
			tools.put(identity, new FoundTool(identity, "found at a model, or when it was called", null));
		}
		List<FoundTool> sorted = new ArrayList<>(tools.values());
		sorted.sort(FoundTool.ORDER);
		return new Found(sorted, known);
	}

	private static void addCalled(List<JournalEntry> calls, Set<String> escaped, Map<ToolIdentity, FoundTool> tools) {
		for (JournalEntry call : calls) {
			ToolIdentity identity = call.tool();
			if (call.isOfATool() && !tools.containsKey(identity) && !escaped.contains(identity.modelName())) {
				tools.put(identity, new FoundTool(identity, sourceOf(identity), "hooks"));
			}
		}
	}

	private static String sourceOf(ToolIdentity identity) {
		if (identity.isOfApplication()) {
			return "seen when it was called";
		}
		return (identity.server() != null) ? "MCP server '%s'".formatted(identity.server())
				: "an MCP server that is not known for certain";
	}

	private static String sourceOf(KnownTools.Source source) {
		return switch (source.kind()) {
			case EXECUTOR, TOOL_CALLBACK -> "bean '%s'".formatted(source.bean());
			case SPRING_AI_METHOD, LANGCHAIN4J_METHOD -> "method of the bean '%s'".formatted(source.bean());
		};
	}

	private @Nullable String guardOf(KnownTools.Source source, List<GuardedType> types) {
		return switch (source.kind()) {
			case EXECUTOR, TOOL_CALLBACK -> guardOfBean(source.bean(), types);
			// Nobody can call such a method by a way that is a bean and not guarded: that
			// stops the start.
			case SPRING_AI_METHOD -> labelOf(SPRING_AI, types);
			case LANGCHAIN4J_METHOD -> labelOf(LANGCHAIN4J, types);
		};
	}

	private static @Nullable String labelOf(String label, List<GuardedType> types) {
		return (types.stream().anyMatch((type) -> type.label().equals(label))) ? label : null;
	}

	private @Nullable String guardOfBean(String name, List<GuardedType> types) {
		Object bean = beanOf(name);
		if (bean == null) {
			return "hooks";
		}
		for (GuardedType type : types) {
			if (type.matches(bean)) {
				return (type.isGuarded(bean)) ? type.label() : null;
			}
		}
		// Tools as beans may stay what they are, and pass the hooks in a manager.
		return labelOf(SPRING_AI, types);
	}

	/** Without making it. One that is made later is looked at then. */
	private @Nullable Object beanOf(String name) {
		ConfigurableListableBeanFactory factory = this.beanFactory;
		Set<ConfigurableListableBeanFactory> seen = new HashSet<>();
		while (factory != null && seen.add(factory)) {
			if (factory.containsSingleton(name)) {
				return factory.getBean(name);
			}
			factory = (factory.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) ? parent
					: null;
		}
		return null;
	}

	record Found(List<FoundTool> tools, KnownTools known) {

		/** The sources that may have tools that are not known. */
		Set<String> unknown() {
			return this.known.unknowns();
		}

		/**
		 * With all inside of them, as they are shown; {@code null} if the tool may have
		 * any.
		 */
		@Nullable Set<String> argumentsOf(ToolIdentity tool) {
			Set<String> names = (tool.isOfApplication()) ? this.known.argumentsOf(List.of(tool.modelName())) : null;
			return (names != null) ? names.stream().map(SafeText::name).collect(Collectors.toSet()) : null;
		}

		List<FoundTool> named(String name) {
			return this.tools.stream().filter((tool) -> tool.identity().isNamed(name)).toList();
		}

	}

}
