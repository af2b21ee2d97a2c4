package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.caffeine.CaffeineCache;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.answer.ToolResultCacheProvider;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the types {@code respond} and {@code cache}, from YAML to the call.
 */
class AnsweringHooksTests {

	private static final String CACHE = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: cache
			        name: reads
			        match: ["read_*"]
			        config: {ttl: 10m, scope: session, max_entries: 100}
			""";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withUserConfiguration(Tools.class);

	@Test
	void respondAnswersForAToolThatExistsOnlyAsHook() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: respond
				        match: ["opening_hours"]
				        config: {content: "9 to 5"}
				      - type: respond
				        match: ["send_fax"]
				        config: {content: "There is no fax", is_error: true}
				""").run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			assertThat(executor.execute(call("opening_hours"))).isEqualTo(ToolResult.success("9 to 5"));
			assertThat(executor.execute(call("send_fax"))).isEqualTo(ToolResult.failure("There is no fax"));
			assertThat(executor.execute(call("read_file")).content()).isEqualTo("ran read_file 1");
		});
	}

	@Test
	void respondMayAnswerNothing() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: respond
				        config: {content: ""}
				""").run((context) -> assertThat(context.getBean(ToolExecutor.class).execute(call("t")))
			.isEqualTo(ToolResult.success("")));
	}

	@Test
	void mistakesStopTheStart() {
		yaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: respond
				      - type: respond
				        config: {content: 42}
				      - type: respond
				        config: {content: x, is_error: }
				      - type: cache
				        config: {ttl: 0s, max_entries: 0}
				      - type: cache
				        config: {ttl: 31d, scope: team}
				    post_call:
				      - type: respond
				        config: {content: x}
				      - type: cache
				""").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContainingAll("pre_call[0].config", "The content is missing", "pre_call[1].config.content",
					"is not a text", "pre_call[2].config.is_error", "has no value", "pre_call[3].config.ttl",
					"pre_call[3].config.max_entries", "pre_call[4].config.ttl", "pre_call[4].config.scope",
					"one of global, session, user", "post_call[0].type", "cannot stand in this list",
					"post_call[1].type", "also decides before the call"));
	}

	@Test
	void cacheAnswersForTheToolsThatItMatches() {
		yaml(CACHE).run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			assertThat(List.of("read_file", "read_file", "send_email", "send_email"))
				.extracting((tool) -> executor.execute(call(tool)).content())
				.containsExactly("ran read_file 1", "ran read_file 1", "ran send_email 2", "ran send_email 3");
			assertThat(executor.execute(call("read_file", "s2")).content()).isEqualTo("ran read_file 4");
		});
	}

	@Test
	void policyBehindACacheDeniesAnAnswer() {
		yaml(CACHE + """
				      - type: policy
				        config: {deny_argument_patterns: {path: [secret]}}
				""").run((context) -> assertThat(context.getBean(ToolExecutor.class)
			.execute(ToolCall.of("read_file", Map.of("path", "secret"), CallContext.ofSession("s1")))
			.content()).contains("denied by hook 'policy#1'"));
	}

	@Test
	void cachesAreOfCaffeineIfThatIsThere() {
		yaml(CACHE).run((context) -> assertThat(cacheOf(context)).isInstanceOf(CaffeineCache.class));
	}

	@Test
	void cacheWithoutCaffeineStopsTheStartUnlessTheApplicationHasCaches() {
		for (Class<?> missing : List.of(Caffeine.class, CaffeineCache.class)) {
			ApplicationContextRunner without = yaml(CACHE)
				.withClassLoader(new FilteredClassLoader(missing.getPackageName()));
			without.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("The type 'cache' needs Caffeine"));
			without.withUserConfiguration(OwnCaches.class).run((context) -> {
				ToolExecutor executor = context.getBean(ToolExecutor.class);
				assertThat(executor.execute(call("read_file")).content()).isEqualTo("ran read_file 1");
				assertThat(executor.execute(call("read_file")).content()).isEqualTo("ran read_file 1");
			});
			this.contextRunner.withClassLoader(new FilteredClassLoader(missing.getPackageName()))
				.run((context) -> assertThat(context).hasNotFailed());
		}
	}

	@Test
	void cachesAreThoseOfTheApplicationIfItHasAProvider() {
		yaml(CACHE).withUserConfiguration(OwnCaches.class).run((context) -> {
			OwnCaches caches = context.getBean(OwnCaches.class);
			assertThat(caches.made).containsExactly("reads PT10M 100");
			context.getBean(ToolExecutor.class).execute(call("read_file"));
			assertThat(caches.cache.getNativeCache()).hasSize(1);
		});
	}

	@Test
	void providerIsNotAskedWithoutACacheHook() {
		this.contextRunner.withUserConfiguration(OwnCaches.class)
			.run((context) -> assertThat(context.getBean(OwnCaches.class).made).isEmpty());
	}

	private static @Nullable Cache cacheOf(ConfigurableApplicationContext context) {
		return context.getBean(ToolResultCacheProvider.class).cacheFor("c", Duration.ofMinutes(1), 1);
	}

	private ApplicationContextRunner yaml(String yaml) {
		return this.contextRunner.withInitializer((context) -> {
			ByteArrayResource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
			try {
				new YamlPropertySourceLoader().load("application.yaml", resource)
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static ToolCall call(String tool) {
		return call(tool, "s1");
	}

	private static ToolCall call(String tool, String session) {
		return ToolCall.of(tool, Map.of(), CallContext.ofSession(session));
	}

	@Configuration(proxyBeanMethods = false)
	static class Tools {

		private int runs;

		@Bean
		ToolExecutor executor() {
			return (call) -> ToolResult.success("ran " + call.tool() + " " + ++this.runs);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnCaches {

		private final ConcurrentMapCache cache = new ConcurrentMapCache("own");

		private final List<String> made = new ArrayList<>();

		@Bean
		ToolResultCacheProvider caches() {
			return (hook, ttl, maxEntries) -> {
				this.made.add(hook + " " + ttl + " " + maxEntries);
				return this.cache;
			};
		}

	}

}
