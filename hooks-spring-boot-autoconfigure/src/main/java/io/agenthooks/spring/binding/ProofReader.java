package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.PropertyResolver;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.toolcall.ToolCall;

/**
 * Reads {@code prove} of an entry: a call that its hook must deny at the start, or a list
 * of such calls. The values of arguments are those that YAML has: texts, numbers, true
 * and false, lists and maps.
 */
final class ProofReader {

	static final String KEY = "prove";

	private static final String TOOL = "tool";

	private static final String ARGUMENTS = "arguments";

	private static final String FORM = "Write it as 'prove: {tool: ..., arguments: {...}}', or as a list of such calls.";

	private final TextReader texts;

	private final List<Mistake> problems;

	ProofReader(PropertyResolver properties, List<Mistake> problems) {
		this.texts = new TextReader(properties, problems);
		this.problems = problems;
	}

	List<ConfiguredHooks.Proof> read(PropertyNode node) {
		if (node.hasValue()) {
			problem(node, (node.isBlank()) ? "is empty" : "is a single value", FORM);
			return List.of();
		}
		List<PropertyNode> calls = (node.isList()) ? node.childrenInOrder() : List.of(node);
		return calls.stream().map(this::readCall).filter(Objects::nonNull).toList();
	}

	private ConfiguredHooks.@Nullable Proof readCall(PropertyNode node) {
		int before = this.problems.size();
		if (node.hasValue()) {
			problem(node, "is a single value", FORM);
		}
		for (PropertyNode child : node.children()) {
			if (!child.uniformName().equals(TOOL) && !child.uniformName().equals(ARGUMENTS)) {
				problem(child, "is not an option here",
						Spelling.didYouMean(child.plainName(), List.of(TOOL, ARGUMENTS)) + FORM);
			}
		}
		PropertyNode tool = node.child(TOOL);
		Object name = (tool != null && !tool.isBlank()) ? readValue(tool) : null;
		if (this.problems.size() == before && !(name instanceof String)) {
			problem((tool != null) ? tool : node, "does not name the tool of a call", FORM);
		}
		PropertyNode arguments = node.child(ARGUMENTS);
		Map<String, @Nullable Object> values = (arguments != null) ? readArguments(arguments) : Map.of();
		if (this.problems.size() > before || !(name instanceof String called)) {
			return null;
		}
		try {
			ToolCall.of(called, values);
			return new ConfiguredHooks.Proof(called, values, node.path(), node.place());
		}
		catch (IllegalArgumentException ex) {
			// Why may quote a value.
			problem(node, "is not a call that can be made", "Correct the name of the tool, or the arguments.");
			return null;
		}
	}

	private Map<String, @Nullable Object> readArguments(PropertyNode node) {
		if (node.isBlank()) {
			return Map.of();
		}
		if (node.hasValue() || node.isList()) {
			problem(node, "is not a map of arguments", "Write names with their values below it.");
			return Map.of();
		}
		return readMembers(node);
	}

	private Map<String, @Nullable Object> readMembers(PropertyNode node) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		for (PropertyNode child : node.children()) {
			if (child.isFromEnvironment()) {
				problem(child, "cannot be written as an environment variable, which loses the case of names",
						"Write it in a configuration file or SPRING_APPLICATION_JSON.");
			}
			else if (child.isWordOfYaml() || child.plainName().isEmpty()) {
				problem(child, "is a key that YAML does not read as text", "Write the key in quotes.");
			}
			else {
				members.put(child.plainName(), readValue(child));
			}
		}
		return members;
	}

	/** Spring Boot does not tell null, or an empty list or map, from an empty text. */
	private @Nullable Object readValue(PropertyNode node) {
		if (!node.hasValue()) {
			if (!node.isList()) {
				return readMembers(node);
			}
			List<@Nullable Object> elements = new ArrayList<>();
			node.childrenInOrder().forEach((child) -> elements.add(readValue(child)));
			return elements;
		}
		Object value = node.value();
		if (value instanceof CharSequence text) {
			return (text.isEmpty()) ? "" : this.texts.resolve(node, text.toString());
		}
		return (value instanceof Number || value instanceof Boolean) ? value : "";
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(Mistake.of(node, message, action));
	}

}
