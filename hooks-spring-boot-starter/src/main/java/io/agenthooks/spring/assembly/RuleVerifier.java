package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.Glob;
import io.agenthooks.SafeText;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.annotation.AnnotatedToolHook;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.toolcall.ToolHook;

/**
 * Warns, once all beans are there, of rules about tools and arguments that no tool has.
 * Says nothing if tools may come later, such as those of MCP servers.
 */
final class RuleVerifier implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(RuleVerifier.class);

	/** Its tools may exist as hooks only. */
	private static final String RESPOND = "respond";

	private static final int MAX_LISTED = 10;

	private final ConfigurableListableBeanFactory beanFactory;

	private final List<Rules> rules = new ArrayList<>();

	RuleVerifier(ConfigurableListableBeanFactory beanFactory, AllConfiguredHooks configuration,
			AnnotatedToolHooks methods) {
		this.beanFactory = beanFactory;
		Stream.of(configuration.toolCall().preCall(), configuration.toolCall().postCall())
			.flatMap(List::stream)
			.map(Rules::of)
			.forEach(this.rules::add);
		methods.hooks().stream().map(Rules::of).forEach(this.rules::add);
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String name : this.beanFactory.getBeanNamesForType(PolicyToolHook.class, false, false)) {
			if (this.beanFactory.getSingleton(name) instanceof PolicyToolHook policy
					&& this.rules.stream().noneMatch((each) -> policy.config().equals(each.policy()))) {
				this.rules.add(Rules.of(name, policy));
			}
		}
		if (this.rules.stream().noneMatch(Rules::areAboutNames)) {
			return;
		}
		KnownTools tools = findTools();
		String unknown = tools.unknown();
		if (unknown != null) {
			logger.debug("Rules about unknown tools cannot be found: {}", unknown);
			return;
		}
		this.rules.stream().filter(Rules::areOfHooksThatAnswer).forEach((each) -> each.match().forEach(tools::add));
		this.rules.forEach((each) -> verify(each, tools));
	}

	/**
	 * Find the tools. A tool that cannot say its name is no reason not to start.
	 */
	private KnownTools findTools() {
		try {
			return KnownToolsFinder.findIn(this.beanFactory);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The tools that are known at the start could not be found", ex);
			return new KnownTools();
		}
	}

	private void verify(Rules rules, KnownTools tools) {
		if (rules.options().scope().mcpServers() != null) {
			return;
		}
		verifyTools(rules, "match", rules.match(), tools);
		verifyTools(rules, "except", rules.options().scope().except(), tools);
		if (rules.options().scope().matcher() != null && tools.names()
			.stream()
			.noneMatch(HookOptions.defaults().matcher(rules.options().scope().matcher()).scope().tools())) {
			warn(rules, "matcher", rules.options().scope().matcher(), "tool", tools.names());
		}
		PolicyConfig policy = rules.policy();
		if (policy != null) {
			verifyTools(rules, "deny_tools", policy.denyTools(), tools);
			verifyTools(rules, "allow_tools", policy.allowTools(), tools);
			verifyArguments(rules, policy.denyArgumentPatterns(), tools);
		}
	}

	private static void verifyTools(Rules rules, String option, @Nullable List<String> globs, KnownTools tools) {
		for (String glob : (globs != null) ? globs : List.<String>of()) {
			if (tools.names().stream().noneMatch(Glob.of(glob))) {
				warn(rules, option, glob, "tool", tools.names());
			}
		}
	}

	private static void verifyArguments(Rules rules, @Nullable Map<String, List<String>> patterns, KnownTools tools) {
		Predicate<String> forTools = rules.options().scope().tools();
		List<String> called = tools.names().stream().filter(forTools).toList();
		Set<String> arguments = (patterns != null && !called.isEmpty()) ? tools.argumentsOf(called) : null;
		if (patterns == null || arguments == null) {
			return;
		}
		for (String name : patterns.keySet()) {
			if (!arguments.contains(name) && !arguments.containsAll(List.of(name.split("\\.", -1)))) {
				warn(rules, "deny_argument_patterns", name, "argument", arguments);
			}
		}
	}

	private static void warn(Rules rules, String option, String name, String what, Collection<String> known) {
		String meant = Spelling.didYouMean(name, known).strip();
		logger.warn("The hook '{}' ({}) has '{}' under '{}', but no {} that is known at the start has this name. {}",
				rules.name(), rules.place(), SafeText.name(name), option, what,
				(meant.isEmpty()) ? "Known are " + list(known) : SafeText.reason(meant));
	}

	private static String list(Collection<String> names) {
		List<String> sorted = new TreeSet<>(names).stream().map(SafeText::name).toList();
		return String.join(", ", sorted.subList(0, Math.min(MAX_LISTED, sorted.size())))
				+ ((sorted.size() > MAX_LISTED) ? " and %d others".formatted(sorted.size() - MAX_LISTED) : "");
	}

	/**
	 * What a hook says of names of tools and arguments.
	 *
	 * @param name the name of the hook
	 * @param place where it is written
	 * @param type its type
	 * @param options for which tools it is
	 * @param policy its rules, or {@code null} if it is no policy
	 */
	private record Rules(String name, String place, String type, HookOptions options, @Nullable PolicyConfig policy) {

		static Rules of(ConfiguredHooks.Entry<ToolHook> hook) {
			return new Rules(hook.name(), hook.place(), hook.type(), hook.options(),
					(hook.hook() instanceof PolicyToolHook policy) ? policy.config() : null);
		}

		static Rules of(AnnotatedToolHook method) {
			return new Rules(method.name(), method.origin(), "", method.options(), null);
		}

		static Rules of(String bean, PolicyToolHook policy) {
			return new Rules(bean, "bean '" + bean + "'", HookBeans.TYPE, HookOptions.defaults(), policy.config());
		}

		List<String> match() {
			return (this.options.scope().match() != null) ? this.options.scope().match() : List.of();
		}

		boolean areOfHooksThatAnswer() {
			return this.type.equals(RESPOND);
		}

		boolean areAboutNames() {
			return this.policy != null || this.options.scope().match() != null || this.options.scope().matcher() != null
					|| this.options.scope().except() != null;
		}

	}

}
