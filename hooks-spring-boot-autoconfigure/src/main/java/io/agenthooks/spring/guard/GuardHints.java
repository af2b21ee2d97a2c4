package io.agenthooks.spring.guard;

import java.lang.reflect.Field;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.util.ReflectionUtils;

final class GuardHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Field callbacks = ReflectionUtils.findField(DefaultSingletonBeanRegistry.class, LateSingletons.FIELD);
		if (callbacks != null) {
			hints.reflection().registerField(callbacks);
		}
	}

}
