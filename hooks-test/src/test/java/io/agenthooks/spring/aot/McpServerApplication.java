package io.agenthooks.spring.aot;

import java.util.Map;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;

/**
 * An MCP server that has one tool.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
		RunHooksAutoConfiguration.class, PolicyHooksAutoConfiguration.class, McpToolCallsAutoConfiguration.class })
public class McpServerApplication {

	/**
	 * Start it, and make one call as its server would.
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(McpServerApplication.class, args)) {
			CallToolResult result = context.getBean(SyncToolSpecification.class)
				.callHandler()
				.apply(McpTransportContext.EMPTY, CallToolRequest.builder("delete_file").arguments(Map.of()).build());
			System.out.println(AotTests.ANSWER + result.content());
		}
		// Some servers read standard input as long as that is open.
		System.exit(0);
	}

	@Bean
	SyncToolSpecification deleteFile() {
		Tool tool = Tool.builder("delete_file", Map.of("type", "object")).build();
		return new SyncToolSpecification(tool,
				(context, call) -> CallToolResult.builder().addTextContent(AotTests.RAN).build());
	}

}
