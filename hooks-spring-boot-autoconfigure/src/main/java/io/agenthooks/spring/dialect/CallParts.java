package io.agenthooks.spring.dialect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The parts of a call that the messages of several systems have, each in the form that a
 * system gives it.
 */
final class CallParts {

	/** How Antigravity calls what others call the {@code command}. */
	static final String ANTIGRAVITY_COMMAND = "CommandLine";

	static final String COMMAND = "command";

	static final String FILE = "file_path";

	/** Arguments that only a tool takes that writes into a file. */
	private static final List<String> WRITES = List.of("content", "contents", "new_string", "old_string", "edits",
			"file_text", "new_str");

	private final ToolCall call;

	private final String time = Instant.now().toString();

	CallParts(ToolCall call) {
		this.call = call;
	}

	ToolIdentity tool() {
		return this.call.identity();
	}

	boolean isOnServer() {
		return !tool().isOfApplication();
	}

	/**
	 * The name of the server, or an empty text if it is not known, or if there is none.
	 */
	String server() {
		return Objects.requireNonNullElse(tool().server(), "");
	}

	String session() {
		return Objects.requireNonNullElse(this.call.context().sessionId(), "");
	}

	String run() {
		return Objects.requireNonNullElse(this.call.context().runId(), "");
	}

	/**
	 * The time, as ISO 8601 has it.
	 */
	String time() {
		return this.time;
	}

	/**
	 * An argument that is a text, or {@code null}.
	 */
	@Nullable String text(String argument) {
		return (this.call.arguments().get(argument) instanceof String text) ? text : null;
	}

	boolean writesFile() {
		return text(FILE) != null && WRITES.stream().anyMatch(this.call.arguments()::containsKey);
	}

	/** Gemini CLI's description of the server of a tool. */
	Map<String, String> mcpContext() {
		return Map.of("server_name", server(), "tool_name", tool().name());
	}

	/**
	 * The arguments, with Antigravity's name for the command.
	 */
	Map<String, @Nullable Object> forAntigravity(String dir) {
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>(this.call.arguments());
		if (text(COMMAND) != null && !arguments.containsKey(ANTIGRAVITY_COMMAND)) {
			arguments.put(ANTIGRAVITY_COMMAND, arguments.remove(COMMAND));
			arguments.putIfAbsent("Cwd", dir);
		}
		return arguments;
	}

	/**
	 * The arguments with all values as texts, as Cline in VS Code has them.
	 */
	Map<String, @Nullable Object> asTexts() {
		Map<String, @Nullable Object> texts = new LinkedHashMap<>();
		this.call.arguments().forEach((name, value) -> texts.put(name, asText(value)));
		return texts;
	}

	/**
	 * A value as a text: one that is none, as JSON.
	 */
	static String asText(@Nullable Object value) {
		return (value instanceof String text) ? text : DialectJson.write(value, (name) -> false).toString();
	}

	/**
	 * Windsurf's word for what is done.
	 */
	@Nullable String windsurfAction() {
		if (isOnServer()) {
			return "mcp_tool_use";
		}
		if (text(COMMAND) != null) {
			return "run_command";
		}
		if (text(FILE) != null) {
			return (writesFile()) ? "write_code" : "read_code";
		}
		return null;
	}

	/**
	 * The changes to a file, as Windsurf has them.
	 */
	List<@Nullable Object> edits() {
		if (this.call.arguments().get("edits") instanceof List<?> edits) {
			return new ArrayList<>(edits);
		}
		Map<String, Object> edit = new LinkedHashMap<>();
		edit.put("old_string", Objects.requireNonNullElse(first("old_string", "old_str"), ""));
		edit.put("new_string",
				Objects.requireNonNullElse(first("new_string", "new_str", "content", "contents", "file_text"), ""));
		return List.of(edit);
	}

	private @Nullable String first(String... arguments) {
		return List.of(arguments).stream().map(this::text).filter(Objects::nonNull).findFirst().orElse(null);
	}

	/**
	 * A value that JSON has, or the text for the model.
	 */
	static Object valueOf(@Nullable Object value, String text) {
		return (value != null && StrictJson.isJson(value)) ? value : text;
	}

}
