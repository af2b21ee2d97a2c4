package io.agenthooks.spring.langchain4j;

import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.spi.services.AiServiceContextFactory;

/**
 * LangChain4j finds this as a service, and asks it for every AI service that is built in
 * the JVM. A service that is made before any application context passes, at each call,
 * the hooks of the context that exists then; without one it runs unguarded. When the last
 * is closed, its calls are refused, and so are those of services that are made then.
 *
 * @since 0.1.0
 */
public final class GuardedAiServiceContextFactory implements AiServiceContextFactory {

	@Override
	public AiServiceContext create(Class<?> aiServiceClass) {
		return new GuardedAiServiceContext(aiServiceClass);
	}

	private static final class GuardedAiServiceContext extends AiServiceContext {

		GuardedAiServiceContext(Class<?> aiServiceClass) {
			super(aiServiceClass);
			if (KnownApi.mismatch() == null) {
				this.toolService = new GuardedToolService(this, AiServiceGuards.current());
			}
		}

	}

}
