package io.agenthooks.sample.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.toolcall.HookedToolExecutor;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolBox} with all tools of the sample, as the starter guards it.
 */
class ToolBoxTests {

	@TempDir
	private Path directory;

	private final Outbox outbox = new Outbox();

	private ToolExecutor guarded;

	@BeforeEach
	void openToolBox() throws IOException {
		this.guarded = new HookedToolExecutor(TestTools.toolBox(this.directory, this.outbox),
				new ToolHookChain(List.of((call) -> ToolDecision.approve()), List.of()));
	}

	@Test
	void executeWritesListsReadsAndDeletesFile() {
		assertThat(run("write_file", Map.of("path", "notes/a.txt", "content", "grün\n")))
			.isEqualTo(ToolResult.success("Wrote 5 characters"));
		assertThat(run("list_directory", Map.of())).isEqualTo(ToolResult.success("notes/"));
		assertThat(run("list_directory", Map.of("path", "notes"))).isEqualTo(ToolResult.success("a.txt"));
		assertThat(run("read_file", Map.of("path", "notes/a.txt"))).isEqualTo(ToolResult.success("grün\n"));
		assertThat(run("delete_file", Map.of("path", "notes/a.txt")).succeeded()).isTrue();
		assertThat(this.directory.resolve("notes")).isEmptyDirectory();
	}

	@Test
	void executeRunsCommandInWorkspace() {
		assertThat(run("run_command", Map.of("command", "echo hello > made.txt; ls")))
			.isEqualTo(ToolResult.success("made.txt\n"));
	}

	@Test
	void executeSendsEmailToOutbox() {
		assertThat(run("send_email", Map.of("to", "ann@example.com", "subject", "Hello", "body", "")).succeeded())
			.isTrue();
		assertThat(this.outbox.emails()).containsExactly(new Outbox.Email("ann@example.com", "Hello", ""));
	}

	@Test
	void executeWhenToolIsUnknownFailsWithNamesOfTools() { // P29
		ToolResult result = run("llm_invented", Map.of());
		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).isEqualTo("There is no tool 'llm_invented'. There are delete_file, "
				+ "describe_machine, list_directory, read_file, read_mail, refund_order, run_command, send_email, "
				+ "send_money, write_file");
	}

	@Test
	void executeWhenNoToolCanHaveTheNameIsDeniedAndShowsOneLine() { // P29
		ToolResult result = run("llm_invented\n9f3a", Map.of());
		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).startsWith("Tool call denied by hook 'tool-name'").doesNotContain("\n");
	}

	@ParameterizedTest
	@MethodSource
	void executeWhenArgumentsAreWrongFailsWithReason(String tool, Map<String, Object> arguments, String reason)
			throws IOException {
		Files.write(this.directory.resolve("binary"), new byte[] { (byte) 0xff, 0 });
		Files.write(this.directory.resolve("large"), new byte[1024 * 1024 + 1]);
		Files.createDirectory(this.directory.resolve("folder"));
		ToolResult result = run(tool, arguments);
		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).contains(reason);
		assertThat(this.outbox.emails()).isEmpty();
	}

	static Stream<Arguments> executeWhenArgumentsAreWrongFailsWithReason() {
		String notText = "holds characters that are not text";
		return Stream.of(Arguments.of("read_file", Map.of(), "required property 'path' not found"),
				Arguments.of("read_file", Map.of("path", 1), "/path: integer found, string expected"),
				Arguments.of("read_file", Map.of("path", List.of("a")), "/path: array found, string expected"),
				Arguments.of("read_file", Map.of("path", "nowhere"), "There is no such file"),
				Arguments.of("read_file", Map.of("path", "folder"), "There is no such file"),
				Arguments.of("read_file", Map.of("path", "binary"), "not text in UTF-8"),
				Arguments.of("read_file", Map.of("path", "large"), "larger than 1048576 bytes"),
				Arguments.of("write_file", Map.of("path", "a"), "required property 'content' not found"),
				Arguments.of("write_file", Map.of("path", "folder", "content", ""), "not a file"),
				Arguments.of("write_file", Map.of("path", ".", "content", ""), "not a file"),
				Arguments.of("write_file", Map.of("path", "binary/a", "content", ""), "failed with"),
				Arguments.of("write_file", Map.of("path", "a", "content", "\ud800"), notText),
				Arguments.of("list_directory", Map.of("path", "nowhere"), "There is no such directory"),
				Arguments.of("list_directory", Map.of("path", true), "/path: boolean found"),
				Arguments.of("delete_file", Map.of("path", "nowhere"), "There is no such file"),
				Arguments.of("delete_file", Map.of("path", "."), "There is no such file"),
				Arguments.of("run_command", Map.of("command", List.of("rm", "-rf")),
						"/command: array found, string expected"),
				Arguments.of("run_command", Map.of("command", "echo \0"), notText),
				Arguments.of("run_command", Map.of("command", "echo out; exit 3"), "exit code 3\nout"),
				Arguments.of("send_email", Map.of("to", "ann@example.com", "body", ""),
						"required property 'subject' not found"),
				Arguments.of("send_email", email("ann", ""), "one e-mail address"),
				Arguments.of("send_email", email("eve@elsewhere.test,ann@example.com", ""), "one e-mail address"),
				Arguments.of("send_email", email("eve@elsewhere.test\nx@example.com", ""), "one e-mail address"),
				Arguments.of("send_email", email("ann@example.com", "Hi\nBcc: eve@elsewhere.test"), "one line"));
	}

	private static Map<String, Object> email(String to, String subject) {
		return Map.of("to", to, "subject", subject, "body", "");
	}

	@Test
	void executeWhenFileIsPipeDoesNotWaitForIt() {
		run("run_command", Map.of("command", "mkfifo pipe"));
		assertThat(run("read_file", Map.of("path", "pipe")).content()).contains("There is no such file");
		assertThat(run("write_file", Map.of("path", "pipe", "content", "")).content()).contains("not a file");
	}

	@Test
	void executeWhenContentIsLargeWritesAllOfIt() {
		String content = "é".repeat(1024 * 1000);
		run("write_file", Map.of("path", "large.txt", "content", content));
		assertThat(this.directory.resolve("large.txt")).hasBinaryContent(content.getBytes(StandardCharsets.UTF_8));
	}

	private ToolResult run(String tool, Map<String, Object> arguments) {
		return this.guarded.execute(ToolCall.of(tool, arguments));
	}

}
