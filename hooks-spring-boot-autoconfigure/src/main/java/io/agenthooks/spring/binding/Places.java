package io.agenthooks.spring.binding;

import java.util.List;

/**
 * Finds where the options of an entry are written.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Places {

	/**
	 * Return the place of an option.
	 * @param path the path of the option within the entry
	 * @return the place, such as {@code application.yaml:6:9}; that of what is around the
	 * option if it has none of its own
	 */
	String of(List<String> path);

	/**
	 * Return the place of a character of the text that is the value of an option.
	 * @param path the path of the option within the entry
	 * @param text the text
	 * @param position which of its characters
	 * @return the place; that of the option if it is not certain
	 */
	default String of(List<String> path, String text, int position) {
		return of(path);
	}

}
