package io.agenthooks.spring.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.Resource;

/**
 * The properties of one source as a tree. A position in a list, or a name in brackets, is
 * a node of its own: {@code [0]}, {@code [$ref]}.
 */
final class PropertyNode implements Places {

	private static final Set<String> WORDS_OF_YAML = Set.of("true", "false", "null");

	private final String name;

	private final String path;

	private final EnumerablePropertySource<?> source;

	private final @Nullable PropertyNode parent;

	private final Map<String, PropertyNode> children = new LinkedHashMap<>();

	private @Nullable String property;

	private PropertyNode(String name, String path, EnumerablePropertySource<?> source, @Nullable PropertyNode parent) {
		this.name = name;
		this.path = path;
		this.source = source;
		this.parent = parent;
	}

	/** The chosen properties of all sources, that which holds first. */
	static List<PropertyNode> rootsOf(ConfigurableEnvironment environment, Predicate<String> properties) {
		return environment.getPropertySources()
			.stream()
			.filter((source) -> !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
			.flatMap(PropertyNode::enumerable)
			.map((source) -> rootOf(source, properties))
			.toList();
	}

	private static Stream<EnumerablePropertySource<?>> enumerable(PropertySource<?> source) {
		if (source instanceof CompositePropertySource composite) {
			return composite.getPropertySources().stream().flatMap(PropertyNode::enumerable);
		}
		return (source instanceof EnumerablePropertySource<?> enumerable) ? Stream.of(enumerable) : Stream.empty();
	}

	static PropertyNode rootOf(EnumerablePropertySource<?> source, Predicate<String> properties) {
		PropertyNode root = new PropertyNode("", "", source, null);
		for (String property : source.getPropertyNames()) {
			if (!properties.test(property)) {
				continue;
			}
			if (source instanceof AddedEntry.Source added) {
				root.add(PropertySegments.of(property), property, added.writtenAs(property));
			}
			else if (isEnvironment(source) && property.indexOf('.') == -1) {
				root.add(PropertySegments.ofVariable(property), property, property);
			}
			else {
				root.add(PropertySegments.of(property), property, null);
			}
		}
		return root;
	}

	private void add(List<String> segments, String property, @Nullable String written) {
		PropertyNode node = this;
		for (String segment : segments) {
			PropertyNode parent = node;
			node = parent.children.computeIfAbsent(segment, (name) -> new PropertyNode(name,
					(written != null) ? written : join(parent.path, name), this.source, parent));
		}
		node.property = property;
	}

	private static String join(String path, String name) {
		return (path.isEmpty() || name.startsWith("[")) ? path + name : path + "." + name;
	}

	private static boolean isEnvironment(EnumerablePropertySource<?> source) {
		return source instanceof SystemEnvironmentPropertySource
				|| source.getName().endsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
	}

	String name() {
		return this.name;
	}

	String plainName() {
		return (isBracketed()) ? this.name.substring(1, this.name.length() - 1) : this.name;
	}

	/** As the binder compares it. */
	String uniformName() {
		return uniform(this.name);
	}

	/** Of an environment variable, its name. */
	String path() {
		return this.path;
	}

	boolean isBracketed() {
		return this.name.startsWith("[") && this.name.endsWith("]");
	}

	/**
	 * Spring Boot makes such names of keys that YAML does not read as text, such as
	 * {@code on}.
	 */
	boolean isWordOfYaml() {
		return isBracketed() && WORDS_OF_YAML.contains(plainName());
	}

	boolean isPosition() {
		return isBracketed() && this.name.length() > 2 && this.name.length() < 8
				&& plainName().chars().allMatch((ch) -> ch >= '0' && ch <= '9');
	}

	boolean isFromEnvironment() {
		return isEnvironment(this.source);
	}

	int position() {
		return (isPosition()) ? Integer.parseInt(plainName()) : Integer.MAX_VALUE;
	}

	@SuppressWarnings("ReferenceEquality") // names of sources may come twice
	boolean isOfSourceOf(PropertyNode other) {
		return this.source == other.source;
	}

	String sourceName() {
		return this.source.getName();
	}

	Collection<PropertyNode> children() {
		return this.children.values();
	}

	List<PropertyNode> childrenInOrder() {
		return this.children.values().stream().sorted(Comparator.comparingInt(PropertyNode::position)).toList();
	}

	@Nullable PropertyNode child(String uniformName) {
		return this.children.values()
			.stream()
			.filter((child) -> !child.isBracketed() && child.uniformName().equals(uniformName))
			.findFirst()
			.orElse(null);
	}

	PropertyNode childOrEmpty(String uniformName) {
		PropertyNode child = child(uniformName);
		return (child != null) ? child : new PropertyNode(uniformName, join(this.path, uniformName), this.source, this);
	}

	/**
	 * Got when it is asked for: the many values that are not ours may be costly, or not
	 * there yet.
	 */
	@Nullable Object value() {
		return (this.property != null) ? this.source.getProperty(this.property) : null;
	}

	/** To compare it with another node. It may hold secrets. */
	Object written() {
		if (hasValue() && this.children.isEmpty()) {
			return String.valueOf(value());
		}
		Map<String, Object> below = new LinkedHashMap<>();
		this.children.values().forEach((child) -> below.put(child.uniformName(), child.written()));
		return below;
	}

	/**
	 * Names are merged; of two values, or two lists, this one holds over the lower one.
	 */
	PropertyNode over(PropertyNode lower, BiConsumer<PropertyNode, PropertyNode> replaced) {
		if (lower.hasValue() && !lower.children.isEmpty()) {
			// A mistake, to be reported, and so is it here.
			return lower;
		}
		if (hasValue() && !this.children.isEmpty()) {
			return this;
		}
		if (lower.hasValue() || lower.children.isEmpty() || lower.isList() || isList()) {
			if (lower.isList()) {
				replaced.accept(this, lower);
			}
			return this;
		}
		if (this.children.isEmpty()) {
			return (isBlank()) ? lower : this;
		}
		PropertyNode merged = new PropertyNode(lower.name, lower.path, lower.source, lower.parent);
		merged.children.putAll(lower.children);
		for (PropertyNode child : this.children.values()) {
			PropertyNode other = lower.same(child);
			merged.children.put((other != null) ? other.name : child.name,
					(other != null) ? child.over(other, replaced) : child);
		}
		return merged;
	}

	boolean isList() {
		return !this.children.isEmpty() && this.children.values().stream().allMatch(PropertyNode::isPosition);
	}

	/** Null also if an environment variable may mean several. */
	@Nullable PropertyNode same(PropertyNode other) {
		PropertyNode exact = this.children.get(other.name);
		if (exact != null) {
			return exact;
		}
		List<PropertyNode> same = this.children.values().stream().filter(other::isSameAs).toList();
		return (same.size() == 1) ? same.get(0) : null;
	}

	private boolean isSameAs(PropertyNode other) {
		return (isFromEnvironment() || other.isFromEnvironment()) ? uniformName().equals(uniform(other.plainName()))
				: this.name.equals(other.name);
	}

	/** Also if that is nothing: not only names below it. */
	boolean hasValue() {
		return this.property != null;
	}

	boolean isBlank() {
		if (!hasValue() || !this.children.isEmpty()) {
			return false;
		}
		Object value = value();
		return value == null || (value instanceof CharSequence text && text.isEmpty())
				|| (value instanceof Map<?, ?> map && map.isEmpty())
				|| (value instanceof Collection<?> list && list.isEmpty());
	}

	/** Of an empty map, Spring Boot forgets all but the file. */
	String place() {
		Origin own = firstOrigin();
		for (PropertyNode node = this; node != null; node = node.parent) {
			Origin written = node.firstOrigin();
			if (written != null) {
				return (own == null && hasValue() && written instanceof TextResourceOrigin text)
						? PlaceInText.file(text.getResource()) : PlaceInText.place(written, this.source.getName());
			}
		}
		return this.source.getName();
	}

	@Nullable Resource file() {
		return (firstOrigin() instanceof TextResourceOrigin text) ? text.getResource() : null;
	}

	@Override
	public String of(List<String> path) {
		return find(path).place();
	}

	@Override
	public String of(List<String> path, String text, int position) {
		PropertyNode node = find(path);
		Origin origin = node.origin();
		return (origin != null) ? Objects.requireNonNullElseGet(PlaceInText.find(origin, text, position), node::place)
				: node.place();
	}

	/**
	 * An element of a text with commas, which has no place of its own, is what holds it.
	 */
	private PropertyNode find(List<String> path) {
		PropertyNode node = this;
		for (String segment : path) {
			PropertyNode below = find(node.children.values(), segment);
			if (below == null) {
				break;
			}
			node = below;
		}
		return node;
	}

	/** As it is written, or else as the binder compares it. */
	static @Nullable PropertyNode find(Collection<PropertyNode> nodes, String name) {
		return Stream
			.<Predicate<PropertyNode>>of((node) -> node.plainName().equals(name),
					(node) -> uniform(node.plainName()).equals(uniform(name)))
			.flatMap((same) -> nodes.stream().filter(same))
			.findFirst()
			.orElse(null);
	}

	/** Null if it is not certain. */
	@Nullable String placeWithin(int position) {
		Origin origin = origin();
		// A placeholder may have become any text.
		return (origin != null && value() instanceof CharSequence text && text.toString().indexOf("${") < 0)
				? PlaceInText.find(origin, text.toString(), position) : null;
	}

	private @Nullable Origin origin() {
		return (this.property != null) ? OriginLookup.getOrigin(this.source, this.property) : null;
	}

	private @Nullable Origin firstOrigin() {
		PropertyNode node = this;
		while (node.property == null && !node.children.isEmpty()) {
			node = node.children.values().iterator().next();
		}
		return node.origin();
	}

	static String uniform(String name) {
		return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

}
