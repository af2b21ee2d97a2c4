package io.agenthooks.spring.origin;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the tools of one framework among beans. No bean is created for it, and no server
 * is asked. Implementations are named in {@code META-INF/spring.factories}, have a
 * constructor without parameters, and can be made also if the framework is absent.
 *
 * @since 0.1.0
 */
public interface ToolSource {

	/**
	 * The types of beans that bring tools as they please, so that nobody knows at the
	 * start which there are.
	 * @return the beginnings of the names of these types
	 */
	List<String> dynamicTypes();

	/**
	 * Whether the framework is there, so that this can be asked for tools.
	 * @param classLoader that of the application, or {@code null} for the default one
	 * @return whether it is on the class path
	 */
	boolean isPresent(@Nullable ClassLoader classLoader);

	void find(ConfigurableListableBeanFactory beanFactory, KnownTools tools);

	void findMethods(Class<?> type, String bean, KnownTools tools);

}
