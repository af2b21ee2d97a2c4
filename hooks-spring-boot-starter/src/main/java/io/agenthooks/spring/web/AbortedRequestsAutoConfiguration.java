package io.agenthooks.spring.web;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Answers web requests that a hook aborted with status 403 and the reason instead of
 * status 500, and those that wait for people with status 202. An exception handler of the
 * application wins.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class AbortedRequestsAutoConfiguration {

	/**
	 * Spring MVC.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(HandlerExceptionResolver.class)
	static class Mvc {

		@Bean
		AbortExceptionResolver abortExceptionResolver() {
			return new AbortExceptionResolver();
		}

	}

	/**
	 * Spring WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(WebExceptionHandler.class)
	static class WebFlux {

		@Bean
		AbortWebExceptionHandler abortWebExceptionHandler() {
			return new AbortWebExceptionHandler();
		}

	}

}
