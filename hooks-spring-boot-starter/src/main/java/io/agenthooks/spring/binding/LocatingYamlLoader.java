package io.agenthooks.spring.binding;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.EncodedResource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Loads YAML as Spring Boot does, and says of a file that is no valid YAML which one it
 * is, and where. Spring Boot fails with a stack trace that does not name the file.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LocatingYamlLoader extends YamlPropertySourceLoader {

	@Override
	public List<PropertySource<?>> load(String name, Resource resource) throws IOException {
		try {
			return super.load(name, resource);
		}
		catch (MarkedYAMLException ex) {
			Mark mark = (ex.getProblemMark() != null) ? ex.getProblemMark() : ex.getContextMark();
			throw InvalidYamlException.of(place(resource, mark), String.valueOf(ex.getProblem()), ex);
		}
		catch (YAMLException ex) {
			throw InvalidYamlException.of(place(resource, null), "this cannot be read", ex);
		}
		catch (ClassCastException ex) {
			ScalarNode key = findKeyThatIsNoText(resource);
			if (key == null) {
				throw ex;
			}
			throw InvalidYamlException.ofKey(place(resource, key.getStartMark()), key.getValue(), ex);
		}
	}

	private static String place(Resource resource, @Nullable Mark mark) {
		String file = ConfigProblem.file(resource);
		return (mark != null) ? "%s:%d:%d".formatted(file, mark.getLine() + 1, mark.getColumn() + 1) : file;
	}

	/**
	 * Spring Boot takes the keys below a list for texts, and YAML reads some words as
	 * truth values or numbers.
	 */
	private static @Nullable ScalarNode findKeyThatIsNoText(Resource resource) throws IOException {
		Deque<Node> open = new ArrayDeque<>();
		// A node may stand in itself, by an alias.
		Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		try (Reader reader = new EncodedResource(resource, "UTF-8").getReader()) {
			new Yaml(new LoaderOptions()).composeAll(reader).forEach(open::add);
		}
		for (Node node = open.poll(); node != null; node = open.poll()) {
			if (!seen.add(node)) {
				continue;
			}
			if (node instanceof MappingNode mapping) {
				for (NodeTuple entry : mapping.getValue()) {
					if (entry.getKeyNode() instanceof ScalarNode key && !Tag.STR.equals(key.getTag())
							&& !Tag.MERGE.equals(key.getTag())) {
						return key;
					}
					open.add(entry.getValueNode());
				}
			}
			else if (node instanceof CollectionNode<?> sequence) {
				sequence.getValue().forEach((element) -> open.add((Node) Objects.requireNonNull(element)));
			}
		}
		return null;
	}

	/**
	 * A file is no valid YAML.
	 */
	static final class InvalidYamlException extends RuntimeException {

		private final String action;

		private InvalidYamlException(String message, String action, RuntimeException cause) {
			super(message, cause);
			this.action = action;
		}

		static InvalidYamlException of(String place, String problem, RuntimeException cause) {
			return new InvalidYamlException(place + ": " + problem, actionFor(problem), cause);
		}

		static InvalidYamlException ofKey(String place, String key, RuntimeException cause) {
			return new InvalidYamlException("%s: YAML does not read the key %s as text".formatted(place, key),
					"Write the key in quotes: \"%s\".".formatted(key), cause);
		}

		private static String actionFor(String problem) {
			if (problem.contains("duplicate key")) {
				return "Write each key once, with all that belongs to it below.";
			}
			return (problem.contains("TAB")) ? "Indent with spaces: YAML allows no tabs there."
					: "Correct the file at that place or just before: look at the indentation and the quotes.";
		}

		String action() {
			return this.action;
		}

	}

}
