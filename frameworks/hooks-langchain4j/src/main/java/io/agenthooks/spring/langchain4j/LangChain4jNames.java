package io.agenthooks.spring.langchain4j;

import java.util.EnumSet;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.scope.KnownNames;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.Named;

/** The names of AI services, and the keys of clients of MCP servers. */
record LangChain4jNames(ConfigurableListableBeanFactory beanFactory, AiServiceGuard guard) implements NameSource {

	private static final String MCP_CLIENT = "dev.langchain4j.mcp.client.McpClient";

	@Override
	public void addTo(KnownNames names) {
		this.guard.agents().forEach((agent) -> {
			names.add(Named.AGENT, agent);
			names.comeFromFramework();
		});
		if (!names.isKnown(Named.AGENT)) {
			names.mayCome(EnumSet.of(Named.AGENT));
		}
		ClassLoader classLoader = this.beanFactory.getBeanClassLoader();
		if (!ClassUtils.isPresent(MCP_CLIENT, classLoader)) {
			return;
		}
		Class<?> type = ClassUtils.resolveClassName(MCP_CLIENT, classLoader);
		for (String bean : this.beanFactory.getBeanNamesForType(type, false, false)) {
			Object client = this.beanFactory.getSingleton(bean);
			Object key = (client != null) ? ToolOrigins.keyOf(client) : null;
			if (key != null && ToolOrigins.isConfigured(key.toString())) {
				names.add(Named.MCP_SERVER, key.toString());
			}
		}
	}

}
