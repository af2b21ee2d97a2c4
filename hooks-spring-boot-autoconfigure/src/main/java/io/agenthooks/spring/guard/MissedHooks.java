package io.agenthooks.spring.guard;

import java.util.List;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds hooks that nobody asks.
 *
 * @since 0.1.0
 */
public interface MissedHooks {

	/**
	 * The hooks of a context below the one whose hooks its calls pass.
	 * @param child the beans of the context below, without those of its parents
	 * @return each hook with its place
	 */
	List<String> notAskedIn(ConfigurableListableBeanFactory child);

	/**
	 * The hooks of a bean that was made after the start.
	 * @param name the name of the bean
	 * @param bean the bean
	 * @return each hook with its place
	 */
	List<String> notAskedOf(String name, Object bean);

}
