package io.agenthooks.spring.ai;

import io.modelcontextprotocol.spec.McpSchema;
import org.springframework.ai.mcp.McpToolsChangedEvent;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;

import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolNames;

/** Looks at the tools that an MCP server announces: a hook may name one of them. */
record AnnouncedTools(ObjectProvider<OfferedSchemas> offered) implements ApplicationListener<McpToolsChangedEvent> {

	@Override
	public void onApplicationEvent(McpToolsChangedEvent event) {
		OfferedSchemas known = this.offered.getIfAvailable();
		if (known == null) {
			return;
		}
		for (McpSchema.Tool tool : event.getTools()) {
			String name = tool.name();
			if (ToolNames.problem(name) == null) {
				known.offer(() -> ToolIdentity.onServer(event.getConnectionName(), name, name));
			}
		}
	}

}
