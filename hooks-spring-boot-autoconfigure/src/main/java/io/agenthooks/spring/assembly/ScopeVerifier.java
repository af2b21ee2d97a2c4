package io.agenthooks.spring.assembly;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.agenthooks.Hook;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.HookScope;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.Places;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.scope.Findings;
import io.agenthooks.spring.scope.KnownNames;
import io.agenthooks.spring.scope.Mention;
import io.agenthooks.spring.scope.MentionSource;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.NameVerifier;
import io.agenthooks.spring.scope.Named;
import io.agenthooks.spring.scope.NamesInConditions;
import io.agenthooks.spring.scope.UnmatchedNames;
import io.agenthooks.toolcall.ToolExecutor;

/** Stops the start if a hook is only for users, agents and such that cannot be. */
final class ScopeVerifier implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ScopeVerifier.class);

	/** The types that connect to MCP servers, also in code that makes no bean of it. */
	private static final List<String> CLIENTS = List.of("io.modelcontextprotocol.client.McpSyncClient",
			"dev.langchain4j.mcp.client.McpClient");

	private final ConfigurableListableBeanFactory beanFactory;

	private final HookPropertySources properties;

	private final AllConfiguredHooks configuration;

	private final ObjectProvider<AnnotatedToolHooks> methods;

	private final ObjectProvider<NameSource> sources;

	private final ObjectProvider<MentionSource> others;

	private final UnmatchedNames unmatched;

	ScopeVerifier(ConfigurableListableBeanFactory beanFactory, HookPropertySources properties,
			AllConfiguredHooks configuration, ObjectProvider<AnnotatedToolHooks> methods,
			ObjectProvider<NameSource> sources, ObjectProvider<MentionSource> others, UnmatchedNames unmatched) {
		this.beanFactory = beanFactory;
		this.properties = properties;
		this.configuration = configuration;
		this.methods = methods;
		this.sources = sources;
		this.others = others;
		this.unmatched = unmatched;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Findings findings = findings(logger);
		KnownNames known = known();
		NameVerifier verifier = new NameVerifier(known, findings);
		forEach((mention) -> {
			verifier.verify(mention);
			if (!known.isFor(mention)) {
				this.unmatched.add(mention);
			}
		});
		findings.check();
	}

	void watch(Mention mention) {
		this.unmatched.add(mention);
	}

	Findings findings(Logger logger) {
		return new Findings(this.properties.isStrict(), logger);
	}

	KnownNames known() {
		KnownNames known = new KnownNames(this.properties.context());
		this.sources.orderedStream().forEach((source) -> source.addTo(known));
		if (hasBean(CallContextCustomizer.class)) {
			known.mayBeCustomized();
		}
		if (hasBean(ToolExecutor.class)) {
			known.mayCome(EnumSet.of(Named.AGENT));
			known.mayComeFromLoop();
		}
		if (CLIENTS.stream().anyMatch((type) -> ClassUtils.isPresent(type, this.beanFactory.getBeanClassLoader()))) {
			known.mayConnect();
		}
		if (!known.isKnown(Named.MCP_SERVER) && KnownToolsFinder.mayHaveServers(this.beanFactory)) {
			known.mayCome(EnumSet.of(Named.MCP_SERVER));
		}
		return known;
	}

	private boolean hasBean(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type, true, false).length > 0;
	}

	private void forEach(Consumer<Mention> verified) {
		Stream.of(this.configuration.toolCall(), this.configuration.llmCall(), this.configuration.run())
			.flatMap((hooks) -> Stream.concat(hooks.preCall().stream(), hooks.postCall().stream()))
			.forEach((entry) -> {
				scope(entry.options().scope(), entry.name(), entry.places(), verified);
				conditions(entry.hook(), entry.name(), entry.places(), verified);
				approvers(entry, verified);
			});
		this.methods.stream()
			.flatMap((methods) -> methods.hooks().stream())
			.forEach((method) -> scope(method.options().scope(), method.name(), (path) -> method.origin(), verified));
		for (String name : this.beanFactory.getBeanNamesForType(PolicyToolHook.class, false, false)) {
			if (this.beanFactory.getSingleton(name) instanceof PolicyToolHook policy) {
				conditions(policy, name, (path) -> "bean '" + name + "'", verified);
			}
		}
		others().filter((mention) -> mention.kind() != Named.TOOL).forEach(verified);
	}

	Stream<Mention> others() {
		return this.others.orderedStream().flatMap((source) -> source.mentions().stream());
	}

	/** If no login grants what an entry or a rule writes, nobody could ever decide. */
	private static void approvers(ConfiguredHooks.Entry<?> entry, Consumer<Mention> verified) {
		approvers(entry, entry.options().asking().approvers(), "approvers", verified);
		List<PolicyRule> rules = (entry.hook() instanceof PolicyToolHook policy) ? policy.config().rules() : null;
		for (int i = 0; rules != null && i < rules.size(); i++) {
			approvers(entry, rules.get(i).approvers(), "config.rules.%d.approvers".formatted(i), verified);
		}
	}

	private static void approvers(ConfiguredHooks.Entry<?> entry, @Nullable List<String> approvers, String option,
			Consumer<Mention> verified) {
		for (int i = 0; approvers != null && i < approvers.size(); i++) {
			// Of no hook, since people who decide need not make calls.
			verified.accept(new Mention(Named.AUTHORITY, approvers.get(i), Mention.property(option, entry.name()), null,
					entry.places().of(List.of((option + "." + i).split("\\.")))));
		}
	}

	private static void scope(HookScope scope, String hook, Places places, Consumer<Mention> verified) {
		Map<Named, List<String>> chosen = ScopeText.lists(scope);
		chosen.forEach((kind, names) -> {
			for (int i = 0; i < names.size(); i++) {
				String option = kind.option();
				verified.accept(
						new Mention(kind, names.get(i), option, hook, places.of(List.of(option, String.valueOf(i)))));
			}
		});
	}

	private static List<String> below(String parent, List<String> path) {
		return Stream.concat(Stream.of(parent), path.stream()).toList();
	}

	private static void conditions(Hook hook, String name, Places places, Consumer<Mention> verified) {
		for (Object rules : HookRules.conditions(hook)) {
			if (rules instanceof NamesInConditions named) {
				named.compared()
					.stream()
					// Tools are verified with those that rules are for.
					.filter((compared) -> compared.kind() != Named.TOOL)
					.map((compared) -> new Mention(compared.kind(), compared.name(), compared.written(), name,
							places.of(below("config", compared.path())), compared.anyCase()))
					.forEach(verified);
			}
		}
	}

}
