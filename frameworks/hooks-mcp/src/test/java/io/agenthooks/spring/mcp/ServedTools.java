package io.agenthooks.spring.mcp;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.mcp.annotation.McpToolParam;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import reactor.core.publisher.Mono;

/**
 * The tools of an application, in every way that Spring AI knows to write them: a method
 * with an annotation, a tool that is a bean, and a specification of the MCP SDK. Each
 * takes a city and says what the weather is there.
 */
class ServedTools {

	/** A city at which tools throw, with a secret in the message. */
	static final String NOWHERE = "Nowhere";

	static final String ANNOTATED = "annotated";

	static final String CALLBACK = "callback";

	static final String SPECIFIED = "specified";

	private static final Map<String, Object> SCHEMA = Map.of("type", "object", "properties",
			Map.of("city", Map.of("type", "string")), "required", List.of("city"));

	private final List<String> runs = new CopyOnWriteArrayList<>();

	/**
	 * Which tools ran, and for which cities.
	 */
	void forget() {
		this.runs.clear();
	}

	List<String> runs() {
		return Collections.unmodifiableList(this.runs);
	}

	private String run(String tool, String city) {
		this.runs.add(tool + " " + city);
		if (city.equals(NOWHERE)) {
			throw new IllegalStateException("No weather there, token=hunter2hunter2",
					new IllegalArgumentException("password=hunter2hunter2"));
		}
		return "Sunny in " + city + ", ask bob@example.com";
	}

	ToolCallback callback() {
		return FunctionToolCallback.builder(CALLBACK, (City city) -> run(CALLBACK, city.city()))
			.description("Weather")
			.inputType(City.class)
			.build();
	}

	McpServerFeatures.SyncToolSpecification sync(String name) {
		return new McpServerFeatures.SyncToolSpecification(tool(name), (exchange, call) -> run(call));
	}

	McpServerFeatures.AsyncToolSpecification async(String name) {
		return new McpServerFeatures.AsyncToolSpecification(tool(name),
				(exchange, call) -> Mono.fromCallable(() -> run(call)));
	}

	McpStatelessServerFeatures.SyncToolSpecification statelessSync(String name) {
		return new McpStatelessServerFeatures.SyncToolSpecification(tool(name), (context, call) -> run(call));
	}

	McpStatelessServerFeatures.AsyncToolSpecification statelessAsync(String name) {
		return new McpStatelessServerFeatures.AsyncToolSpecification(tool(name),
				(context, call) -> Mono.fromCallable(() -> run(call)));
	}

	private static McpSchema.Tool tool(String name) {
		return McpSchema.Tool.builder(name, SCHEMA)
			.annotations(McpSchema.ToolAnnotations.builder().readOnlyHint(true).openWorldHint(true).build())
			.build();
	}

	/**
	 * Besides the text, there is a picture.
	 */
	private CallToolResult run(McpSchema.CallToolRequest call) {
		String text = run(call.name(), String.valueOf(call.arguments().get("city")));
		return CallToolResult.builder()
			.addContent(McpSchema.ImageContent.builder("cGl4ZWxz", "image/png").build())
			.addTextContent(text)
			.meta(Map.of("trace", "1"))
			.build();
	}

	record City(String city) {
	}

	record Annotated(ServedTools tools) {

		@McpTool(name = ANNOTATED, description = "Weather")
		String annotated(@McpToolParam(description = "city", required = true) String city) {
			return this.tools.run(ANNOTATED, city);
		}

	}

	record AnnotatedAsync(ServedTools tools) {

		@McpTool(name = ANNOTATED, description = "Weather")
		Mono<String> annotated(@McpToolParam(description = "city", required = true) String city) {
			return Mono.fromCallable(() -> this.tools.run(ANNOTATED, city));
		}

	}

}
