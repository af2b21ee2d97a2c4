package io.agenthooks.redact;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A value as it is written in a text: what is walked as a value, and replaced where it
 * stands.
 */
sealed interface Written {

	int start();

	/** Where it ends in the text, exclusive. */
	int end();

	/** A text, a number, a boolean or nothing. */
	record Scalar(@Nullable Object value, int start, int end, Style style) implements Written {
	}

	/** A list. */
	record Sequence(List<Written> elements, int start, int end) implements Written {
	}

	/** Members with names, of which two may be the same. */
	record Mapping(List<Member> members, int start, int end) implements Written {
	}

	/** A member of a mapping. */
	record Member(Scalar name, Written value) {
	}

	/** The style of a scalar. */
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
