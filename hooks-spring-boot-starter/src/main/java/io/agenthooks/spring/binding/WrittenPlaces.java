package io.agenthooks.spring.binding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Where the options of a hook are written, for as long as the hook lives. What is written
 * in no place of its own, such as an element of a text with commas, stands where what
 * holds it does.
 */
final class WrittenPlaces implements Function<List<String>, @Nullable String> {

	private final String place;

	/** What is below, by the name as it is written. */
	private final Map<String, WrittenPlaces> exact = new LinkedHashMap<>();

	/** The same by the name as the binder compares it. */
	private final Map<String, WrittenPlaces> uniform = new LinkedHashMap<>();

	private WrittenPlaces(PropertyNode node) {
		this.place = node.place();
		for (PropertyNode child : node.children()) {
			WrittenPlaces below = new WrittenPlaces(child);
			this.exact.put(child.plainName(), below);
			this.uniform.putIfAbsent(PropertyNode.uniform(child.plainName()), below);
		}
	}

	/**
	 * The places of what is written below a node.
	 */
	static WrittenPlaces below(PropertyNode options) {
		return new WrittenPlaces(options);
	}

	@Override
	public String apply(List<String> path) {
		return place(path);
	}

	/**
	 * Where an option is written.
	 */
	String place(List<String> path) {
		WrittenPlaces places = this;
		for (String segment : path) {
			WrittenPlaces below = places.exact.get(segment);
			below = (below != null) ? below : places.uniform.get(PropertyNode.uniform(segment));
			if (below == null) {
				break;
			}
			places = below;
		}
		return places.place;
	}

}
