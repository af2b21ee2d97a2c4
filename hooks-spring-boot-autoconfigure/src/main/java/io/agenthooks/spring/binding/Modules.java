package io.agenthooks.spring.binding;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The modules that an application may leave out, with the types of hooks, the features
 * and the stores that each of them adds.
 *
 * @param name the name of the module, which is that of the dependency
 * @param type a type of the module, below {@code io.agenthooks.spring}
 * @param adds sections and types of hooks, such as {@code tool_call.command}, features,
 * such as {@code audit}, and stores, such as {@code store.jdbc}
 */
record Modules(String name, String type, List<String> adds) {

	private static final List<Modules> ALL = List.of(
			new Modules("hooks-programs", "command.CommandHooksAutoConfiguration",
					List.of("tool_call.command", "llm_call.command", "run.command", "tool_call.process",
							"llm_call.process", "run.process")),
			new Modules("hooks-judge", "prompt.PromptHooksAutoConfiguration",
					List.of("tool_call.prompt", "llm_call.prompt", "run.prompt")),
			new Modules("hooks-webhook", "webhook.WebhookHooksAutoConfiguration",
					List.of("tool_call.webhook", "llm_call.webhook", "run.webhook")),
			new Modules("hooks-policy-cel", "cel.CelConditionsAutoConfiguration", List.of("run.policy")),
			new Modules("hooks-approval", "approval.ApprovalAutoConfiguration",
					List.of("tool_call.approval", "approval")),
			new Modules("hooks-audit", "audit.AuditAutoConfiguration", List.of("audit")),
			new Modules("hooks-observability", "observation.HooksObservationAutoConfiguration", List.of("observation")),
			new Modules("hooks-console", "console.ConsoleAutoConfiguration", List.of("console", "journal")),
			new Modules("hooks-jdbc", "jdbc.TableScripts", List.of("store.jdbc")),
			new Modules("hooks-redis", "redis.RedisState", List.of("store.redis")),
			new Modules("hooks-limit", "limit.LimitHooksAutoConfiguration",
					List.of("limit", "tool_call.rate_limit", "llm_call.rate_limit", "tool_call.budget",
							"llm_call.budget", "tool_call.concurrency", "llm_call.concurrency", "tool_call.loop",
							"llm_call.loop", "tool_call.alert")));

	private static final List<String> OF_KERNEL = List.of("tool_call.policy", "llm_call.policy",
			"tool_call.passthrough", "tool_call.respond", "tool_call.cache", "tool_call.truncate", "llm_call.truncate",
			"tool_call.redact", "llm_call.redact", "tool_call.flow", "tool_call.bean", "llm_call.bean", "run.bean");

	/** Null if what is added needs no other module. */
	static @Nullable String dependency(String added) {
		return ALL.stream()
			.filter((module) -> module.adds.contains(added))
			.map(Modules::dependency)
			.findFirst()
			.orElse(null);
	}

	/** The same, unless the application has the module. */
	static @Nullable String missing(String added) {
		return ALL.stream()
			.filter((module) -> module.adds.contains(added) && !module.isPresent(null))
			.map(Modules::dependency)
			.findFirst()
			.orElse(null);
	}

	static Stream<String> types(HookSection<?> section, boolean present) {
		String prefix = section.key() + ".";
		return Stream
			.concat((present) ? OF_KERNEL.stream() : Stream.empty(),
					ALL.stream()
						.filter((module) -> module.isPresent(null) == present)
						.flatMap((module) -> module.adds.stream()))
			.filter((added) -> added.startsWith(prefix))
			.map((added) -> added.substring(prefix.length()));
	}

	static List<String> missingFeatures(HookPropertySources hooks, @Nullable ClassLoader classLoader) {
		return ALL.stream()
			.filter((module) -> !module.isPresent(classLoader))
			.flatMap((module) -> module.adds.stream()
				.filter((added) -> !added.contains(".") && hooks.isFeatureEnabled(added))
				.map((feature) -> MissingModuleException.describe(module.name,
						"'hooks.%s' (%s)".formatted(feature, hooks.placeOf(feature)))))
			.toList();
	}

	private String dependency() {
		return "io.agenthooks:" + this.name;
	}

	private boolean isPresent(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent("io.agenthooks.spring." + this.type, classLoader);
	}

}
