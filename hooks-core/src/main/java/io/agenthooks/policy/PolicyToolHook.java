package io.agenthooks.policy;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.pattern.Budget;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ServerAwareHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Decides about calls by lists of tools and by patterns in arguments. The first rule that
 * applies decides: a tool that is denied, an argument that matches a denied pattern, a
 * tool that is not among the allowed ones, if any are listed. Anything else is approved.
 * <p>
 * A tool is denied by any of its {@linkplain ToolIdentity#names() names}. It is allowed
 * by what no other server can choose: see {@link ToolGlobs#allow}.
 * <p>
 * Whatever the lists say, a call is denied if the name of its tool is empty, longer than
 * 256 code points or holds white space, control characters or invisible ones, and if its
 * arguments are too large to be searched.
 * <p>
 * Patterns have the syntax of {@link java.util.regex.Pattern}, without look-around,
 * back-references and whatever else would make time grow faster than the text. They find
 * a part of the argument ({@code find}), {@code .} matches line breaks, and {@code (?i)}
 * knows the case of all of Unicode.
 *
 * @since 0.1.0
 */
public final class PolicyToolHook implements PreToolHook, ServerAwareHook {

	private static final Logger logger = LoggerFactory.getLogger(PolicyToolHook.class);

	private final PolicyConfig config;

	private final @Nullable ToolGlobs allowedTools;

	private final Predicate<String> deniedTools;

	private final ArgumentRules argumentRules;

	/** Whether this is for the tools of named MCP servers. */
	private final boolean serversNamed;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	/**
	 * Create a hook.
	 * @param config what to allow and to deny
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public PolicyToolHook(PolicyConfig config) {
		this.config = config;
		PolicyReader reader = new PolicyReader(config);
		this.allowedTools = reader.allowedTools();
		this.deniedTools = reader.deniedTools();
		this.argumentRules = reader.argumentRules();
		this.serversNamed = false;
		reader.check();
		if (config.allowTools() != null && config.allowTools().isEmpty()) {
			logger.warn("A policy has an empty list 'allow_tools', so it denies every tool");
		}
	}

	private PolicyToolHook(PolicyToolHook policy) {
		this.config = policy.config;
		this.allowedTools = policy.allowedTools;
		this.deniedTools = policy.deniedTools;
		this.argumentRules = policy.argumentRules;
		this.serversNamed = true;
	}

	@Override
	public PolicyToolHook forNamedServers() {
		return new PolicyToolHook(this);
	}

	/**
	 * What this hook allows and denies.
	 * @return the configuration that it was made of
	 */
	public PolicyConfig config() {
		return this.config;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		ToolIdentity tool = call.identity();
		if (!ToolNames.isUsual(tool.modelName()) || !(tool.isOfApplication() || ToolNames.isUsual(tool.name()))) {
			return ToolDecision
				.deny("The policy denies names of tools that are empty, longer than %d characters or hold "
					.formatted(ToolNames.MAX_LENGTH) + "white space or invisible characters");
		}
		if (tool.anyName(this.deniedTools)) {
			return ToolDecision.deny("The policy denies the tool " + tool.describe());
		}
		try {
			ArgumentRules.Finding finding = this.argumentRules.find(call.arguments());
			if (finding != null) {
				return ToolDecision.deny(
						"The policy denies the tool %s with this argument '%s': it matches the pattern '%s'".formatted(
								tool.describe(), SafeText.name(finding.argument()), SafeText.name(finding.pattern())));
			}
		}
		catch (Budget.ExhaustedException ex) {
			return ToolDecision
				.deny("The policy denies the tool %s with these arguments: they are too large to be searched in time"
					.formatted(tool.describe()));
		}
		if (this.allowedTools != null && !this.allowedTools.allow(tool, this.serversNamed)) {
			explain(tool, this.allowedTools);
			return ToolDecision.deny("The policy does not allow the tool " + tool.describe());
		}
		return ToolDecision.approve();
	}

	/**
	 * Tell who wrote the policy why a tool is not allowed although its name is.
	 */
	private void explain(ToolIdentity tool, ToolGlobs allowed) {
		if (!allowed.match(tool)) {
			return;
		}
		String server = (tool.server() != null) ? SafeText.name(tool.server()) : null;
		this.warnings.warn(
				"A policy does not allow the tool " + tool.describe()
						+ ": a name in 'allow_tools' is for tools of the application, since any server may use it. "
						+ ((server != null)
								? "Write '%s__%s', or give the entry 'mcp_servers: [\"%s\"]'".formatted(server,
										SafeText.name(tool.name()), server)
								: "Give each connection a name of its own"));
	}

	/**
	 * A policy depends on the call alone.
	 */
	@Override
	public boolean isRepeatable() {
		return true;
	}

}
