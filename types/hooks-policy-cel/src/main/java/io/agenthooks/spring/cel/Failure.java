package io.agenthooks.spring.cel;

/**
 * Why an expression has no value. It is no exception, so it costs nothing where it does
 * not count.
 */
record Failure(String why) {

	static final Failure TOO_MUCH_WORK = new Failure("there is too much to evaluate");

	static final Failure UNUSUAL_SPELLING = new Failure(
			"a text is spelled with unusual or invisible characters, and would count in another way without them");

}
