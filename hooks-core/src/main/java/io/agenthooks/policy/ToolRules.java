package io.agenthooks.policy;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * The rules of a policy, made of {@link PolicyRule}s by something that can read their
 * conditions. They depend on the call, and on the time, alone.
 *
 * @since 0.1.0
 */
public interface ToolRules {

	/**
	 * Decide about a call.
	 * @param call the call
	 * @return what the strictest of the rules that match wants, which is never to change
	 * or to answer the call
	 */
	ToolDecision decide(ToolCall call);

	/**
	 * For which tools there is any rule.
	 * @return tests one of the names of a tool
	 */
	Predicate<String> tools();

	/**
	 * Whether the rules object to a call whatever its arguments are, so that there is no
	 * use in offering the tool. Asks no rule that looks at arguments.
	 * @param call the call, of which nobody looks at the arguments
	 * @return whether every call like this is denied
	 */
	boolean denyAlways(ToolCall call);

	/**
	 * Whether any rule hides tools.
	 * @return whether {@link #hides} may say so of a call
	 */
	boolean isHiding();

	/**
	 * Whether a rule that hides tools objects to a call whatever its arguments are.
	 * @param call the call, of which nobody looks at the arguments
	 * @return whether the tool is not to be offered
	 */
	boolean hides(ToolCall call);

	/**
	 * The same rules, which say where they are written.
	 * @param places finds the place of an option by its path, as in
	 * {@link io.agenthooks.LocatableHook#writtenAt}
	 * @return the rules, which are these unless overridden
	 */
	default ToolRules writtenAt(Function<List<String>, @Nullable String> places) {
		return this;
	}

	/**
	 * The same rules, for the tools of named MCP servers only.
	 * @return the rules
	 */
	ToolRules forNamedServers();

}
