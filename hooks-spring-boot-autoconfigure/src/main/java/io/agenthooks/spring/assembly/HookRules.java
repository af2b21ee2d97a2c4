package io.agenthooks.spring.assembly;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Hook;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.annotation.AnnotatedToolHook;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.Places;
import io.agenthooks.spring.origin.NamesTools;
import io.agenthooks.spring.scope.HasConditions;
import io.agenthooks.spring.scope.Mention;
import io.agenthooks.spring.scope.Named;
import io.agenthooks.toolcall.ToolHook;

/**
 * The names of tools and arguments in a hook.
 *
 * @param policy its rules, or {@code null} if it is not a policy
 * @param arguments the arguments that it takes
 * @param conditions what has read its conditions
 * @param named the tools that its configuration names otherwise
 */
record HookRules(String name, String place, String type, HookOptions options, @Nullable PolicyConfig policy,
		List<String> arguments, List<?> conditions, List<NamesTools.Names> named, Places places) {

	private static final String RESPOND = "respond";

	static HookRules of(ConfiguredHooks.Entry<ToolHook> hook) {
		PolicyToolHook policy = (hook.hook() instanceof PolicyToolHook found) ? found : null;
		return new HookRules(hook.name(), hook.place(), hook.type(), hook.options(),
				(policy != null) ? policy.config() : null, List.of(), conditions(hook.hook()),
				(hook.hook() instanceof NamesTools names) ? names.names() : List.of(), hook.places());
	}

	static HookRules of(AnnotatedToolHook method) {
		return new HookRules(method.name(), method.origin(), "", method.options(), null, method.arguments(), List.of(),
				List.of(), (path) -> method.origin());
	}

	static HookRules of(String bean, PolicyToolHook policy) {
		String place = "bean '" + bean + "'";
		return new HookRules(bean, place, HookBeans.TYPE, HookOptions.defaults(), policy.config(), List.of(),
				conditions(policy), List.of(), (path) -> place);
	}

	static List<?> conditions(Hook hook) {
		if (hook instanceof PolicyToolHook policy) {
			return (policy.rules() != null) ? List.of(policy.rules()) : List.of();
		}
		return (hook instanceof HasConditions has) ? has.conditions() : List.of(hook);
	}

	List<String> match() {
		return (this.options.scope().match() != null) ? this.options.scope().match() : List.of();
	}

	String property(String option) {
		return Mention.property(option, this.name);
	}

	Mention mention(String option, String name) {
		return new Mention(Named.TOOL, name, option, this.name, this.place);
	}

	/** Whether the hook answers in place of a tool, which may exist as its name only. */
	boolean areOfHooksThatAnswer() {
		return this.type.equals(RESPOND);
	}

}
