package io.agenthooks.spring.ai;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

import io.agenthooks.SafeText;
import io.agenthooks.Sha256;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.KeptValue;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;

/**
 * The request that a client was asked with, beside its messages. Whoever goes on has to
 * ask with the same.
 *
 * @param shape a digest of its tools, advisors and options
 */
record KeptRequest(Map<String, Object> parameters, Map<String, Object> toolContext, String shape) {

	private static final String PARAMETERS = "parameters";

	private static final String TOOL_CONTEXT = "tool_context";

	private static final String SHAPE = "shape";

	/** Characters that are kept beside the conversation. */
	private static final int MAX_LENGTH = 100_000;

	/** The last advisors, which ask the model. */
	private static final String MODEL = "org.springframework.ai.chat.client.advisor.ChatModel";

	private static final StrictJson strict = new StrictJson(1);

	/** The run that goes on is another. */
	private static final Set<String> NOT_KEPT = Set.of(ClientRun.class.getName(), AgentHooks.RUN_ID);

	static Origin originOf(@Nullable Caller caller) {
		if (!(caller instanceof ClientRun run)) {
			return new Origin(null, "", "No ChatClient was asked.");
		}
		if (run.begin().around().caller() instanceof ResumedCaller resumed && resumed.origin() != null) {
			return resumed.origin();
		}
		ChatClientRequest request = run.begin().request();
		String client = AdvisorParameters.of(request).text(AgentHooks.CONTINUATION);
		if (run.isInner()) {
			return new Origin(client, "", "The agent works inside of a tool of another.");
		}
		if (client == null) {
			return new Origin(null, "",
					"It is not known which client was asked: make it a ChatClient bean, or give it the advisor parameter '%s'."
						.formatted(AgentHooks.CONTINUATION));
		}
		Map<String, Object> toolContext = (request.prompt().getOptions() instanceof ToolCallingChatOptions options
				&& options.getToolContext() != null) ? options.getToolContext() : Map.of();
		Map<String, Object> members = new LinkedHashMap<>();
		try {
			members.put(PARAMETERS, written("advisor parameter", request.context()));
			members.put(TOOL_CONTEXT, written("value of the tool context", toolContext));
		}
		catch (UnkeptValueException ex) {
			return new Origin(client, "", ex.getMessage());
		}
		members.put(SHAPE, shapeOf(request, run.begin().advisors()));
		String text = new String(StrictJson.write(members), StandardCharsets.US_ASCII);
		return (text.length() <= MAX_LENGTH) ? new Origin(client, text, null)
				: new Origin(client, "", "The parameters of its request are too long to be kept.");
	}

	private static Map<String, Object> written(String kind, Map<String, ? extends @Nullable Object> values) {
		Map<String, Object> written = new TreeMap<>();
		values.forEach((name, value) -> {
			if (!NOT_KEPT.contains(name)) {
				written.put(name, write(kind, name, value));
			}
		});
		return written;
	}

	private static String write(String kind, String name, @Nullable Object value) {
		String written = KeptValue.write(value);
		if (written != null) {
			return written;
		}
		throw new UnkeptValueException("The %s '%s' is no text, truth value or whole number, so it is not kept."
			.formatted(kind, SafeText.name(name)));
	}

	static KeptRequest read(Origin origin) {
		Map<String, @Nullable Object> members = strict.readObject(origin.request().getBytes(StandardCharsets.US_ASCII));
		return new KeptRequest(read(members.get(PARAMETERS)), read(members.get(TOOL_CONTEXT)),
				String.valueOf(members.get(SHAPE)));
	}

	private static Map<String, Object> read(@Nullable Object written) {
		Map<String, Object> values = new LinkedHashMap<>();
		if (written instanceof Map<?, ?> map) {
			map.forEach((name, value) -> values.put(String.valueOf(name), KeptValue.read(String.valueOf(value))));
		}
		return values;
	}

	static String shapeOf(ChatClientRequest request, List<? extends Advisor> advisors) {
		StringBuilder shape = new StringBuilder();
		ChatOptions options = request.prompt().getOptions();
		if (options != null) {
			shape.append(List.of(String.valueOf(options.getModel()), String.valueOf(options.getTemperature()),
					String.valueOf(options.getMaxTokens()), String.valueOf(options.getTopP()),
					String.valueOf(options.getTopK()), String.valueOf(options.getStopSequences()),
					String.valueOf(options.getFrequencyPenalty()), String.valueOf(options.getPresencePenalty())));
		}
		if (options instanceof ToolCallingChatOptions calling && calling.getToolCallbacks() != null) {
			shape.append(calling.getToolCallbacks()
				.stream()
				.map((tool) -> tool.getToolDefinition().name() + " " + tool.getToolDefinition().inputSchema())
				.sorted()
				.toList());
		}
		shape.append(advisors.stream()
			.map((advisor) -> advisor.getClass().getName())
			.filter((name) -> !name.startsWith(KeptRequest.class.getPackageName() + ".") && !name.startsWith(MODEL))
			.sorted()
			.toList());
		return Sha256.hex(shape.toString());
	}

	/** Nothing of it: it may be secret. */
	@Override
	public String toString() {
		return "KeptRequest";
	}

	private static final class UnkeptValueException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnkeptValueException(String message) {
			super(message, null, false, false);
		}

		@Override
		public String getMessage() {
			return Objects.requireNonNull(super.getMessage());
		}

	}

}
