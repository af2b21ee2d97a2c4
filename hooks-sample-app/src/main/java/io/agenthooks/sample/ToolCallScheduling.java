package io.agenthooks.sample;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads that calls wait on. Many, because a call may wait for seconds for a hook,
 * and others must not wait for it.
 */
@Configuration(proxyBeanMethods = false)
class ToolCallScheduling {

	private static final int MAX_THREADS = 200;

	@Bean(destroyMethod = "dispose")
	Scheduler toolCallScheduler() {
		return Schedulers.newBoundedElastic(MAX_THREADS, Schedulers.DEFAULT_BOUNDED_ELASTIC_QUEUESIZE, "tool-calls");
	}

}
