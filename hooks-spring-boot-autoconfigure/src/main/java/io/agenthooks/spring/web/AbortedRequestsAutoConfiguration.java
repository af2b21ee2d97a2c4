package io.agenthooks.spring.web;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;

import io.agenthooks.RefusalText;

/**
 * Answers web requests that a hook aborted with status 403 and a text for the person
 * instead of status 500, and those that wait for people with status 202. An exception
 * handler of the application wins.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class AbortedRequestsAutoConfiguration {

	private static RefusalText textOf(ObjectProvider<RefusalText> refusal) {
		return refusal.getIfAvailable(() -> RefusalText.of(RefusalText.DEFAULT));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(HandlerExceptionResolver.class)
	static class Mvc {

		@Bean
		AbortExceptionResolver abortExceptionResolver(ObjectProvider<RefusalText> refusal) {
			return new AbortExceptionResolver(AbortedRequestsAutoConfiguration.textOf(refusal));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(WebExceptionHandler.class)
	static class WebFlux {

		@Bean
		AbortWebExceptionHandler abortWebExceptionHandler(ObjectProvider<RefusalText> refusal) {
			return new AbortWebExceptionHandler(AbortedRequestsAutoConfiguration.textOf(refusal));
		}

	}

}
