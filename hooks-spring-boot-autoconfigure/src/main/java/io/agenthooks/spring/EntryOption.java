package io.agenthooks.spring;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;

/**
 * An option of an entry that the configuration of its hook can
 * {@linkplain HookFactory#takenOver() take over}.
 *
 * @since 0.1.0
 */
public enum EntryOption {

	/**
	 * Whether a call passes when the hook itself fails. The component of the
	 * configuration is {@code failOpen}.
	 */
	FAIL_OPEN("fail-open"),

	/**
	 * The time after which the hook counts as failed. The component of the configuration
	 * is {@code timeout}.
	 */
	TIMEOUT("timeout"),

	/**
	 * The text for the model if the hook denies or aborts. The component of the
	 * configuration is {@code reason}.
	 */
	REASON("reason"),

	/**
	 * For the words of which system the hook is written. The component of the
	 * configuration is {@code for}.
	 */
	FOR("for"),

	/** For which tools the hook is. Only a factory that says so takes it over. */
	MATCH(null),

	/** The same as a regular expression. Only a factory that says so takes it over. */
	MATCHER(null),

	/** For which tools the hook is not. Only a factory that says so takes it over. */
	EXCEPT(null),

	/**
	 * For the tools of which MCP servers the hook is. Only a factory that says so takes
	 * it over.
	 */
	MCP_SERVERS(null);

	private final @Nullable String component;

	EntryOption(@Nullable String component) {
		this.component = component;
	}

	static Set<EntryOption> of(Class<?> configType) {
		Set<String> names = names(configType).map(DataObjectPropertyName::toDashedForm).collect(Collectors.toSet());
		Set<EntryOption> options = EnumSet.allOf(EntryOption.class);
		options.removeIf((option) -> option.component == null || !names.contains(option.component));
		return Collections.unmodifiableSet(options);
	}

	private static Stream<String> names(Class<?> configType) {
		if (!configType.isRecord()) {
			return Stream.of(BeanUtils.getPropertyDescriptors(configType))
				.filter((property) -> property.getWriteMethod() != null)
				.map(PropertyDescriptor::getName);
		}
		// It need not be public.
		Constructor<?> constructor = Objects.requireNonNull(BeanUtils.findPrimaryConstructor(configType));
		return Stream.of(constructor.getParameters()).map(EntryOption::name);
	}

	/** The parameter has the annotations of the binder. */
	private static String name(Parameter parameter) {
		Name name = parameter.getAnnotation(Name.class);
		return (name != null) ? name.value() : parameter.getName();
	}

}
