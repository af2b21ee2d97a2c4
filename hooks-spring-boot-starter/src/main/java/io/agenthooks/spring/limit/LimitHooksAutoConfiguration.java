package io.agenthooks.spring.limit;

import java.util.List;

import io.github.bucket4j.Bucket;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.policy.CallExpressions;

/**
 * Adds the types that limit what agents do: {@code rate_limit}, {@code concurrency} and
 * {@code loop}.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class LimitHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitToolHookFactory")
	ToolHookFactory<RateLimitConfig> rateLimitToolHookFactory(ObjectProvider<LimitStores> stores,
			ObjectProvider<CallExpressions> expressions) {
		return new QuickHookFactory<>("rate_limit", RateLimitConfig.class,
				(name, config) -> new RateLimitToolHook(name, config, reader(expressions), required(stores)));
	}

	@Bean
	@ConditionalOnMissingBean(name = "concurrencyToolHookFactory")
	ToolHookFactory<ConcurrencyConfig> concurrencyToolHookFactory(ObjectProvider<CallExpressions> expressions) {
		return ToolHookFactory.of("concurrency", ConcurrencyConfig.class,
				(name, config) -> new ConcurrencyToolHook(name, config, reader(expressions)));
	}

	@Bean
	@ConditionalOnMissingBean(name = "loopToolHookFactory")
	ToolHookFactory<LoopConfig> loopToolHookFactory() {
		return new QuickHookFactory<>("loop", LoopConfig.class,
				(name, config) -> new LoopToolHook(name, config, System::nanoTime));
	}

	static KeyReader.Expressions reader(ObjectProvider<CallExpressions> expressions) {
		return (option, text) -> {
			CallExpressions reader = expressions.getIfAvailable();
			if (reader == null) {
				throw new InvalidHookConfigException(List.of(new Problem(List.of(option),
						"The expression is in CEL, and the library that reads it is not on the class path.",
						"Add the dependency 'dev.cel:cel', in a version from 0.14.0 on.")));
			}
			return reader.read(option, text);
		};
	}

	/**
	 * The stores, or ones that tell what is missing, once the rest of the configuration
	 * is right.
	 */
	private static LimitStores required(ObjectProvider<LimitStores> stores) {
		return stores.getIfAvailable(() -> (limits, forgetAfter, maxKeys) -> {
			throw new InvalidHookConfigException(List
				.of(new Problem(List.of(), "The library that counts limits, Bucket4j, is not on the class path.",
						"Add the dependency 'com.bucket4j:bucket4j_jdk17-core', in a version from 8.14.0 on.")));
		});
	}

	/**
	 * Bucket4j keeps the limits, in memory.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Bucket.class)
	static class Bucket4jConfiguration {

		@Bean
		@ConditionalOnMissingBean
		LimitStores limitStores() {
			return (limits, forgetAfter, maxKeys) -> new MemoryLimits(limits, forgetAfter, maxKeys, System::nanoTime);
		}

	}

}
