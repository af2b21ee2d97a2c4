package io.agenthooks.spring.langchain4j;

import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.spi.services.AiServiceContextFactory;

/**
 * Makes AI services whose tools are guarded. LangChain4j finds it as a service and asks
 * it for every AI service and agent that is built anywhere in the JVM.
 * <p>
 * Which hooks guard a service is decided here, once: those of the application context
 * that is making it. A service that is made before any application context passes, at
 * each of its calls, the hooks of the context that exists then. Until there is one it
 * runs unguarded; when the last one is closed its calls are refused, and so are those of
 * services that are made then.
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
