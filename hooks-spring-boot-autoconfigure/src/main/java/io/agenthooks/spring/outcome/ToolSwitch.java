package io.agenthooks.spring.outcome;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.GlobMistake;
import io.agenthooks.NameKind;
import io.agenthooks.toolcall.ToolCall;

/**
 * Switches tools off and on, all of them or some, and records who did.
 *
 * @since 0.1.0
 */
public interface ToolSwitch {

	/** The application switches by itself. */
	String APPLICATION = "application";

	/** Switched at the actuator. */
	String ACTUATOR = "actuator";

	/** Switched on another node that shares the switch. */
	String OTHER_NODE = "other_node";

	/** The store that nodes share has not said yet what is off, so everything is. */
	String STORE = "store";

	/** The most parts that are switched off at the same time. */
	int MAX_PARTS = 50;

	/**
	 * Switch tools off, or on again.
	 * @param enabled whether they may run
	 * @param part which tools
	 * @param user who wants it, or {@code null} if nobody is logged in
	 * @param through {@link #APPLICATION} or {@link #ACTUATOR}
	 * @throws IllegalStateException if that did not happen, or not everywhere: the
	 * message says where
	 */
	void switchTools(boolean enabled, Part part, @Nullable String user, String through);

	/**
	 * The parts that are switched off now, as far as somebody switched them off since the
	 * start, or on a node that shares the switch.
	 * @return the parts, each as it was switched last, in the order of that
	 */
	List<Switched> switchedOff();

	/**
	 * Return the reason why the tool of a call is off for its agent, beside all tools.
	 * @param call the call
	 * @return the reason for the model, or {@code null} if it is not one of the parts
	 * that are switched off
	 */
	@Nullable String whyOff(ToolCall call);

	/**
	 * Whether all nodes of the application have the same switch.
	 * @return whether they share it
	 */
	boolean isShared();

	/**
	 * The tools that are switched together.
	 *
	 * @param kind how they are chosen
	 * @param glob of one of the names of a tool, or of the name of the agent that calls
	 * it; empty for all tools
	 * @since 0.1.0
	 */
	record Part(Kind kind, String glob) {

		/** All tools. */
		public static final Part ALL = new Part(Kind.ALL, "");

		private static final int MAX_LENGTH = 100;

		/**
		 * Create a part.
		 * @throws IllegalArgumentException if the glob is a mistake, is missing or too
		 * long
		 */
		public Part {
			Objects.requireNonNull(kind, "'kind' must not be null");
			if (glob.isBlank() == (kind != Kind.ALL) || glob.length() > MAX_LENGTH) {
				throw new IllegalArgumentException("A glob has to have 1 to %d characters".formatted(MAX_LENGTH));
			}
			GlobMistake mistake = (kind != Kind.ALL)
					? GlobMistake.find(glob, (kind == Kind.TOOL) ? NameKind.TOOL : NameKind.AGENT) : null;
			if (mistake != null) {
				throw new IllegalArgumentException(mistake.message() + " " + mistake.action());
			}
			Glob unused = Glob.of(glob);
		}

		/** The choice of tools. */
		public enum Kind {

			/** All tools. */
			ALL,

			/** The tools of which a name matches, whoever calls them. */
			TOOL,

			/** All tools, for agents of which the name matches. */
			AGENT

		}

	}

	/**
	 * A switching of tools.
	 *
	 * @param part which tools
	 * @param enabled whether they may run since then
	 * @param at when
	 * @param user who wanted it, or {@code null} if nobody is known
	 * @param through {@link ToolSwitch#APPLICATION}, {@link ToolSwitch#ACTUATOR},
	 * {@link ToolSwitch#OTHER_NODE} or {@link ToolSwitch#STORE}
	 * @since 0.1.0
	 */
	record Switched(Part part, boolean enabled, Instant at, @Nullable String user, String through) {
	}

	/**
	 * Is notified of each switching, even of one that changes nothing.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Watch {

		/**
		 * Tools were switched. Must not throw, nor wait.
		 * @param switched what was switched, and who wanted it
		 */
		void switched(Switched switched);

	}

}
