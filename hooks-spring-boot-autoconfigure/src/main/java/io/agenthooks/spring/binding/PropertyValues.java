package io.agenthooks.spring.binding;

import java.time.Duration;
import java.util.List;

import org.springframework.core.env.PropertyResolver;
import org.springframework.util.unit.DataSize;

/** Placeholders are resolved as far as that is possible. */
final class PropertyValues {

	static final DataSize MIN_ARGUMENTS_SIZE = DataSize.ofKilobytes(1);

	static final DataSize MAX_ARGUMENTS_SIZE = DataSize.ofMegabytes(64);

	private final PropertyResolver properties;

	PropertyValues(PropertyResolver properties) {
		this.properties = properties;
	}

	String textOf(PropertyNode node) {
		return this.properties.resolvePlaceholders(String.valueOf(node.value())).trim();
	}

	boolean isEither(PropertyNode node, List<String> values) {
		String value = textOf(node);
		return values.stream().anyMatch(value::equalsIgnoreCase);
	}

	boolean isDuration(PropertyNode node, HookSection.Bound bound) {
		try {
			Duration duration = duration(node);
			return !duration.isZero() && !duration.isNegative() && duration.compareTo(bound.longest()) <= 0;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return false;
		}
	}

	boolean isDuration(PropertyNode node) {
		try {
			duration(node);
			return true;
		}
		catch (ArithmeticException ex) {
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	Duration duration(PropertyNode node) {
		return HookConversions.duration(textOf(node));
	}

	boolean isSize(PropertyNode node) {
		try {
			DataSize size = size(node);
			return size.compareTo(MIN_ARGUMENTS_SIZE) >= 0 && size.compareTo(MAX_ARGUMENTS_SIZE) <= 0;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return false;
		}
	}

	DataSize size(PropertyNode node) {
		return DataSize.parse(textOf(node));
	}

}
