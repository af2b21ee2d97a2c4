package io.agenthooks.spring.suspend;

import java.util.List;
import java.util.Objects;

/**
 * An answer to a question does not count.
 *
 * @since 0.1.0
 */
public class ApprovalRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final Reason reason;

	private final transient List<String> mistakes;

	/**
	 * Create an exception.
	 * @param reason why
	 * @param message the same in words, without arguments
	 * @param mistakes what is wrong with edited arguments, each with the place; else
	 * empty
	 */
	public ApprovalRefusedException(Reason reason, String message, List<String> mistakes) {
		super(message);
		this.reason = Objects.requireNonNull(reason, "'reason' must not be null");
		this.mistakes = List.copyOf(mistakes);
	}

	/**
	 * A call cannot be resumed, because more than one tool here could be the one that
	 * people approved, and none of them is chosen.
	 * @return the exception, with {@link Reason#NO_TOOL}
	 */
	public static ApprovalRefusedException severalTools() {
		return new ApprovalRefusedException(Reason.NO_TOOL,
				"Several tools here could be that of the call, so none of them is run. Give the right one to 'resume'.",
				List.of());
	}

	/**
	 * Return the reason why the answer does not count.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Return the mistakes in edited arguments.
	 * @return the mistakes, each with its place
	 */
	public List<String> mistakes() {
		return this.mistakes;
	}

	/**
	 * The reason why an answer does not count.
	 *
	 * @since 0.1.0
	 */
	public enum Reason {

		/** The question does not exist, or this person may not see it. */
		UNKNOWN,

		/** Another person decided first, the question has expired, or it is void. */
		SETTLED,

		/** The question changed since the person saw it. */
		CHANGED,

		/** This person may not decide, or not alone. */
		NOT_ALLOWED,

		/** People have not decided, so the call cannot be resumed. */
		NOT_DECIDED,

		/**
		 * The tool of the call that is to be resumed is not known here, or there are
		 * several.
		 */
		NO_TOOL,

		/** The edited arguments do not fit the tool, or a policy denies them. */
		INVALID_EDIT

	}

}
