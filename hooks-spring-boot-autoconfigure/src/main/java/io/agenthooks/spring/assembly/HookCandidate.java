package io.agenthooks.spring.assembly;

import java.util.Set;

import io.agenthooks.Hook;
import io.agenthooks.SafeText;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.annotation.AnnotatedToolHook;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.toolcall.ToolHook;

record HookCandidate<H extends Hook>(H hook, String name, String type, String origin, HookOptions options,
		Set<Phase> phases, boolean ownFailOpen, boolean ownTimeout) {

	private static final String METHOD = "method";

	private static final String REGISTERED = "registered";

	private static final Set<Phase> ALL = Set.of(Phase.values());

	private static final Set<Phase> LATER = Set.of(Phase.RESULT, Phase.POST_CALL);

	HookCandidate {
		name = SafeText.name(name);
	}

	static <H extends Hook> HookCandidate<H> bean(H hook, String name, String origin, int order) {
		return new HookCandidate<>(hook, name, HookBeans.TYPE, origin, HookOptions.defaults().order(order), ALL, false,
				false);
	}

	static HookCandidate<ToolHook> method(AnnotatedToolHook method) {
		return new HookCandidate<>(method.hook(), method.name(), METHOD, method.origin(), method.options(), ALL, false,
				method.ownTimeout());
	}

	static <H extends Hook> HookCandidate<H> preCall(ConfiguredHooks.Entry<H> entry) {
		return entry(entry, ALL);
	}

	static <H extends Hook> HookCandidate<H> postCall(ConfiguredHooks.Entry<H> entry) {
		return entry(entry, LATER);
	}

	private static <H extends Hook> HookCandidate<H> entry(ConfiguredHooks.Entry<H> entry, Set<Phase> phases) {
		return new HookCandidate<>(entry.hook(), entry.name(), entry.type(), entry.place(), entry.options(), phases,
				entry.ownFailOpen(), entry.ownTimeout());
	}

	static <H extends Hook> HookCandidate<H> registered(H hook, String name, String origin, HookOptions options) {
		return new HookCandidate<>(hook, name, REGISTERED, origin, options, ALL, false, false);
	}

	boolean failsOpen() {
		return Boolean.TRUE.equals(this.options.failOpen()) && !this.ownFailOpen;
	}

}
