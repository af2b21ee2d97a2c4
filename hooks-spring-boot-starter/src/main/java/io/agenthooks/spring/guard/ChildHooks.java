package io.agenthooks.spring.guard;

import java.util.List;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the hooks of a context below the one whose hooks its calls pass: nobody would ask
 * them.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ChildHooks {

	/**
	 * The hooks that nobody asks.
	 * @param child the beans of the context below, without those of its parents
	 * @return each hook with its place
	 */
	List<String> notAskedIn(ConfigurableListableBeanFactory child);

}
