package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import io.agenthooks.chain.HookAround;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.threads.HooksThreads;
import io.agenthooks.toolcall.ToolApprover;

/**
 * Bounds the time of all that runs beside calls: hooks that have a {@code timeout} or
 * only learn, listeners, and the approver. Threads that wait for these are let go when
 * the application closes.
 */
final class HookBounds implements ApplicationListener<ContextClosedEvent>, DisposableBean {

	private final HookPropertySources properties;

	private final List<HookCountsReader> readers;

	private final @Nullable ApplicationContext context;

	private final ScheduledThreadPoolExecutor timer = HooksThreads.timer("hook-interrupts");

	private final ExecutorService hooks = TimeLimit.threads();

	private final ExecutorService approvers = TimeLimit.threads();

	private final Map<String, BoundCounts> counts = new ConcurrentHashMap<>();

	HookBounds(HookPropertySources properties, List<HookCountsReader> readers, @Nullable ApplicationContext context) {
		this.properties = properties;
		this.readers = readers;
		this.context = context;
		this.timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(true);
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	TimeLimit limit(String hook, Duration timeout) {
		return new TimeLimit(hook, timeout, this.hooks, countsOf(hook));
	}

	HookAround learning(HookSection<?> section, String hook) {
		return bound("The hook '" + hook + "'", hook, section, section.postTimeout());
	}

	HookAround listening(HookSection<?> section) {
		return bound("A listener to events of 'hooks.%s'".formatted(section.key()), section.key() + ".listeners",
				section, HookSection.EVENT_TIMEOUT);
	}

	private LearningBound bound(String who, String name, HookSection<?> section, String setting) {
		Duration timeout = this.properties.duration(section, setting);
		return new LearningBound(who, timeout, "hooks.%s.%s".formatted(section.key(), setting), this.timer,
				limit(name, timeout), countsOf(name));
	}

	ToolApprover approving(ToolApprover approver, String name) {
		return new BoundedApprover(approver, name,
				this.properties.duration(HookSection.TOOL_CALL, HookSection.APPROVAL_TIMEOUT), this.approvers,
				countsOf(BoundedApprover.NAME));
	}

	private BoundCounts countsOf(String name) {
		return this.counts.computeIfAbsent(name, (absent) -> {
			BoundCounts counted = new BoundCounts();
			this.readers.forEach((reader) -> reader.join(name, counted));
			return counted;
		});
	}

	/** Do not let the end of the application wait for people. */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext().equals(this.context)) {
			this.approvers.shutdownNow();
		}
	}

	@Override
	public void destroy() {
		this.approvers.shutdownNow();
		this.hooks.shutdownNow();
		this.timer.shutdown();
	}

}
