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

final class CallParts {

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

	String server() {
		return Objects.requireNonNullElse(tool().server(), "");
	}

	String session() {
		return Objects.requireNonNullElse(this.call.context().sessionId(), "");
	}

	String run() {
		return Objects.requireNonNullElse(this.call.context().runId(), "");
	}

	String time() {
		return this.time;
	}

	@Nullable String text(String argument) {
		return (this.call.arguments().get(argument) instanceof String text) ? text : null;
	}

	boolean writesFile() {
		return text(FILE) != null && WRITES.stream().anyMatch(this.call.arguments()::containsKey);
	}

	Map<String, String> mcpContext() {
		return Map.of("server_name", server(), "tool_name", tool().name());
	}

	Map<String, @Nullable Object> forAntigravity(String dir) {
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>(this.call.arguments());
		if (text(COMMAND) != null && !arguments.containsKey(ANTIGRAVITY_COMMAND)) {
			arguments.put(ANTIGRAVITY_COMMAND, arguments.remove(COMMAND));
			arguments.putIfAbsent("Cwd", dir);
		}
		return arguments;
	}

	/** As Cline in VS Code has them. */
	Map<String, @Nullable Object> asTexts() {
		Map<String, @Nullable Object> texts = new LinkedHashMap<>();
		this.call.arguments().forEach((name, value) -> texts.put(name, asText(value)));
		return texts;
	}

	static String asText(@Nullable Object value) {
		return (value instanceof String text) ? text : DialectJson.write(value, (name) -> false).toString();
	}

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

	static Object valueOf(@Nullable Object value, String text) {
		return (value != null && StrictJson.isJson(value)) ? value : text;
	}

}
