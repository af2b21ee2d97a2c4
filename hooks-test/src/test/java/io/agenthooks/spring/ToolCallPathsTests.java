package io.agenthooks.spring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import dev.langchain4j.service.tool.ToolExecutor;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who calls tools in Spring AI and LangChain4j. The hooks stand on each of these paths,
 * or the pages in {@code docs} say that they do not. A new version of a library that adds
 * a path fails here, so that somebody looks at it.
 */
class ToolCallPathsTests {

	/** The classes of a library by its package: to read them takes seconds. */
	private static final Map<String, JavaClasses> libraries = new HashMap<>();

	private static final List<Class<?>> SPECIFICATIONS = List.of(McpServerFeatures.SyncToolSpecification.class,
			McpServerFeatures.AsyncToolSpecification.class, McpStatelessServerFeatures.SyncToolSpecification.class,
			McpStatelessServerFeatures.AsyncToolSpecification.class);

	@Test
	void callersOfToolCallbacksAreKnown() {
		assertThat(callers("org.springframework.ai", ToolCallback.class, "call")).containsExactlyInAnyOrder(
				// Runs what a model asks for: its callbacks are hooked.
				"org.springframework.ai.model.tool.DefaultToolCallingManager.executeToolCall",
				// Runs what an MCP client asks for: the specifications are hooked.
				"org.springframework.ai.mcp.McpToolUtils.toSharedSyncToolSpecification",
				// From one method of a callback to its other one, or to the callback
				// around
				// which it stands: the same call, decided already.
				"org.springframework.ai.mcp.AsyncMcpToolCallback.call",
				"org.springframework.ai.mcp.SyncMcpToolCallback.call", "org.springframework.ai.tool.ToolCallback.call",
				"org.springframework.ai.tool.augment.AugmentedToolCallback.call",
				"org.springframework.ai.tool.function.FunctionToolCallback.call",
				"org.springframework.ai.tool.method.MethodToolCallback.call");
	}

	@Test
	void callersOfToolCallingManagersAreKnown() {
		assertThat(callers("org.springframework.ai", ToolCallingManager.class, "executeToolCalls"))
			.containsExactlyInAnyOrder(
					// The loop of a ChatClient, call and stream.
					"org.springframework.ai.chat.client.advisor.ToolCallingAdvisor.adviseCall",
					"org.springframework.ai.chat.client.advisor.ToolCallingAdvisor.handleToolCallRecursion");
	}

	@Test
	void callersOfToolExecutorsAreKnown() {
		assertThat(callers("dev.langchain4j", ToolExecutor.class, "execute", "executeWithContext"))
			.containsExactlyInAnyOrder(
					// Runs what a model asks for: its executors are hooked.
					"dev.langchain4j.service.tool.ToolService.executeWithErrorHandling",
					// Runs the application's own @CompensateFor method, which no model
					// asks for.
					"dev.langchain4j.service.tool.ToolService.findCompensatingActions",
					// From one method of an executor to its other one.
					"dev.langchain4j.mcp.resourcesastools.GetResourceToolExecutor.execute",
					"dev.langchain4j.mcp.resourcesastools.ListResourcesToolExecutor.execute",
					"dev.langchain4j.service.tool.DefaultToolExecutor.execute",
					"dev.langchain4j.service.tool.DefaultToolExecutor.executeWithContext",
					"dev.langchain4j.service.tool.ToolExecutor.executeWithContext");
	}

	@Test
	void callersOfToolsOfMcpServersAreKnown() {
		assertThat(callers("org.springframework.ai", McpSyncClient.class, "callTool"))
			.containsExactly("org.springframework.ai.mcp.SyncMcpToolCallback.call");
		assertThat(callers("org.springframework.ai", McpAsyncClient.class, "callTool"))
			.containsExactly("org.springframework.ai.mcp.AsyncMcpToolCallback.call");
		assertThat(callers("io.modelcontextprotocol", McpSyncClient.class, "callTool")).isEmpty();
		// From the client that waits to the one that it stands on.
		assertThat(callers("io.modelcontextprotocol", McpAsyncClient.class, "callTool"))
			.containsExactly("io.modelcontextprotocol.client.McpSyncClient.callTool");
	}

	@Test
	void callersOfToolsForMcpClientsAreKnown() {
		Stream<String> spring = SPECIFICATIONS.stream()
			.flatMap((type) -> callers("org.springframework.ai", type, "callHandler").stream());
		assertThat(spring).containsExactlyInAnyOrder(
				// From an asynchronous tool to the one that waits.
				"org.springframework.ai.mcp.McpToolUtils.toAsyncToolSpecification",
				"org.springframework.ai.mcp.McpToolUtils.toStatelessAsyncToolSpecification");
		Stream<String> sdk = SPECIFICATIONS.stream()
			.flatMap((type) -> callers("io.modelcontextprotocol", type, "callHandler").stream());
		assertThat(sdk).containsExactlyInAnyOrder(
				// Runs what an MCP client asks for: the tools of the servers are hooked.
				"io.modelcontextprotocol.server.McpAsyncServer.toolsCallRequestHandler",
				"io.modelcontextprotocol.server.McpStatelessAsyncServer.toolsCallRequestHandler",
				// Keeps a tool, or puts the check of structured results around it.
				"io.modelcontextprotocol.server.McpAsyncServer.addTool",
				"io.modelcontextprotocol.server.McpAsyncServer.withStructuredOutputHandling",
				"io.modelcontextprotocol.server.McpStatelessAsyncServer.addTool",
				"io.modelcontextprotocol.server.McpStatelessAsyncServer.withStructuredOutputHandling",
				// From an asynchronous tool to the one that waits.
				"io.modelcontextprotocol.server.McpServerFeatures$AsyncToolSpecification.fromSync",
				"io.modelcontextprotocol.server.McpStatelessServerFeatures$AsyncToolSpecification.fromSync");
	}

	@AfterAll
	static void forget() {
		libraries.clear();
	}

	private static JavaClasses read(String packageName) {
		return new ClassFileImporter().withImportOption(Location::isArchive).importPackages(packageName);
	}

	private static Set<String> callers(String packageName, Class<?> target, String... methods) {
		return libraries.computeIfAbsent(packageName, ToolCallPathsTests::read)
			.stream()
			.flatMap((type) -> type.getCodeUnitAccessesFromSelf().stream())
			.filter((call) -> isOneOf(call, target, methods))
			.map((call) -> call.getOrigin().getOwner().getName() + "." + call.getOrigin().getName())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static boolean isOneOf(JavaCodeUnitAccess<?> call, Class<?> target, String... methods) {
		return Set.of(methods).contains(call.getTarget().getName()) && call.getTargetOwner().isAssignableTo(target);
	}

}
