package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.CallContext;
import io.agenthooks.ExternalHook;
import io.agenthooks.SafeText;
import io.agenthooks.spring.SentArguments;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.external.Unanswered;
import io.agenthooks.spring.guard.StartProof;
import io.agenthooks.spring.threads.HooksThreads;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolScope;

/**
 * Asks hooks about the calls that they must deny at the start, and stops it if one does
 * not: a program that looks for other names guards nothing, and nothing else would tell.
 * It is asked outside of the chain, so nothing counts the call as one of the agent.
 */
final class ProvedEntries implements StartProof {

	/** A program may start slowly, and a model may think. */
	private static final Duration BOUND = Duration.ofSeconds(60);

	/** Claude Code's beginning of the names of tools of MCP servers. */
	private static final String MCP = "mcp__";

	private static final String SEPARATOR = "__";

	private static final Logger logger = LoggerFactory.getLogger(ProvedEntries.class);

	private final List<ConfiguredHooks.Entry<ToolHook>> entries;

	private final Duration bound;

	ProvedEntries(List<ConfiguredHooks.Entry<ToolHook>> entries) {
		this(entries, BOUND);
	}

	ProvedEntries(List<ConfiguredHooks.Entry<ToolHook>> entries, Duration bound) {
		this.entries = entries.stream().filter((entry) -> !entry.proofs().isEmpty()).toList();
		this.bound = bound;
	}

	@Override
	public void prove() {
		if (this.entries.isEmpty()) {
			return;
		}
		List<ConfiguredHooks.Mistake> mistakes = new ArrayList<>();
		ExecutorService thread = HooksThreads.unbounded("hooks-prove");
		try {
			for (ConfiguredHooks.Entry<ToolHook> entry : this.entries) {
				for (ConfiguredHooks.Proof proof : entry.proofs()) {
					String instead = prove(entry, proof, thread);
					if (instead != null) {
						mistakes.add(mistake(entry, proof, instead));
					}
				}
			}
		}
		finally {
			thread.shutdownNow();
		}
		ConfiguredHooks.refuse(mistakes);
		logger.info("Hooks that deny the calls which they must deny, proved by making them: {}",
				String.join(", ", this.entries.stream().map(ConfiguredHooks.Entry::name).toList()));
	}

	private static ConfiguredHooks.Mistake mistake(ConfiguredHooks.Entry<ToolHook> entry, ConfiguredHooks.Proof proof,
			String instead) {
		return new ConfiguredHooks.Mistake(proof.property(), proof.place(),
				"The hook '%s' (%s) must deny this call of the tool '%s' at the start, but %s.".formatted(entry.name(),
						entry.place(), SafeText.name(proof.tool()), instead),
				"Look whether it finds the call under the names that it looks for: of the tool, of the arguments, and of "
						+ "its system (option 'for'). Correct it, or the call that it must deny.");
	}

	/** Ask a hook; the result says what it did instead of denying, or is {@code null}. */
	private @Nullable String prove(ConfiguredHooks.Entry<ToolHook> entry, ConfiguredHooks.Proof proof,
			ExecutorService thread) {
		ToolIdentity tool = identity(proof.tool());
		if (!ToolScope.isFor(entry.options().scope().tools(), tool)) {
			return "it is not asked about this tool: its options 'match', 'matcher', 'except' or 'mcp_servers' "
					+ "leave it out";
		}
		if (!(entry.hook() instanceof PreToolHook hook)) {
			return "it does not decide about calls";
		}
		Map<String, @Nullable Object> arguments = proof.arguments();
		SentArguments sent = entry.options().sent();
		ToolCall call = ToolCall.of("prove-" + SafeText.name(entry.name()), tool,
				(sent != null && hook instanceof ExternalHook) ? sent.mask(arguments) : arguments, CallContext.empty());
		Future<ToolDecision> answer = thread.submit(() -> hook.preCall(call));
		try {
			return insteadOfDenying(answer.get(this.bound.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			answer.cancel(true);
			return "it gave no answer within " + this.bound.toSeconds() + " s";
		}
		catch (ExecutionException ex) {
			return "it failed with " + String.valueOf(ex.getCause()).split(":", 2)[0];
		}
		catch (InterruptedException ex) {
			answer.cancel(true);
			Thread.currentThread().interrupt();
			return "the start was interrupted";
		}
	}

	private static ToolIdentity identity(String tool) {
		int end = (tool.startsWith(MCP)) ? tool.indexOf(SEPARATOR, MCP.length() + 1) : -1;
		String name = (end > 0) ? tool.substring(end + SEPARATOR.length()) : "";
		return (name.isEmpty()) ? ToolIdentity.ofApplication(tool)
				: ToolIdentity.onServer(tool.substring(MCP.length(), end), name, tool);
	}

	private static @Nullable String insteadOfDenying(@Nullable ToolDecision decision) {
		if (decision == null) {
			return "it gave no decision";
		}
		if (decision instanceof ToolDecision.Approve approve && approve.failure() != null) {
			return "it failed, and lets calls pass when it fails: " + approve.failure();
		}
		if (Unanswered.isFailure(decision)) {
			return "it failed: " + ((decision instanceof ToolDecision.Deny deny) ? deny.reason() : decision.verdict());
		}
		return switch (decision.verdict()) {
			case DENY, ABORT -> null;
			case APPROVE -> "it did not object";
			case MODIFY -> "it changed the call, and lets it pass";
			case RESPOND -> "it answered in place of the tool";
			case ASK -> "it asks a person";
		};
	}

}
