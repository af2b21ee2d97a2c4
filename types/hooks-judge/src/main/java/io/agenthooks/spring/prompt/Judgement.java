package io.agenthooks.spring.prompt;

/** The decision of a judge. It can do no more than that. */
record Judgement(Answer answer, String reason, boolean sound) {

	/** The ruling without its reason, which may quote what was judged. */
	@Override
	public String toString() {
		return "Judgement[answer=%s]".formatted(this.answer);
	}

	/** The decisions that a judge may make. */
	enum Answer {

		/** Nothing speaks against it. */
		ALLOW,

		/** A person has to approve. */
		ASK,

		/** It must not happen. */
		DENY

	}

}
