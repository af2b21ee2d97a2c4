package io.agenthooks.redact;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A value as it is written in a text: what is walked as a value, and replaced where it
 * stands.
 */
sealed interface Written {

	/** Where it starts in the text. */
	int start();

	/** Where it ends in the text, exclusive. */
	int end();

	/**
	 * A text, a number, a boolean or nothing.
	 *
	 * @param value what it says
	 * @param start where it starts
	 * @param end where it ends, exclusive
	 * @param style how it is written
	 */
	record Scalar(@Nullable Object value, int start, int end, Style style) implements Written {
	}

	/**
	 * A list.
	 *
	 * @param elements what is in it
	 * @param start where it starts
	 * @param end where it ends, exclusive
	 */
	record Sequence(List<Written> elements, int start, int end) implements Written {
	}

	/**
	 * Members with names, of which two may be the same.
	 *
	 * @param members the members
	 * @param start where it starts
	 * @param end where it ends, exclusive
	 */
	record Mapping(List<Member> members, int start, int end) implements Written {
	}

	/**
	 * A member of a mapping.
	 *
	 * @param name its name, a text
	 * @param value its value
	 */
	record Member(Scalar name, Written value) {
	}

	/**
	 * How a scalar is written.
	 */
	enum Style {

		/** In quotes, or as JSON writes it. */
		QUOTED,

		/** In single quotes, as Python and JavaScript show it. */
		SINGLE,

		/** Without quotes, as YAML may. */
		PLAIN,

		/** In lines of its own, as YAML may. */
		BLOCK

	}

}
