package io.agenthooks.test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolApprover;

/**
 * The settings of the application of a test.
 *
 * @param config where its configuration is, or {@code null} if it has none
 * @param beans its beans, in order
 * @param classes its classes with or of beans, in order
 * @param approver its approver, or {@code null} if the tester adds none
 */
record TestSettings(@Nullable ConfigFile config, Map<String, String> properties,
		Map<String, String> environmentVariables, List<Bean> beans, List<Class<?>> classes,
		@Nullable ToolApprover approver) {

	static TestSettings of(@Nullable ConfigFile config) {
		return new TestSettings(config, Map.of(), Map.of(), List.of(), List.of(), null);
	}

	TestSettings withProperty(String name, String value) {
		return new TestSettings(this.config, with(this.properties, name, value), this.environmentVariables, this.beans,
				this.classes, this.approver);
	}

	TestSettings withEnvironmentVariable(String name, String value) {
		return new TestSettings(this.config, this.properties, with(this.environmentVariables, name, value), this.beans,
				this.classes, this.approver);
	}

	TestSettings withBean(@Nullable String name, Object bean) {
		return new TestSettings(this.config, this.properties, this.environmentVariables,
				with(this.beans, List.of(new Bean(name, bean))), this.classes, this.approver);
	}

	TestSettings withClasses(List<Class<?>> classes) {
		return new TestSettings(this.config, this.properties, this.environmentVariables, this.beans,
				with(this.classes, classes), this.approver);
	}

	TestSettings withApprover(ToolApprover approver) {
		return new TestSettings(this.config, this.properties, this.environmentVariables, this.beans, this.classes,
				Objects.requireNonNull(approver, "'approver' must not be null"));
	}

	private static Map<String, String> with(Map<String, String> map, String name, String value) {
		Map<String, String> copy = new LinkedHashMap<>(map);
		copy.put(name, value);
		return copy;
	}

	private static <E> List<E> with(List<E> list, List<E> more) {
		List<E> copy = new ArrayList<>(list);
		copy.addAll(more);
		return copy;
	}

	/**
	 * A bean that the test has made.
	 *
	 * @param name its name, or {@code null} for that of its class
	 */
	record Bean(@Nullable String name, Object instance) {

		Bean {
			Objects.requireNonNull(instance, "'bean' must not be null");
			if (instance instanceof Class<?> type) {
				throw new IllegalArgumentException("The class " + type.getName()
						+ " is no bean. Pass an instance, or the class to withConfiguration(..).");
			}
		}

	}

}
