package io.agenthooks.spring.guard;

import java.io.Serial;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.util.ReflectionUtils;

/**
 * No post-processor sees objects that are registered as ready-made beans while the
 * application runs: a factory tells only of names that are known before. So its listeners
 * become a map that has one for each name.
 */
final class LateSingletons {

	private static final Logger logger = LoggerFactory.getLogger(LateSingletons.class);

	static final String FIELD = "singletonCallbacks";

	private static final Set<Class<?>> reported = ConcurrentHashMap.newKeySet();

	private LateSingletons() {
	}

	static void watch(ConfigurableListableBeanFactory factory, BiConsumer<String, Object> listener) {
		try {
			Field field = ReflectionUtils.findField(DefaultSingletonBeanRegistry.class, FIELD);
			if (field == null || !(factory instanceof DefaultSingletonBeanRegistry)) {
				throw new IllegalStateException("it has no field '" + FIELD + "'");
			}
			field.setAccessible(true);
			@SuppressWarnings("unchecked")
			Map<String, Consumer<Object>> callbacks = (Map<String, Consumer<Object>>) field.get(factory);
			field.set(factory, new Callbacks(callbacks, factory, listener));
		}
		catch (IllegalAccessException | RuntimeException ex) {
			if (reported.add(factory.getClass())) {
				logger.warn(
						"Beans that are registered ready-made while the application runs are not checked, because "
								+ "the bean factory {} cannot be watched: {}",
						factory.getClass().getName(), ex.getMessage());
			}
		}
	}

	private static final class Callbacks extends ConcurrentHashMap<String, Consumer<Object>> {

		@Serial
		private static final long serialVersionUID = 1L;

		private final transient ConfigurableListableBeanFactory factory;

		private final transient BiConsumer<String, Object> listener;

		Callbacks(Map<String, Consumer<Object>> callbacks, ConfigurableListableBeanFactory factory,
				BiConsumer<String, Object> listener) {
			super(callbacks);
			this.factory = factory;
			this.listener = listener;
		}

		@Override
		public @Nullable Consumer<Object> get(Object name) {
			Consumer<Object> callback = super.get(name);
			if (!(name instanceof String beanName) || this.factory.containsBeanDefinition(beanName)) {
				return callback;
			}
			return (bean) -> {
				this.listener.accept(beanName, bean);
				if (callback != null) {
					callback.accept(bean);
				}
			};
		}

	}

}
