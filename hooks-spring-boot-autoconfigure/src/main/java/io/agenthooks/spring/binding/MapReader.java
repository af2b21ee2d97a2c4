package io.agenthooks.spring.binding;

import java.util.HashSet;
import java.util.Set;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Names in brackets are exact; Spring's binder takes others for the same that differ in
 * case, dashes and underscores only.
 */
final class MapReader {

	private final OptionReader reader;

	private final OptionType value;

	private final ConfigurationPropertyName name;

	private final Set<String> exactNames = new HashSet<>();

	private final Set<String> uniformNames = new HashSet<>();

	MapReader(OptionReader reader, OptionType value, ConfigurationPropertyName name) {
		this.reader = reader;
		this.value = value;
		this.name = name;
	}

	void read(PropertyNode node) {
		if (node.hasValue()) {
			problem(node, (node.isBlank()) ? "has no entries" : "is a single value where names are expected",
					"Write names with their values below it, or remove it.");
		}
		else if (node.isFromEnvironment()) {
			problem(node, "cannot be written as an environment variable, which loses the case and the "
					+ "underscores of names", "Write it in a configuration file or SPRING_APPLICATION_JSON.");
		}
		else if (node.children().stream().allMatch(PropertyNode::isPosition)) {
			problem(node, "is a list where names are expected",
					"Write names with their values below it, and a name that is a number in quotes.");
		}
		else {
			node.children().forEach((child) -> readEntry(child, child.plainName()));
		}
	}

	/** A name with dots arrives as nodes inside one another. */
	private void readEntry(PropertyNode node, String key) {
		boolean dotted = this.value.isSingle() && !node.hasValue()
				&& node.children().stream().noneMatch(PropertyNode::isPosition);
		if (node.isWordOfYaml() || node.isPosition()) {
			problem(node, "is a key that YAML does not read as text, such as on, no or 010",
					"Write the key in quotes, as in \"on\" or \"no\".");
		}
		else if (!isKept(node, key) || (dotted && node.isBracketed())) {
			problem(node, "is a name that Spring cannot keep as it is written",
					(node.isBracketed() || key.contains("]"))
							? "The empty name, and names with brackets, cannot be configured."
							: "Write the name in quotes and brackets: \"[" + key + "]\".");
		}
		else if (dotted) {
			node.children().forEach((child) -> readEntry(child, key + "." + child.name()));
		}
		else if (!add(node, key)) {
			problem(node, "is a name that Spring cannot tell from another one beside it",
					"Write such names in quotes and brackets: \"[" + key + "]\".");
		}
		else {
			this.reader.read(node, this.value, this.name.append("[" + key + "]"));
		}
	}

	private static boolean isKept(PropertyNode node, String key) {
		return (node.isBracketed()) ? !key.isEmpty() && !key.contains("[") : key.matches("[A-Za-z0-9][A-Za-z0-9_.-]*");
	}

	private boolean add(PropertyNode node, String key) {
		return this.exactNames.add(key) && (node.isBracketed() || this.uniformNames.add(PropertyNode.uniform(key)));
	}

	private void problem(PropertyNode node, String message, String action) {
		this.reader.problem(node, message, action);
	}

}
