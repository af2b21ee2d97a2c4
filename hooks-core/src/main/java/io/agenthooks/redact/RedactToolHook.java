package io.agenthooks.redact;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.redact.Redactor.Search;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Takes secrets and personal data out of results before the agent gets them. It searches
 * the text of a result and its value; parts of the value that are neither text, number,
 * boolean, list nor map cannot be searched and become {@code null}. A result that is too
 * large to be searched in about a quarter of a second is withheld, and so is one that
 * holds something if the strategy is to deny.
 * <p>
 * What the model reads of an exception of a tool is redacted as any failed result is; the
 * exception itself is not rewritten, and neither are reasons of denials, which hooks
 * write.
 *
 * @since 0.1.0
 */
public final class RedactToolHook implements ToolResultHook {

	private final Redactor redactor;

	/**
	 * Create a hook.
	 * @param config what to take out, and what to put into its place
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public RedactToolHook(RedactConfig config) {
		this.redactor = new Redactor(config);
	}

	@Override
	public ToolDecision onResult(ToolCall call, ToolResult result) {
		String content;
		@Nullable Object value;
		@Nullable String context = result.additionalContext();
		try {
			Budget budget = new Budget();
			if (this.redactor.isDenying()) {
				return decide(Arrays.asList(result.content(), result.value(), context), budget);
			}
			content = this.redactor.redact(result.content(), budget);
			value = new ValueRedactor(this.redactor, new Search(budget)).redact(result.value());
			context = (context != null) ? this.redactor.redact(context, budget) : null;
		}
		catch (Budget.ExhaustedException ex) {
			return ToolDecision.deny("The result is too large to be searched for what must not be seen");
		}
		if (content.equals(result.content()) && Objects.equals(value, result.value())
				&& Objects.equals(context, result.additionalContext())) {
			return ToolDecision.approve();
		}
		return ToolDecision.respond(new ToolResult(result.succeeded(), content, value, context));
	}

	private ToolDecision decide(List<@Nullable Object> parts, Budget budget) {
		Set<String> found = this.redactor.find(parts, budget);
		return (found.isEmpty()) ? ToolDecision.approve()
				: ToolDecision.deny("The result holds what must not be seen: " + String.join(", ", found));
	}

}
