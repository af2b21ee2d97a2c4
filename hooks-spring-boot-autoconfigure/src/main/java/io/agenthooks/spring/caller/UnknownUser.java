package io.agenthooks.spring.caller;

/**
 * Nobody says who is logged in.
 */
record UnknownUser() implements CurrentUser {

	@Override
	public Login ofThread() {
		return Login.UNKNOWN;
	}

}
