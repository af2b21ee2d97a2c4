package io.agenthooks.spring.binding;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * Finds keys that a file of properties has twice, as a hook that was copied and kept its
 * number. The last one counts, and nothing is left of the other: YAML refuses such a
 * file, properties do not.
 */
final class RepeatedProperties extends Properties {

	private static final long serialVersionUID = 1L;

	private static final Pattern END_OF_DOCUMENT = Pattern.compile("(?m)^[#!]---\\s*$");

	private final Set<String> repeated = new LinkedHashSet<>();

	private RepeatedProperties() {
	}

	static List<Mistake> find(List<PropertyNode> roots) {
		List<Mistake> problems = new ArrayList<>();
		roots.stream()
			.map(PropertyNode::file)
			.filter(Objects::nonNull)
			.filter((file) -> Objects.requireNonNullElse(file.getFilename(), "").endsWith(".properties"))
			.distinct()
			.forEach((file) -> repeatedIn(file).forEach((key) -> problems
				.add(new Mistake(key, PlaceInText.file(file), "is written twice, and only the last one counts",
						"Write it once. The next entry of a list has the next number, such as [1]."))));
		return problems;
	}

	private static Set<String> repeatedIn(Resource file) {
		Set<String> repeated = new LinkedHashSet<>();
		try (InputStream text = file.getInputStream()) {
			for (String document : END_OF_DOCUMENT.split(new String(text.readAllBytes(), StandardCharsets.ISO_8859_1),
					-1)) {
				RepeatedProperties properties = new RepeatedProperties();
				properties.load(new StringReader(document));
				repeated.addAll(properties.repeated);
			}
		}
		catch (IOException | IllegalArgumentException ex) {
			// Whoever loaded it could read it: nothing else is known now.
		}
		return repeated;
	}

	@Override
	public synchronized @Nullable Object put(Object key, Object value) {
		String name = key.toString();
		boolean isOurs = PropertyNode.uniform(name).startsWith(HookPropertySources.ROOT + ".");
		if (isOurs && containsKey(key) && !name.endsWith("[]")) {
			this.repeated.add(name);
		}
		return super.put(key, value);
	}

}
