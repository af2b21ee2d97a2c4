package io.agenthooks.spring.caller;

/** Used if no security framework knows the logged-in user. */
record UnknownUser() implements CurrentUser {

	@Override
	public Login ofThread() {
		return Login.UNKNOWN;
	}

}
