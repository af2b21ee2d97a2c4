package io.agenthooks.spring.console;

import java.util.List;
import java.util.Map;

/** The endpoints that the page lives on. */
interface ConsoleEndpoints {

	List<String> IDS = List.of("toolhooks", "toolcalls", "toolaudit");

	boolean hasActuator();

	/**
	 * The endpoints that are exposed, by their id: {@code url} seen from the folder of
	 * the page, and whether {@code explain} and {@code switch} are allowed.
	 */
	Map<String, Map<String, Object>> describe();

	/** Below the root of the application. */
	List<String> paths();

	/** Without Spring Boot Actuator. */
	static ConsoleEndpoints none() {
		return new ConsoleEndpoints() {

			@Override
			public boolean hasActuator() {
				return false;
			}

			@Override
			public Map<String, Map<String, Object>> describe() {
				return Map.of();
			}

			@Override
			public List<String> paths() {
				return List.of();
			}

		};
	}

}
