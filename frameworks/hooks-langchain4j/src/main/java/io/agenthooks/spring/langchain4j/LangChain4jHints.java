package io.agenthooks.spring.langchain4j;

import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The parts of LangChain4j that are read by reflection. */
final class LangChain4jHints implements RuntimeHintsRegistrar {

	private static final String SERVICE = "META-INF/services/dev.langchain4j.spi.services.AiServiceContextFactory";

	private static final String CLIENT = "dev.langchain4j.mcp.client.DefaultMcpClient";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (Class<?> type : new Class<?>[] { GuardedToolService.class, ToolService.class, ToolServiceContext.class,
				AiServiceRequestIssuedEvent.class }) {
			hints.reflection()
				.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS, MemberCategory.INVOKE_PUBLIC_METHODS);
		}
		hints.reflection().registerType(DefaultToolExecutor.class, MemberCategory.ACCESS_DECLARED_FIELDS);
		hints.reflection()
			.registerType(GuardedAiServiceContextFactory.class, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		hints.resources().registerPattern(SERVICE);
		for (String type : new String[] { ToolOrigins.REMOTE_TOOL, CLIENT }) {
			hints.reflection()
				.registerTypeIfPresent(classLoader, type, MemberCategory.ACCESS_DECLARED_FIELDS,
						MemberCategory.INVOKE_PUBLIC_METHODS);
		}
	}

}
