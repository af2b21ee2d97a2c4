package io.agenthooks.spring.binding;

import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.core.ResolvableType;

/**
 * Makes what {@code config} is bound to usable in a native image, with all types in it.
 */
final class ConfigHints {

	private final RuntimeHints hints;

	private final Set<Class<?>> known = new LinkedHashSet<>();

	ConfigHints(RuntimeHints hints) {
		this.hints = hints;
	}

	void register(Class<?> configType) {
		register(OptionType.of(configType));
	}

	private void register(OptionType type) {
		if (type.isList()) {
			register(type.element());
		}
		else if (type.isMap()) {
			register(type.mapValue());
		}
		else {
			registerOne(type, type.type().resolve(Object.class));
		}
	}

	private void registerOne(OptionType option, Class<?> type) {
		if (type.isPrimitive() || type.getName().startsWith("java.") || !this.known.add(type)) {
			return;
		}
		this.hints.reflection()
			.registerType(type, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_DECLARED_METHODS,
					MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.ACCESS_DECLARED_FIELDS);
		if (!type.isEnum() && !type.isInterface() && !type.getName().startsWith("org.springframework.")) {
			option.options().values().forEach((inner) -> register(inner.type()));
		}
		Class<?> superclass = type.getSuperclass();
		if (superclass != null) {
			registerOne(new OptionType(ResolvableType.forClass(superclass)), superclass);
		}
	}

}
