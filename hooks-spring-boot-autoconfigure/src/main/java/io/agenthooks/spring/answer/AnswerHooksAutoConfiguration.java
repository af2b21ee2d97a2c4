package io.agenthooks.spring.answer;

import java.util.List;

import com.github.benmanes.caffeine.cache.Caffeine;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cache.caffeine.CaffeineCache;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;

/**
 * Adds the types {@code respond} and {@code cache}, which answer instead of a tool, and
 * {@code truncate}, which cuts results.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnHookType({ "respond", "truncate", "cache" })
public final class AnswerHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "respondToolHookFactory")
	ToolHookFactory<RespondConfig> respondToolHookFactory() {
		return ToolHookFactory.of("respond", RespondConfig.class, RespondToolHook::new);
	}

	@Bean
	@ConditionalOnMissingBean(name = "truncateToolHookFactory")
	ToolHookFactory<TruncateConfig> truncateToolHookFactory() {
		return ToolHookFactory.of("truncate", TruncateConfig.class, TruncateConfig::forTools);
	}

	@Bean
	@ConditionalOnMissingBean(name = "truncateLlmHookFactory")
	LlmHookFactory<TruncateConfig> truncateLlmHookFactory() {
		return LlmHookFactory.of("truncate", TruncateConfig.class, (name, config) -> config.forModels());
	}

	@Bean
	@ConditionalOnMissingBean(name = "cacheToolHookFactory")
	ToolHookFactory<CacheConfig> cacheToolHookFactory(ObjectProvider<ToolResultCacheProvider> caches) {
		return ToolHookFactory.of("cache", CacheConfig.class,
				(name, config) -> new CacheToolHook(name, config, provider(caches)));
	}

	private static ToolResultCacheProvider provider(ObjectProvider<ToolResultCacheProvider> caches) {
		ToolResultCacheProvider provider = caches.getIfAvailable();
		if (provider == null) {
			throw new InvalidHookConfigException(List
				.of(new Problem(List.of(), "The type 'cache' needs Caffeine, which is not on the class path.",
						"Add the dependencies 'com.github.ben-manes.caffeine:caffeine' and "
								+ "'org.springframework:spring-context-support', or a ToolResultCacheProvider bean.")));
		}
		return provider;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Caffeine.class, CaffeineCache.class })
	static class CaffeineConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ToolResultCacheProvider toolResultCacheProvider() {
			return ToolResultCacheProvider.caffeine();
		}

	}

}
