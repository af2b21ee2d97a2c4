package io.agenthooks.spring.prompt;

record Judgement(Answer answer, String reason, boolean sound) {

	/** Without the reason, which may quote what was judged. */
	@Override
	public String toString() {
		return "Judgement[answer=%s]".formatted(this.answer);
	}

	enum Answer {

		ALLOW,

		ASK,

		DENY

	}

}
