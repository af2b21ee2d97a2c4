package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.observation.ToolCallingObservationContext;

import io.agenthooks.SafeText;
import io.agenthooks.spring.guard.EscapedTools;
import io.agenthooks.spring.guard.UnguardedConsequence;

/**
 * Reports tools whose calls pass no hooks, or forbids them, by what Spring AI observes: a
 * tool that is called without the mark of a guarded one, and a model that is no bean and
 * is offered such a tool outside of a guarded client. What is thrown keeps the tool from
 * running, and the model from being asked.
 */
final class UnguardedTools implements ObservationHandler<Observation.Context>, EscapedTools {

	private static final Logger logger = LoggerFactory.getLogger(UnguardedTools.class);

	private static final int MAX_WARNINGS = 1_000;

	private static final String FIX = "Make the ChatClient with the ChatClient.Builder bean, "
			+ "or wrap the tool with the SpringAiToolHooks bean";

	private final UnguardedConsequence consequence;

	private final Consumer<String> counter;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	UnguardedTools(UnguardedConsequence consequence, Consumer<String> counter) {
		this.consequence = consequence;
		this.counter = counter;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return !this.consequence.isNothing()
				&& (context instanceof ToolCallingObservationContext || context instanceof ChatModelObservationContext);
	}

	@Override
	public void onStart(Observation.Context context) {
		if (context instanceof ToolCallingObservationContext call) {
			if (!(call.getToolDefinition() instanceof GuardedToolDefinition)) {
				report(call.getToolDefinition().name(), "is called without passing the hooks");
			}
		}
		else if (context instanceof ChatModelObservationContext model) {
			List<ToolCallback> unknown = OfferedTools.current()
				.unknown(OfferedTools.unguarded(model.getRequest().getOptions()));
			reportOffered(unknown);
		}
	}

	void reportOffered(List<ToolCallback> tools) {
		tools.forEach((tool) -> report(tool.getToolDefinition().name(),
				"is offered to a model outside of a guarded ChatClient, so its calls may pass no hooks"));
	}

	private void report(String tool, String what) {
		this.counter.accept(tool);
		if (this.names.size() < MAX_WARNINGS) {
			this.names.add(SafeText.name(tool));
		}
		String message = "The tool '%s' %s. %s".formatted(SafeText.name(tool), what, FIX);
		if (this.consequence.isDenial()) {
			throw new UnguardedToolException(message + "; " + UnguardedConsequence.HOW_TO_ALLOW);
		}
		if (this.warned.size() < MAX_WARNINGS && this.warned.add(message)) {
			logger.warn("{}.", message);
		}
	}

	@Override
	public Set<String> names() {
		return Set.copyOf(this.names);
	}

}
