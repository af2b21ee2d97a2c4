package io.agenthooks.spring.limit;

/**
 * The consequence for a call that lacks what calls are counted by, such as one without a
 * user.
 */
enum OnMissingKey {

	DENY,

	SKIP

}
