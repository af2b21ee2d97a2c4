package io.agenthooks.policy;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.pattern.Budget;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Decides about calls by lists of tools and by patterns in arguments. The first rule that
 * applies decides: a tool that is denied, an argument that matches a denied pattern, a
 * tool that is not among the allowed ones, if any are listed. Anything else is approved.
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
public final class PolicyToolHook implements PreToolHook {

	private static final Logger logger = LoggerFactory.getLogger(PolicyToolHook.class);

	private final @Nullable Predicate<String> allowedTools;

	private final Predicate<String> deniedTools;

	private final ArgumentRules argumentRules;

	/**
	 * Create a hook.
	 * @param config what to allow and to deny
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public PolicyToolHook(PolicyConfig config) {
		PolicyReader reader = new PolicyReader(config);
		this.allowedTools = reader.allowedTools();
		this.deniedTools = reader.deniedTools();
		this.argumentRules = reader.argumentRules();
		reader.check();
		if (config.allowTools() != null && config.allowTools().isEmpty()) {
			logger.warn("A policy has an empty list 'allow_tools', so it denies every tool");
		}
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		String tool = call.tool();
		if (!ToolNames.isUsual(tool)) {
			return ToolDecision
				.deny("The policy denies names of tools that are empty, longer than %d characters or hold "
					.formatted(ToolNames.MAX_LENGTH) + "white space or invisible characters");
		}
		if (this.deniedTools.test(tool)) {
			return ToolDecision.deny("The policy denies the tool '%s'".formatted(SafeText.name(tool)));
		}
		try {
			ArgumentRules.Finding finding = this.argumentRules.find(call.arguments());
			if (finding != null) {
				return ToolDecision
					.deny("The policy denies the tool '%s' with this argument '%s': it matches the pattern '%s'"
						.formatted(SafeText.name(tool), SafeText.name(finding.argument()),
								SafeText.name(finding.pattern())));
			}
		}
		catch (Budget.ExhaustedException ex) {
			return ToolDecision
				.deny("The policy denies the tool '%s' with these arguments: they are too large to be searched in time"
					.formatted(SafeText.name(tool)));
		}
		if (this.allowedTools != null && !this.allowedTools.test(tool)) {
			return ToolDecision.deny("The policy does not allow the tool '%s'".formatted(SafeText.name(tool)));
		}
		return ToolDecision.approve();
	}

	/**
	 * A policy depends on the call alone.
	 */
	@Override
	public boolean isRepeatable() {
		return true;
	}

}
