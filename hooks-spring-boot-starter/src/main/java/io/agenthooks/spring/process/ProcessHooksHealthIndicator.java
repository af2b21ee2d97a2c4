package io.agenthooks.spring.process;

import java.util.Collection;
import java.util.Map;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Down if a program is: then its calls are denied, or pass without having been seen.
 *
 * @param programs knows the programs
 */
record ProcessHooksHealthIndicator(ProcessPrograms programs) implements HealthIndicator {

	@Override
	public Health health() {
		Map<String, ProcessState> states = this.programs.states();
		Collection<ProcessState> all = states.values();
		Health.Builder health = (all.contains(ProcessState.DOWN)) ? Health.down()
				: (all.contains(ProcessState.RESTARTING)) ? Health.outOfService() : Health.up();
		states.forEach((hook, state) -> health.withDetail(hook, state));
		return health.build();
	}

}
