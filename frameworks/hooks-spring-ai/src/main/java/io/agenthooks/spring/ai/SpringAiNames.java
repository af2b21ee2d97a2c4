package io.agenthooks.spring.ai;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import io.agenthooks.spring.scope.KnownNames;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.Named;

/** The agents that clients name by default, and the connections to MCP servers. */
record SpringAiNames(ConfigurableListableBeanFactory beanFactory, Environment environment) implements NameSource {

	private static final List<String> CONNECTIONS = List.of("stdio", "sse", "streamable-http");

	private static final List<Class<?>> CALLERS = List.of(ChatClient.class, ChatClient.Builder.class, ChatModel.class,
			ToolCallingManager.class);

	@Override
	public void addTo(KnownNames names) {
		names.mayCome(EnumSet.of(Named.AGENT));
		if (CALLERS.stream().anyMatch((type) -> this.beanFactory.getBeanNamesForType(type, true, false).length > 0)) {
			names.comeFromFramework();
		}
		for (String name : this.beanFactory.getBeanNamesForType(ChatClient.class, false, false)) {
			if (this.beanFactory.getSingleton(name) instanceof ChatClient client) {
				Object agent = SpringAiClientGuard.parametersOf(client).get(AgentHooks.AGENT);
				if (agent != null) {
					names.add(Named.AGENT, agent.toString());
				}
			}
		}
		Binder binder = Binder.get(this.environment);
		for (String transport : CONNECTIONS) {
			binder
				.bind("spring.ai.mcp.client.%s.connections".formatted(transport),
						Bindable.mapOf(String.class, Object.class))
				.orElse(Map.of())
				.keySet()
				.forEach((connection) -> names.add(Named.MCP_SERVER, connection));
		}
		McpOrigin.connectionsOf(new McpClients(this.beanFactory).get())
			.forEach((connection) -> names.add(Named.MCP_SERVER, connection));
	}

}
