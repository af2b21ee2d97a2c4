package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import io.agenthooks.InvalidHookConfigException.Problem;

final class BeanHookConfigValidation implements HookConfigValidation {

	private final ObjectProvider<Validator> validators;

	BeanHookConfigValidation(ObjectProvider<Validator> validators) {
		this.validators = validators;
	}

	@Override
	public List<Problem> apply(Object config) {
		// Of several, any will do: what they validate stands at the configuration.
		return this.validators.orderedStream()
			.limit(1)
			.flatMap((validator) -> validator.validate(config).stream())
			.map(BeanHookConfigValidation::problem)
			.toList();
	}

	private static Problem problem(ConstraintViolation<Object> violation) {
		return new Problem(path(violation.getPropertyPath()), "is refused: it " + violation.getMessage(),
				"Correct the value.");
	}

	private static List<String> path(Path path) {
		List<String> segments = new ArrayList<>();
		for (Path.Node node : path) {
			if (node.getIndex() != null) {
				segments.add(node.getIndex().toString());
			}
			else if (node.getKey() != null) {
				segments.add(node.getKey().toString());
			}
			if (node.getName() != null && !node.getName().startsWith("<")) {
				segments.add(DataObjectPropertyName.toDashedForm(node.getName()).replace('-', '_'));
			}
		}
		return segments;
	}

}
