package io.agenthooks.spring.binding;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
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
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Loads YAML as Spring Boot does, and says of a file that is not valid YAML which one it
 * is, and where. Spring Boot fails with a stack trace that does not name the file. Of an
 * empty map, whose place Spring Boot forgets, it keeps the place.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LocatingYamlLoader extends YamlPropertySourceLoader {

	@Override
	public List<PropertySource<?>> load(String name, Resource resource) throws IOException {
		try {
			return withPlaces(super.load(name, resource), resource);
		}
		catch (MarkedYAMLException ex) {
			Mark mark = (ex.getProblemMark() != null) ? ex.getProblemMark() : ex.getContextMark();
			throw InvalidYamlException.of(place(resource, mark), String.valueOf(ex.getProblem()), ex);
		}
		catch (YAMLException ex) {
			throw InvalidYamlException.of(place(resource, null), "this cannot be read", ex);
		}
		catch (ClassCastException | NullPointerException ex) {
			Node key = findKeyThatIsNoText(resource);
			if (key != null) {
				throw InvalidYamlException.ofKey(place(resource, key.getStartMark()), key, ex);
			}
			Node merge = findMergeInPlace(resource);
			if (merge == null) {
				throw ex;
			}
			throw InvalidYamlException.ofMerge(place(resource, merge.getStartMark()), ex);
		}
		catch (StackOverflowError ex) {
			Node node = findNodeInItself(resource);
			if (node == null) {
				throw ex;
			}
			throw InvalidYamlException.ofCycle(place(resource, node.getStartMark()), ex);
		}
	}

	private static List<PropertySource<?>> withPlaces(List<PropertySource<?>> sources, Resource resource)
			throws IOException {
		if (sources.stream().noneMatch(LocatingYamlLoader::hasValueWithoutPlace)) {
			return sources;
		}
		List<Node> documents = documents(resource);
		List<PropertySource<?>> located = new ArrayList<>();
		for (int i = 0; i < sources.size(); i++) {
			boolean isKnown = documents.size() == sources.size() && hasValueWithoutPlace(sources.get(i));
			located.add((isKnown) ? withPlaces(sources.get(i), documents.get(i), resource) : sources.get(i));
		}
		return located;
	}

	private static boolean hasValueWithoutPlace(PropertySource<?> source) {
		return source instanceof OriginTrackedMapPropertySource && source.getSource() instanceof Map<?, ?> properties
				&& properties.values().stream().anyMatch((value) -> !(value instanceof OriginTrackedValue));
	}

	private static PropertySource<?> withPlaces(PropertySource<?> source, Node document, Resource resource) {
		Map<String, @Nullable Object> properties = new LinkedHashMap<>();
		((Map<?, ?>) source.getSource()).forEach((key, value) -> {
			String property = String.valueOf(key);
			Node written = (value instanceof OriginTrackedValue) ? null : find(document, property);
			properties.put(property,
					(written != null) ? OriginTrackedValue.of(value, origin(resource, written)) : value);
		});
		return new OriginTrackedMapPropertySource(source.getName(), Collections.unmodifiableMap(properties), true);
	}

	private static TextResourceOrigin origin(Resource resource, Node node) {
		return new TextResourceOrigin(resource,
				new TextResourceOrigin.Location(node.getStartMark().getLine(), node.getStartMark().getColumn()));
	}

	/**
	 * The documents of which Spring Boot makes sources: those that are not empty.
	 */
	private static List<Node> documents(Resource resource) throws IOException {
		List<Node> documents = new ArrayList<>();
		for (Node document : compose(resource)) {
			if (!(document instanceof ScalarNode && Tag.NULL.equals(document.getTag()))) {
				documents.add(document);
			}
		}
		return documents;
	}

	/**
	 * The value of a property whose name is what is left of the whole one, or
	 * {@code null}. A key may hold several names, with dots between them.
	 */
	private static @Nullable Node find(Node node, String name) {
		if (name.isEmpty()) {
			return node;
		}
		Node found = null;
		if (node instanceof MappingNode mapping) {
			for (NodeTuple entry : mapping.getValue()) {
				String key = (entry.getKeyNode() instanceof ScalarNode scalar) ? scalar.getValue() : "";
				if (found == null && !key.isEmpty() && name.startsWith(key)) {
					found = findBelow(entry.getValueNode(), name.substring(key.length()));
				}
			}
		}
		else if (node instanceof SequenceNode sequence) {
			for (int i = 0; found == null && i < sequence.getValue().size(); i++) {
				String position = "[" + i + "]";
				found = (name.startsWith(position))
						? findBelow(sequence.getValue().get(i), name.substring(position.length())) : null;
			}
		}
		return found;
	}

	private static @Nullable Node findBelow(Node node, String rest) {
		if (rest.isEmpty() || rest.startsWith("[")) {
			return find(node, rest);
		}
		return (rest.startsWith(".")) ? find(node, rest.substring(1)) : null;
	}

	private static List<Node> compose(Resource resource) throws IOException {
		LoaderOptions options = new LoaderOptions();
		// It has been loaded already, with the limits of Spring Boot.
		options.setCodePointLimit(Integer.MAX_VALUE);
		List<Node> documents = new ArrayList<>();
		try (Reader reader = new EncodedResource(resource, "UTF-8").getReader()) {
			new Yaml(options).composeAll(reader).forEach(documents::add);
		}
		return documents;
	}

	private static String place(Resource resource, @Nullable Mark mark) {
		String file = ConfigProblem.file(resource);
		return (mark != null) ? "%s:%d:%d".formatted(file, mark.getLine() + 1, mark.getColumn() + 1) : file;
	}

	/**
	 * Spring Boot takes the keys below a list for texts, and YAML reads some words as
	 * truth values or numbers, and some as nothing. A key may be a list or a map, too.
	 */
	private static @Nullable Node findKeyThatIsNoText(Resource resource) throws IOException {
		return entriesInLists(resource).map(NodeTuple::getKeyNode)
			.filter((key) -> !(key instanceof ScalarNode) || !List.of(Tag.STR, Tag.MERGE).contains(key.getTag()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Spring Boot knows the keys of what is merged below a list only if that has been
	 * read before, which is so of an alias.
	 */
	private static @Nullable Node findMergeInPlace(Resource resource) throws IOException {
		return entriesInLists(resource).filter((entry) -> Tag.MERGE.equals(entry.getKeyNode().getTag()))
			.filter((entry) -> Stream.concat(Stream.of(entry.getValueNode()), inner(entry.getValueNode()).stream())
				.anyMatch((merged) -> merged instanceof MappingNode
						&& merged.getStartMark().getIndex() > entry.getKeyNode().getStartMark().getIndex()))
			.map(NodeTuple::getKeyNode)
			.findFirst()
			.orElse(null);
	}

	private static Stream<NodeTuple> entriesInLists(Resource resource) throws IOException {
		List<Node> listed = new ArrayList<>();
		for (Node node : reachable(compose(resource))) {
			if (node instanceof SequenceNode sequence) {
				listed.addAll(sequence.getValue());
			}
		}
		return reachable(listed).stream()
			.filter(MappingNode.class::isInstance)
			.flatMap((mapping) -> ((MappingNode) mapping).getValue().stream());
	}

	/**
	 * Nodes and all that stand in them.
	 */
	private static List<Node> reachable(List<Node> nodes) {
		Deque<Node> open = new ArrayDeque<>(nodes);
		List<Node> found = new ArrayList<>();
		// A node may stand in itself, by an alias.
		Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		for (Node node = open.poll(); node != null; node = open.poll()) {
			if (seen.add(node)) {
				found.add(node);
				open.addAll(inner(node));
			}
		}
		return found;
	}

	private static List<Node> inner(Node node) {
		if (node instanceof MappingNode mapping) {
			return mapping.getValue().stream().map(NodeTuple::getValueNode).toList();
		}
		return (node instanceof SequenceNode sequence) ? sequence.getValue() : List.of();
	}

	/**
	 * A node that stands in itself, by an alias. Spring Boot would follow it for ever.
	 */
	private static @Nullable Node findNodeInItself(Resource resource) throws IOException {
		return reachable(compose(resource)).stream()
			.filter((node) -> reachable(inner(node)).stream().anyMatch((below) -> isSame(below, node)))
			.findFirst()
			.orElse(null);
	}

	@SuppressWarnings("ReferenceEquality") // the very node
	private static boolean isSame(Node one, Node other) {
		return one == other;
	}

	/**
	 * A file is not valid YAML.
	 */
	static final class InvalidYamlException extends RuntimeException {

		private final String action;

		private InvalidYamlException(String message, String action, Throwable cause) {
			super(message, cause);
			this.action = action;
		}

		static InvalidYamlException of(String place, String problem, RuntimeException cause) {
			return new InvalidYamlException(place + ": " + problem, actionFor(problem), cause);
		}

		static InvalidYamlException ofKey(String place, Node key, RuntimeException cause) {
			String written = (key instanceof ScalarNode scalar) ? scalar.getValue() : "";
			if (written.isEmpty()) {
				return new InvalidYamlException(place + ": there is no name before the colon",
						"Write a name there, in quotes if it has signs such as '[' or '{'.", cause);
			}
			return new InvalidYamlException("%s: YAML does not read the key %s as text".formatted(place, written),
					"Write the key in quotes: \"%s\".".formatted(written), cause);
		}

		static InvalidYamlException ofMerge(String place, RuntimeException cause) {
			return new InvalidYamlException(place + ": what '<<' merges here is written in its place",
					"Write its keys here, without '<<'; or write it before, with a name (&name), and here '<<: *name'.",
					cause);
		}

		static InvalidYamlException ofCycle(String place, Error cause) {
			return new InvalidYamlException(place + ": an alias stands within what it is an alias of",
					"Write out what the alias ('*...') stands for, without itself.", cause);
		}

		private static String actionFor(String problem) {
			if (problem.contains("duplicate key")) {
				return "Write each key once, with all that belongs to it below.";
			}
			if (problem.contains("undefined alias") || problem.startsWith("unexpected character found")) {
				return "Write a text that begins with a sign, such as '*', in quotes.";
			}
			if (problem.contains("unknown escape character")) {
				return "Write a text with a backslash in single quotes: in double quotes the backslash begins an escape.";
			}
			if (problem.contains("expected <block end>")) {
				return "Correct the file at that place or just before: look at the indentation and the quotes. All keys of "
						+ "one thing stand below one another, and a list ('- ...') has no names beside its entries.";
			}
			return (problem.contains("TAB")) ? "Indent with spaces: YAML allows no tabs there."
					: "Correct the file at that place or just before: look at the indentation and the quotes.";
		}

		String action() {
			return this.action;
		}

	}

}
