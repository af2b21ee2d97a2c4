package io.agenthooks.spring.assembly;

import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

import io.agenthooks.Hook;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.binding.HooksReader;
import io.agenthooks.spring.binding.WholeConfiguration;
import io.agenthooks.toolcall.ToolHook;

/**
 * All that the configuration lists, of every kind: read together, so that every mistake
 * is reported at once, and closed together.
 */
final class AllConfiguredHooks implements DisposableBean, WholeConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(AllConfiguredHooks.class);

	private final ConfiguredHooks<ToolHook> toolCall;

	private final ConfiguredHooks<LlmHook> llmCall;

	private final ConfiguredHooks<RunHook> run;

	private final boolean toolsEnabled;

	private final OptionalInt maxArgumentsSize;

	AllConfiguredHooks(HookPropertySources properties, HooksReader reader,
			Collection<? extends HookFactory<ToolHook, ?>> toolHooks,
			Collection<? extends HookFactory<LlmHook, ?>> llmHooks,
			Collection<? extends HookFactory<RunHook, ?>> runHooks, Stream<FeatureOptions> features) {
		properties.emptyParts().forEach(logger::warn);
		this.toolCall = read(properties, reader, HookSection.TOOL_CALL, "calls of tools", toolHooks);
		this.llmCall = read(properties, reader, HookSection.LLM_CALL, "calls of models", llmHooks);
		this.run = read(properties, reader, HookSection.RUN, "runs of agents", runHooks);
		this.toolsEnabled = reader.areToolsEnabled();
		this.maxArgumentsSize = reader.maxArgumentsSize();
		reader.checkFeatures(features);
		reader.check();
		Stream.of(this.toolCall, this.llmCall, this.run)
			.flatMap((hooks) -> hooks.preCall().stream())
			.forEach(AllConfiguredHooks::warn);
	}

	private static <H extends Hook> ConfiguredHooks<H> read(HookPropertySources properties, HooksReader reader,
			HookSection<H> section, String calls, Collection<? extends HookFactory<H, ?>> factories) {
		properties.formerNames(section).forEach(logger::warn);
		if (properties.isDisabled(section)) {
			logger.warn("hooks.{}.bypass_hooks is true: {} pass no hooks", section.key(), calls);
			return new ConfiguredHooks<>(List.of(), List.of(), Set.of());
		}
		return reader.read(section, factories);
	}

	private static void warn(ConfiguredHooks.Entry<?> configured) {
		if (configured.hook() instanceof PreCallWarnings warnings) {
			warnings.preCallWarnings(configured.options())
				.forEach((warning) -> logger.warn("{} ({})", warning, configured.place()));
		}
	}

	ConfiguredHooks<ToolHook> toolCall() {
		return this.toolCall;
	}

	ConfiguredHooks<LlmHook> llmCall() {
		return this.llmCall;
	}

	ConfiguredHooks<RunHook> run() {
		return this.run;
	}

	boolean toolsEnabled() {
		return this.toolsEnabled;
	}

	/** The most characters of the arguments of a call; empty if that is not written. */
	OptionalInt maxArgumentsSize() {
		return this.maxArgumentsSize;
	}

	@Override
	public void destroy() {
		Stream.of(this.toolCall, this.llmCall, this.run)
			.flatMap((hooks) -> Stream.concat(hooks.preCall().stream(), hooks.postCall().stream()))
			.filter((configured) -> !configured.type().equals(HookBeans.TYPE))
			.map(ConfiguredHooks.Entry::hook)
			.filter(AutoCloseable.class::isInstance)
			.forEach((hook) -> {
				try {
					((AutoCloseable) hook).close();
				}
				catch (Exception ex) {
					logger.warn("The hook '{}' could not be closed: {}", hook.name(), ex.getClass().getName());
				}
			});
	}

}
