package io.agenthooks.spring.mcp;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.pattern.Budget;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.toolcall.ToolResult;

/**
 * A result of MCP as hooks read it, contents below each other and a line for each that is
 * no text, and back. What they changed keeps each content whose reading still stands
 * there; all else that they could not read is dropped, since it may say what must not be
 * seen.
 */
final class ServedResult {

	/** Exceptions may be the causes of each other. */
	private static final int MAX_CAUSES = 32;

	private static final String BREAK = "\n";

	/** The cost of coming to a line, compared to searching a character. */
	private static final int LINE = 5;

	private ServedResult() {
	}

	static ToolResult read(CallToolResult result) {
		String content = String.join(BREAK, readings(result.content()));
		return new ToolResult(!Boolean.TRUE.equals(result.isError()), content, dataOf(result.structuredContent()));
	}

	/** Structured content may be an object of the application. */
	private static @Nullable Object dataOf(@Nullable Object value) {
		return (isData(value)) ? value : McpJsonDefaults.getMapper().convertValue(value, Object.class);
	}

	private static boolean isData(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.allMatch((member) -> member.getKey() instanceof String && isData(member.getValue()));
		}
		return (value instanceof List<?> list) ? list.stream().allMatch(ServedResult::isData)
				: value == null || value instanceof String || value instanceof Number || value instanceof Boolean;
	}

	private static List<String> readings(List<Content> contents) {
		List<String> readings = new ArrayList<>();
		for (Content content : contents) {
			readings.add((content instanceof TextContent text) ? text.text()
					: "[content %d: %s]".formatted(readings.size() + 1, describe(content)));
		}
		return readings;
	}

	private static String describe(Content content) {
		if (content instanceof McpSchema.EmbeddedResource embedded) {
			String text = (embedded.resource() instanceof McpSchema.TextResourceContents resource)
					? BREAK + resource.text() : null;
			return words(content.type(), embedded.resource().mimeType(), embedded.resource().uri(), text);
		}
		if (content instanceof McpSchema.ResourceLink link) {
			return words(link.type(), link.mimeType(), link.uri(), link.name(), link.title(), link.description());
		}
		if (content instanceof McpSchema.ImageContent image) {
			return words(image.type(), image.mimeType());
		}
		return (content instanceof McpSchema.AudioContent audio) ? words(audio.type(), audio.mimeType())
				: content.type();
	}

	private static String words(@Nullable String... words) {
		return Stream.of(words).filter(Objects::nonNull).collect(Collectors.joining(" "));
	}

	/** The original is {@code null} if the tool did not run. */
	static CallToolResult write(@Nullable CallToolResult original, ToolResult result, boolean structured) {
		List<Content> contents;
		if (original == null) {
			contents = new ArrayList<>(List.of(text(AdditionalContext.neutralize(result.content()))));
		}
		else {
			ToolResult read = read(original);
			boolean kept = result.succeeded() == read.succeeded() && result.content().equals(read.content())
					&& Objects.equals(result.value(), read.value());
			if (kept && result.additionalContext() == null) {
				return neutralize(original);
			}
			contents = (kept) ? new ArrayList<>(original.content()) : replace(original.content(), result.content());
			neutralize(contents);
			if (kept) {
				contents.add(text(additionalContext(result)));
				return new CallToolResult(contents, original.isError(), neutralValueOf(original), original.meta());
			}
		}
		if (result.additionalContext() != null) {
			contents.add(text(additionalContext(result)));
		}
		Object value = (structured && result.succeeded() && result.value() == null) ? parse(result.content())
				: result.value();
		boolean failed = !result.succeeded() || (structured && value == null);
		return new CallToolResult(contents, failed, neutralize(value), null);
	}

	/** An answer to a call of a tool with structured results may be written as text. */
	private static @Nullable Map<String, @Nullable Object> parse(String content) {
		try {
			return (content.isBlank()) ? null : ToolArguments.parse(content, "The answer");
		}
		catch (InvalidToolArgumentsException ex) {
			return null;
		}
	}

	private static String additionalContext(ToolResult result) {
		return AdditionalContext.mark(Objects.requireNonNull(result.additionalContext()));
	}

	/** The SDK sends the messages of all causes. */
	static String textOf(Throwable failure) {
		List<String> messages = new ArrayList<>();
		Throwable cause = failure;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			String message = Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
			if (!messages.contains(message)) {
				messages.add(message);
			}
			if (cause instanceof McpError error && error.getJsonRpcError() != null
					&& error.getJsonRpcError().data() != null) {
				messages.add(error.getJsonRpcError().data().toString());
			}
			cause = cause.getCause();
		}
		return String.join(BREAK, messages);
	}

	/** {@code null} if it was harmless already. */
	static @Nullable String neutralizedFailure(Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			String message = cause.getMessage();
			if (message != null && !AdditionalContext.neutralize(message).equals(message)) {
				return AdditionalContext.neutralize(message);
			}
			cause = cause.getCause();
		}
		return null;
	}

	private static CallToolResult neutralize(CallToolResult result) {
		List<Content> contents = new ArrayList<>(result.content());
		neutralize(contents);
		Object value = neutralValueOf(result);
		return (contents.equals(result.content()) && Objects.equals(value, result.structuredContent())) ? result
				: new CallToolResult(contents, result.isError(), value, result.meta());
	}

	private static @Nullable Object neutralValueOf(CallToolResult result) {
		Object data = dataOf(result.structuredContent());
		Object neutral = neutralize(data);
		return (Objects.equals(neutral, data)) ? result.structuredContent() : neutral;
	}

	private static void neutralize(List<Content> contents) {
		Iterator<String> neutral = AdditionalContext
			.neutralizeAll(contents.stream()
				.filter(TextContent.class::isInstance)
				.map((content) -> ((TextContent) content).text())
				.toList())
			.iterator();
		contents.replaceAll((content) -> (content instanceof TextContent text)
				? new TextContent(text.annotations(), neutral.next(), text.meta()) : neutralize(content));
	}

	private static Content neutralize(Content content) {
		if (content instanceof McpSchema.EmbeddedResource embedded
				&& embedded.resource() instanceof McpSchema.TextResourceContents text) {
			String neutral = AdditionalContext.neutralize(text.text());
			return (neutral.equals(text.text())) ? embedded
					: new McpSchema.EmbeddedResource(embedded.annotations(),
							new McpSchema.TextResourceContents(text.uri(), text.mimeType(), neutral, text.meta()),
							embedded.meta());
		}
		if (content instanceof McpSchema.ResourceLink link) {
			return new McpSchema.ResourceLink(neutralizeText(link.name()), neutralizeText(link.title()), link.uri(),
					neutralizeText(link.description()), link.mimeType(), link.size(), link.annotations(), link.meta());
		}
		return content;
	}

	private static @Nullable String neutralizeText(@Nullable String text) {
		return (text != null) ? AdditionalContext.neutralize(text) : null;
	}

	/** The same for data, of which clients make text. */
	private static @Nullable Object neutralize(@Nullable Object value) {
		if (value instanceof String text) {
			return AdditionalContext.neutralize(text);
		}
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> neutral = new LinkedHashMap<>();
			map.forEach((name, member) -> neutral
				.put((name instanceof String text) ? AdditionalContext.neutralize(text) : name, neutralize(member)));
			return (neutral.equals(map)) ? map : neutral;
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> neutral = new ArrayList<>();
			list.forEach((member) -> neutral.add(neutralize(member)));
			return (neutral.equals(list)) ? list : neutral;
		}
		return value;
	}

	private static List<Content> replace(List<Content> contents, String replaced) {
		List<Content> result = new ArrayList<>();
		List<String> readings = readings(contents);
		String rest = BREAK + replaced + BREAK;
		int done = 0;
		Budget budget = new Budget();
		try {
			for (int i = 0; i < contents.size(); i++) {
				String reading = readings.get(i);
				int start = find(reading, rest, done, budget);
				if (start >= 0) {
					addText(rest.substring(done, start), result);
					result.add(withoutMeta(contents.get(i)));
					done = start + 1 + reading.length();
				}
			}
		}
		catch (Budget.ExhaustedException ex) {
			// What was not found yet stays as the text that it is read as.
		}
		addText(rest.substring(done), result);
		return result;
	}

	/** Without what hooks could not read beside it. */
	private static Content withoutMeta(Content content) {
		if (content instanceof TextContent text) {
			return new TextContent(text.annotations(), text.text(), null);
		}
		if (content instanceof McpSchema.ImageContent image) {
			return new McpSchema.ImageContent(image.annotations(), image.data(), image.mimeType(), null);
		}
		if (content instanceof McpSchema.AudioContent audio) {
			return new McpSchema.AudioContent(audio.annotations(), audio.data(), audio.mimeType(), null);
		}
		if (content instanceof McpSchema.EmbeddedResource embedded) {
			return new McpSchema.EmbeddedResource(embedded.annotations(), withoutMeta(embedded.resource()), null);
		}
		return (content instanceof McpSchema.ResourceLink link) ? new McpSchema.ResourceLink(link.name(), link.title(),
				link.uri(), link.description(), link.mimeType(), link.size(), link.annotations(), null) : content;
	}

	private static McpSchema.ResourceContents withoutMeta(McpSchema.ResourceContents resource) {
		if (resource instanceof McpSchema.TextResourceContents text) {
			return new McpSchema.TextResourceContents(text.uri(), text.mimeType(), text.text(), null);
		}
		return (resource instanceof McpSchema.BlobResourceContents blob)
				? new McpSchema.BlobResourceContents(blob.uri(), blob.mimeType(), blob.blob(), null) : resource;
	}

	/**
	 * The place of the break before a reading that ends with a break as well, or -1. Each
	 * character is paid for: there may be many readings, and lines that nearly are one.
	 */
	private static int find(String reading, String text, int from, Budget budget) {
		for (int start = from; start >= 0; start = text.indexOf(BREAK, start + 1)) {
			int matched = 0;
			int first = start + 1;
			while (matched < reading.length() && first + matched < text.length()
					&& reading.charAt(matched) == text.charAt(first + matched)) {
				matched++;
			}
			budget.spend(LINE + matched);
			if (matched == reading.length() && text.startsWith(BREAK, first + matched)) {
				return start;
			}
			int next = text.indexOf(BREAK, first);
			budget.spend((next >= 0) ? (next - start) / 4 : 0);
		}
		return -1;
	}

	private static void addText(String lines, List<Content> contents) {
		String text = lines.replaceAll("\\A\n|\n\\z", "");
		if (!text.isEmpty()) {
			contents.add(text(text));
		}
	}

	private static TextContent text(String text) {
		return TextContent.builder(text).build();
	}

}
