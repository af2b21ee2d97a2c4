package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.env.PropertyResolver;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * Collects everything that is wrong with options; Spring's binder does the last step
 * only.
 */
final class StrictBinder {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("config");

	private final PropertyResolver properties;

	private final List<ConversionService> conversions;

	private final Function<Object, List<Problem>> validation;

	private final List<Mistake> problems = new ArrayList<>();

	StrictBinder(PropertyResolver properties, List<ConversionService> conversions,
			Function<Object, List<Problem>> validation) {
		this.properties = properties;
		this.conversions = conversions;
		this.validation = validation;
	}

	<T> Bound<T> bind(PropertyNode options, Class<T> type, List<PropertyNode> inherited, Set<String> separate) {
		int before = this.problems.size();
		OptionReader reader = new OptionReader(this.properties, this.conversions, this.problems);
		if (!options.isBlank()) {
			reader.readOptions(options, OptionType.of(type), separate, ROOT);
		}
		inherited.forEach((node) -> readInherited(node, options, type, reader));
		boolean sound = this.problems.size() == before;
		try {
			T bound = reader.binder().bindOrCreate(ROOT.toString(), Bindable.of(type));
			report(this.validation.apply(bound), options, inherited, sound);
			return new Bound<>(bound, this.problems.size() == before);
		}
		catch (Exception ex) {
			reportFailure(ex, options, inherited, reader, sound);
			return new Bound<>(null, false);
		}
	}

	ProofReader proofs() {
		return new ProofReader(this.properties, this.problems);
	}

	private void readInherited(PropertyNode node, PropertyNode options, Class<?> type, OptionReader reader) {
		OptionType.Option option = OptionType.of(type).options().get(node.uniformName());
		PropertyNode same = options.child(node.uniformName());
		if (option != null && same != null) {
			this.problems.add(Mistake.of(node, "is written twice for this hook, also as '" + same.path() + "'",
					"Write it once."));
		}
		else if (option != null) {
			reader.read(node, option.type(), ROOT.append(option.name()));
		}
		else {
			this.problems.add(Mistake.of(node, "has no meaning for a hook of this type", "Remove it."));
		}
	}

	/** The message of a type may quote a value, and any value may be a secret. */
	private void reportFailure(Exception ex, PropertyNode options, List<PropertyNode> inherited, OptionReader reader,
			boolean sound) {
		Throwable cause = ex;
		while (cause.getCause() != null
				&& (cause instanceof BindException || cause.getClass().getName().startsWith("org.springframework."))) {
			cause = cause.getCause();
		}
		if (cause instanceof InvalidHookConfigException invalid) {
			report(invalid.getProblems(), options, inherited, sound);
		}
		else if (sound) {
			String message = Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
			this.problems
				.add(Mistake.of(options, "is refused: " + reader.withoutValues(message), "Correct the options."));
		}
	}

	List<Mistake> problems() {
		return this.problems;
	}

	void report(List<Problem> problems, PropertyNode options, List<PropertyNode> inherited, boolean sound) {
		for (Problem problem : problems) {
			PropertyNode node = options;
			String path = options.path();
			boolean written = !problem.path().isEmpty();
			for (String segment : problem.path()) {
				PropertyNode child = (written)
						? PropertyNode.find((node == options) ? with(options, inherited) : node.children(), segment)
						: null;
				written = child != null;
				node = (child != null) ? child : node;
				path = (child != null) ? child.path()
						: path + ((segment.chars().allMatch(Character::isDigit)) ? "[" + segment + "]" : "." + segment);
			}
			String place = path;
			if (sound || (written && this.problems.stream().noneMatch((known) -> known.property().startsWith(place)))) {
				this.problems.add(problemAt(path, node, written, problem));
			}
		}
	}

	private static Mistake problemAt(String path, PropertyNode node, boolean written, Problem problem) {
		if (problem.position() < 0 || !written) {
			return new Mistake(path, node.place(), problem.message(), problem.action());
		}
		String place = node.placeWithin(problem.position());
		return (place != null) ? new Mistake(path, place, problem.message(), problem.action())
				: new Mistake(path, node.place(),
						problem.message().replaceFirst("\\.$", "") + within(node.value(), problem.position()) + ".",
						problem.action());
	}

	private static String within(@Nullable Object value, int position) {
		String text = String.valueOf(value);
		int end = Math.min(position, text.length());
		int line = 1 + (int) text.substring(0, end).chars().filter((ch) -> ch == '\n').count();
		int character = position - text.lastIndexOf('\n', end - 1);
		return (text.indexOf('\n') < 0) ? " (character %d of the text)".formatted(position + 1)
				: " (line %d of the text, character %d)".formatted(line, character);
	}

	private static Collection<PropertyNode> with(PropertyNode options, List<PropertyNode> inherited) {
		return Stream.concat(options.children().stream(), inherited.stream()).toList();
	}

	/** The value is {@code null} if the type did not take the options. */
	record Bound<T>(@Nullable T value, boolean isSound) {
	}

}
