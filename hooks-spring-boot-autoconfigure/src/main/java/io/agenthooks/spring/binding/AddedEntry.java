package io.agenthooks.spring.binding;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * An entry of a list that is written elsewhere than in the configuration, such as in an
 * annotation. It is read as one of the list, and stands behind that.
 *
 * @since 0.1.0
 */
public final class AddedEntry {

	private final String place;

	private final Map<String, Option> options = new LinkedHashMap<>();

	/**
	 * Create an entry without options.
	 * @param place where it is written, such as {@code Refunds.refund}
	 */
	public AddedEntry(String place) {
		this.place = place;
	}

	/**
	 * Add an option.
	 * @param property its name within the entry, such as {@code config.limit[0]}
	 * @param value its value
	 * @param writtenAs its name where it is written, for messages
	 * @return this entry
	 */
	public AddedEntry with(String property, String value, String writtenAs) {
		return with(property, value, writtenAs, this.place);
	}

	AddedEntry with(String property, String value, String writtenAs, String place) {
		this.options.put(property, new Option(value, writtenAs, place));
		return this;
	}

	PropertyNode node() {
		return PropertyNode.rootOf(new Source(this.place, this.options), (property) -> true);
	}

	record Option(String value, String writtenAs, String place) {
	}

	static final class Source extends EnumerablePropertySource<Map<String, Option>> implements OriginLookup<String> {

		private Source(String place, Map<String, Option> options) {
			super(place, options);
		}

		@Override
		public String[] getPropertyNames() {
			return this.source.keySet().toArray(String[]::new);
		}

		@Override
		public @Nullable Object getProperty(String name) {
			Option option = this.source.get(name);
			return (option != null) ? option.value() : null;
		}

		@Override
		public @Nullable Origin getOrigin(String key) {
			Option option = this.source.get(key);
			return (option != null) ? new Place(option.place()) : null;
		}

		String writtenAs(String property) {
			Option option = this.source.get(property);
			return (option != null) ? option.writtenAs() : property;
		}

	}

	private record Place(String text) implements Origin {

		@Override
		public String toString() {
			return this.text;
		}

	}

}
