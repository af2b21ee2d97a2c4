package io.agenthooks.spring.autoconfigure;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.core.Ordered;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCallListener;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * All hooks that are in force together, in the order in which they are asked. Stable, so
 * within one order beans come first, then the rest as written and registered.
 */
final class FittedToolHooks {

	private final List<ToolHookFitting.Fitted> hooks;

	FittedToolHooks(Collection<ToolHookFitting.Fitted> hooks) {
		this.hooks = hooks.stream()
			.sorted(Comparator.comparing((ToolHookFitting.Fitted hook) -> hook.listed().phase())
				.thenComparingInt((hook) -> hook.listed().options().order()))
			.toList();
	}

	FittedToolHooks with(Collection<ToolHookFitting.Fitted> others) {
		return new FittedToolHooks(Stream.concat(this.hooks.stream(), others.stream()).toList());
	}

	List<ToolHooks.Listed> list() {
		return this.hooks.stream().map(ToolHookFitting.Fitted::listed).toList();
	}

	boolean isEmpty() {
		return this.hooks.isEmpty();
	}

	boolean has(String name) {
		return this.hooks.stream().anyMatch((hook) -> hook.listed().name().equals(name));
	}

	ToolHookChain toChain(ToolApprover approver, ToolCallListener listener, AbortedRuns abortedRuns) {
		return ToolHookChain.of(entries(ToolHooks.Phase.PRE_CALL, PreToolHook.class),
				entries(ToolHooks.Phase.RESULT, ToolResultHook.class),
				entries(ToolHooks.Phase.POST_CALL, PostToolHook.class), approver, listener, abortedRuns);
	}

	void putInto(ToolHookChain chain) {
		chain.replaceEntries(entries(ToolHooks.Phase.PRE_CALL, PreToolHook.class),
				entries(ToolHooks.Phase.RESULT, ToolResultHook.class),
				entries(ToolHooks.Phase.POST_CALL, PostToolHook.class));
	}

	private <H extends ToolHook> List<HookEntry<H>> entries(ToolHooks.Phase phase, Class<H> kind) {
		return this.hooks.stream()
			.filter((hook) -> hook.listed().phase() == phase)
			.map((hook) -> hook.entry().as(kind))
			.toList();
	}

	/**
	 * The hooks as a block of text, one by one, for the log.
	 * @param proved the ways to tools that were proved to pass them
	 */
	String describe(List<String> proved) {
		if (isEmpty()) {
			return "There are no hooks: calls of tools go straight to the tools";
		}
		StringBuilder text = new StringBuilder((proved.isEmpty())
				? "Hooks around calls of tools; nothing that makes such calls was there at the start to prove it:"
				: "Every call of a tool passes these hooks:");
		describe(text, "before the call", ToolHooks.Phase.PRE_CALL);
		if (list().stream().anyMatch((hook) -> hook.phase() == ToolHooks.Phase.RESULT)) {
			describe(text, "about the result", ToolHooks.Phase.RESULT);
		}
		describe(text, "after the call", ToolHooks.Phase.POST_CALL);
		if (!proved.isEmpty()) {
			text.append("%n  proved by a denied call through %s".formatted(String.join(", ", proved)));
		}
		return text.toString();
	}

	private void describe(StringBuilder text, String title, ToolHooks.Phase phase) {
		List<ToolHooks.Listed> hooks = list().stream().filter((hook) -> hook.phase() == phase).toList();
		text.append("%n  %s:".formatted(title));
		if (hooks.isEmpty()) {
			text.append(" none");
		}
		for (int i = 0; i < hooks.size(); i++) {
			ToolHooks.Listed hook = hooks.get(i);
			ToolHookOptions options = hook.options();
			text.append("%n    %d. %s (type %s%s%s, from %s)".formatted(i + 1, hook.name(), hook.type(),
					(options.order() != Ordered.LOWEST_PRECEDENCE) ? ", order " + options.order() : "",
					(options.mode() == ToolHookOptions.Mode.OBSERVE) ? ", observes only" : "", hook.origin()));
		}
	}

}
