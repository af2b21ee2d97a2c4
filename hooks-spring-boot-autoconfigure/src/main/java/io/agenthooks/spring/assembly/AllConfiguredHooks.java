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
import io.agenthooks.chain.HookEntry;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.binding.AddedEntry;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.binding.HooksReader;
import io.agenthooks.spring.binding.ToolEffects;
import io.agenthooks.spring.binding.WholeConfiguration;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolResultHook;
import io.agenthooks.toolcall.TruncateToolHook;

/** All that the configuration lists, read together to report every mistake at once. */
final class AllConfiguredHooks implements DisposableBean, WholeConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(AllConfiguredHooks.class);

	private final ConfiguredHooks<ToolHook> toolCall;

	private final ConfiguredHooks<LlmHook> llmCall;

	private final ConfiguredHooks<RunHook> run;

	private final ToolPolicies policies;

	private final boolean toolsEnabled;

	private final boolean killSwitchShared;

	private final OptionalInt maxArgumentsSize;

	private final OptionalInt maxResultSize;

	AllConfiguredHooks(HookPropertySources properties, HooksReader reader,
			Collection<? extends HookFactory<ToolHook, ?>> toolHooks,
			Collection<? extends HookFactory<LlmHook, ?>> llmHooks,
			Collection<? extends HookFactory<RunHook, ?>> runHooks, Stream<? extends FeatureOptions<?>> features,
			ToolPolicies policies) {
		properties.emptyParts().forEach(logger::warn);
		this.policies = policies;
		reader.report(policies.mistakes());
		this.toolCall = read(properties, reader, HookSection.TOOL_CALL, "calls of tools", toolHooks,
				added(properties, reader, policies));
		this.llmCall = read(properties, reader, HookSection.LLM_CALL, "calls of models", llmHooks, List.of());
		this.run = read(properties, reader, HookSection.RUN, "runs of agents", runHooks, List.of());
		this.toolsEnabled = reader.areToolsEnabled();
		this.killSwitchShared = reader.isKillSwitchShared();
		this.maxArgumentsSize = reader.maxArgumentsSize();
		this.maxResultSize = reader.maxResultSize();
		reader.checkFeatures(features);
		List<Mistake> cuts = Stream.of(this.toolCall, this.llmCall).flatMap(AllConfiguredHooks::cuts).toList();
		if (properties.isStrict()) {
			reader.report(cuts);
		}
		reader.check();
		Stream.of(this.toolCall, this.llmCall, this.run)
			.flatMap((hooks) -> hooks.preCall().stream())
			.forEach(AllConfiguredHooks::warn);
		cuts.forEach((cut) -> logger.warn("{} {}. {} ({})", cut.property(), cut.message(), cut.action(), cut.place()));
	}

	private static List<AddedEntry> added(HookPropertySources properties, HooksReader reader, ToolPolicies policies) {
		if (properties.isDisabled(HookSection.TOOL_CALL)) {
			return List.of();
		}
		ToolEffects effects = reader.effects();
		if (!properties.areEffectsWritten()) {
			reader.report(policies.effectsWithoutConsequence());
		}
		Stream<AddedEntry> defaults = (effects != null) ? Stream.of(effects.entry(policies.toolsWithEffect()))
				: Stream.empty();
		return Stream.concat(defaults, policies.entries(effects).stream()).toList();
	}

	private static Stream<Mistake> cuts(ConfiguredHooks<?> hooks) {
		List<String> types = hooks.postCall().stream().map(ConfiguredHooks.Entry::type).toList();
		int cut = types.indexOf("truncate");
		if (cut < 0 || cut > types.lastIndexOf("redact")) {
			return Stream.empty();
		}
		ConfiguredHooks.Entry<?> entry = hooks.postCall().get(cut);
		return Stream.of(new Mistake("The hook '%s'".formatted(entry.name()), entry.place(),
				"cuts before 'redact' searches, which does not find half a secret", "List it behind 'redact'."));
	}

	private static <H extends Hook> ConfiguredHooks<H> read(HookPropertySources properties, HooksReader reader,
			HookSection<H> section, String calls, Collection<? extends HookFactory<H, ?>> factories,
			List<AddedEntry> added) {
		properties.formerNames(section).forEach(logger::warn);
		if (properties.isDisabled(section)) {
			logger.warn("hooks.{}.bypass_hooks is true: {} pass no hooks", section.key(), calls);
			return new ConfiguredHooks<>(List.of(), List.of(), Set.of());
		}
		return reader.read(section, factories, added);
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

	ToolPolicies policies() {
		return this.policies;
	}

	boolean toolsEnabled() {
		return this.toolsEnabled;
	}

	boolean isKillSwitchShared() {
		return this.killSwitchShared;
	}

	/** The most characters of the arguments of a call; empty if that is not written. */
	OptionalInt maxArgumentsSize() {
		return this.maxArgumentsSize;
	}

	/** Behind the hooks that replace results, to which it is whole, the one that cuts. */
	List<HookEntry<ToolResultHook>> withLimit(List<HookEntry<ToolResultHook>> results) {
		if (this.maxResultSize.isEmpty()) {
			return results;
		}
		ToolResultHook limit = new TruncateToolHook(this.maxResultSize.getAsInt(), TruncateToolHook.HEAD_SHARE);
		return Stream.concat(results.stream(), Stream.of(HookEntry.of(limit).named("max_result_size"))).toList();
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
