package io.agenthooks.spring.prompt;

/**
 * What a judge decided. It can do no more than that.
 *
 * @param answer the decision
 * @param reason why
 * @param sound whether the answer was as it should be: a denial counts in any case
 */
record Judgement(Answer answer, String reason, boolean sound) {

	/**
	 * The ruling without its reason, which may quote what was judged.
	 */
	@Override
	public String toString() {
		return "Judgement[answer=%s]".formatted(this.answer);
	}

	/**
	 * What a judge may decide.
	 */
	enum Answer {

		/** Nothing speaks against it. */
		ALLOW,

		/** A person has to approve. */
		ASK,

		/** It must not happen. */
		DENY

	}

}
