package io.agenthooks.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.util.ClassUtils;

/**
 * The auto-configurations that add types of hooks, for tests that start with few others.
 * A type whose module the tests do not have is left out.
 */
public final class HookTypes {

	private static final List<String> NAMES = List.of("alert.AlertHooks", "answer.AnswerHooks", "cel.CelConditions",
			"command.CommandHooks", "flow.FlowHooks", "limit.LimitHooks", "policy.PolicyHooks", "process.ProcessHooks",
			"redact.RedactHooks", "webhook.WebhookHooks");

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
		Stream<Class<?>> types = NAMES.stream()
			.map((name) -> "io.agenthooks.spring." + name + "AutoConfiguration")
			.filter((name) -> ClassUtils.isPresent(name, null))
			.map((name) -> ClassUtils.resolveClassName(name, null));
		return AutoConfigurations.of(Stream.concat(autoConfigurations.stream(), types).toArray(Class<?>[]::new));
	}

}
