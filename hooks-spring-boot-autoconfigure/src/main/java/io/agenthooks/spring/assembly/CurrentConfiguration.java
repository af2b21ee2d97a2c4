package io.agenthooks.spring.assembly;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.binding.HookSection;

/**
 * The active configuration, whose version is made again only when it has changed.
 *
 * @since 0.1.0
 */
public final class CurrentConfiguration {

	private final ConfigurationHash hash;

	private final Map<String, String> properties;

	private final BooleanSupplier toolsEnabled;

	private final Supplier<Map<String, List<ActiveHooks.Listed>>> hooks;

	private volatile @Nullable ActiveConfiguration last;

	private volatile @Nullable ActiveConfiguration lastEnabled;

	CurrentConfiguration(ConfigurationHash hash, Map<String, String> properties, BooleanSupplier toolsEnabled,
			Supplier<Map<String, List<ActiveHooks.Listed>>> hooks) {
		this.hash = hash;
		this.properties = properties;
		this.toolsEnabled = toolsEnabled;
		this.hooks = hooks;
	}

	/**
	 * The configuration of an application.
	 * @param hash makes its versions
	 * @param environment the properties; without a key, those that look like secrets are
	 * left out
	 * @param toolHooks the hooks around calls of tools
	 * @param llmHooks the hooks around calls of models
	 * @param runHooks the hooks around runs
	 * @return the configuration
	 */
	public static CurrentConfiguration of(ConfigurationHash hash, ConfigurableEnvironment environment,
			ObjectProvider<ToolHooks> toolHooks, ObjectProvider<LlmHooks> llmHooks, ObjectProvider<RunHooks> runHooks) {
		return new CurrentConfiguration(hash, ActiveConfiguration.properties(environment, hash.keyed()),
				() -> toolHooks.stream().allMatch(ToolHooks::areToolsEnabled),
				() -> active(toolHooks, llmHooks, runHooks));
	}

	/**
	 * The active hooks.
	 * @param toolHooks the hooks around calls of tools
	 * @param llmHooks the hooks around calls of models
	 * @param runHooks the hooks around runs
	 * @return the hooks by the kind of their calls
	 */
	public static Map<String, List<ActiveHooks.Listed>> active(ObjectProvider<ToolHooks> toolHooks,
			ObjectProvider<LlmHooks> llmHooks, ObjectProvider<RunHooks> runHooks) {
		Map<String, List<ActiveHooks.Listed>> active = new LinkedHashMap<>();
		toolHooks.ifAvailable((hooks) -> active.put(HookSection.TOOL_CALL.key(), hooks.list()));
		llmHooks.ifAvailable((hooks) -> active.put(HookSection.LLM_CALL.key(), hooks.list()));
		runHooks.ifAvailable((hooks) -> active.put(HookSection.RUN.key(), hooks.list()));
		return active;
	}

	public ActiveConfiguration get() {
		boolean toolsEnabled = this.toolsEnabled.getAsBoolean();
		Map<String, List<ActiveHooks.Listed>> hooks = this.hooks.get();
		ActiveConfiguration last = this.last;
		if (last == null || last.toolsEnabled() != toolsEnabled || !last.hooks().equals(hooks)) {
			last = ActiveConfiguration.of(this.hash, this.properties, toolsEnabled, hooks);
			this.last = last;
		}
		return last;
	}

	/**
	 * The version of the configuration that is active now, the same while tools are
	 * switched off.
	 * @return the version
	 */
	public String versionOfHooks() {
		ActiveConfiguration now = get();
		if (now.toolsEnabled()) {
			return now.version();
		}
		ActiveConfiguration last = this.lastEnabled;
		if (last == null || !last.hooks().equals(now.hooks())) {
			last = ActiveConfiguration.of(this.hash, this.properties, true, now.hooks());
			this.lastEnabled = last;
		}
		return last.version();
	}

}
