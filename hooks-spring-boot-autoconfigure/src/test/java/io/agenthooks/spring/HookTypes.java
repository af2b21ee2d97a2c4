package io.agenthooks.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfigurations;

import io.agenthooks.spring.alert.AlertHooksAutoConfiguration;
import io.agenthooks.spring.answer.AnswerHooksAutoConfiguration;
import io.agenthooks.spring.command.CommandHooksAutoConfiguration;
import io.agenthooks.spring.flow.FlowHooksAutoConfiguration;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.spring.process.ProcessHooksAutoConfiguration;
import io.agenthooks.spring.redact.RedactHooksAutoConfiguration;
import io.agenthooks.spring.webhook.WebhookHooksAutoConfiguration;

/**
 * The auto-configurations that add types of hooks, for tests that start with few others.
 */
public final class HookTypes {

	/** Sorting them reads the files of their classes, and each test begins with it. */
	private static final Map<List<Class<?>>, AutoConfigurations> sorted = new ConcurrentHashMap<>();

	private HookTypes() {
	}

	/**
	 * These auto-configurations and those of all types of hooks.
	 */
	public static AutoConfigurations with(Class<?>... autoConfigurations) {
		return sorted.computeIfAbsent(List.of(autoConfigurations), HookTypes::sort);
	}

	private static AutoConfigurations sort(List<Class<?>> autoConfigurations) {
		Stream<Class<?>> types = Stream.of(AlertHooksAutoConfiguration.class, AnswerHooksAutoConfiguration.class,
				CommandHooksAutoConfiguration.class, FlowHooksAutoConfiguration.class,
				LimitHooksAutoConfiguration.class, PolicyHooksAutoConfiguration.class,
				ProcessHooksAutoConfiguration.class, RedactHooksAutoConfiguration.class,
				WebhookHooksAutoConfiguration.class);
		return AutoConfigurations.of(Stream.concat(autoConfigurations.stream(), types).toArray(Class<?>[]::new));
	}

}
