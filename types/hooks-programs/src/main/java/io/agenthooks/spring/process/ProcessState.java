package io.agenthooks.spring.process;

/**
 * The state of the program of a {@code process} hook.
 *
 * @since 0.1.0
 */
public enum ProcessState {

	/**
	 * It runs.
	 */
	UP,

	/**
	 * It has ended, and is started again.
	 */
	RESTARTING,

	/**
	 * It has ended too often, and stays down.
	 */
	DOWN,

	/**
	 * The application has closed it.
	 */
	CLOSED

}
