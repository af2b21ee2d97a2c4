package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.HealthOfHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.state.TestRedis;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rules on the flow of data whose nodes share what they know, from the
 * configuration to the call.
 */
@ExtendWith(OutputCaptureExtension.class)
class SharedFlowEntriesTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("spring.application.name=shop")
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withConfiguration(AutoConfigurations.of(JdbcLimitAutoConfiguration.class, RedisLimitAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("says bob of " + call.tool()))
		.withPropertyValues(ENTRY + "type=flow", ENTRY + "name=payments", ENTRY + "config.untrusted=read_mail",
				ENTRY + "config.trusted=lookup", ENTRY + "config.sinks[0].tools=pay",
				ENTRY + "config.sinks[0].named_by.to[0]=trusted", ENTRY + "config.then=deny");

	private static boolean passes(ToolExecutor executor, String tool, String to) {
		return executor.execute(ToolCall.of(tool, Map.of("to", to), CallContext.ofSession("s"))).succeeded();
	}

	private static HookHealth.State state(HealthOfHooks health) {
		return Objects.requireNonNull(health.hooks().get("payments")).report().state();
	}

	@ParameterizedTest
	@CsvSource({ "jdbc, false", "redis, false", "memory, true" })
	void nodesShareWhatASessionHasRead(String store, boolean passes, @TempDir Path files) throws IOException {
		JdbcConnectionPool database = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		try (TestRedis redis = TestRedis.start(files)) {
			ApplicationContextRunner node = this.runner.withBean(DataSource.class, () -> database)
				.withBean(RedisConnectionFactory.class, redis::client)
				.withPropertyValues("hooks.limit.store=" + store);
			node.run((one) -> node.run((two) -> {
				ToolExecutor first = one.getBean(ToolExecutor.class);
				ToolExecutor second = two.getBean(ToolExecutor.class);
				assertThat(passes(second, "pay", "eve")).isTrue();
				assertThat(passes(first, "read_mail", "x")).isTrue();
				assertThat(passes(second, "pay", "bob")).isEqualTo(passes);
				assertThat(passes(first, "lookup", "x")).isTrue();
				assertThat(passes(second, "pay", "bob")).isTrue();
				assertThat(passes(second, "pay", "eve")).isEqualTo(passes);
			}));
		}
		database.dispose();
	}

	@Test
	@Tag("slow")
	void hookIsDownWhileRedisIsAway(@TempDir Path files, CapturedOutput output) throws IOException {
		try (TestRedis redis = TestRedis.startDurable(files)) {
			this.runner.withBean(RedisConnectionFactory.class, () -> redis.client(Duration.ofSeconds(2)))
				.withPropertyValues("hooks.limit.store=redis")
				.run((context) -> {
					ToolExecutor executor = context.getBean(ToolExecutor.class);
					HealthOfHooks health = context.getBean(HealthOfHooks.class);
					assertThat(passes(executor, "pay", "eve")).isTrue();
					assertThat(state(health)).isEqualTo(HookHealth.State.UP);
					redis.stop();
					assertThat(passes(executor, "pay", "eve")).isFalse();
					assertThat(passes(executor, "read_mail", "x")).isFalse();
					assertThat(passes(executor, "now", "x")).isTrue();
					assertThat(state(health)).isEqualTo(HookHealth.State.DOWN);
					redis.restart();
					Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> passes(executor, "pay", "eve"));
					assertThat(state(health)).isEqualTo(HookHealth.State.UP);
				});
		}
		assertThat(output).contains("The store does not say what other nodes have read").doesNotContain("eve");
	}

	@ParameterizedTest
	@CsvSource({ "redis, org.springframework.data.redis, needs the dependency spring-boot-starter-data-redis",
			"redis, io.agenthooks.spring.redis, needs the dependency io.agenthooks:hooks-redis",
			"jdbc, io.agenthooks.spring.jdbc, needs the dependency io.agenthooks:hooks-jdbc",
			"jdbc, org.springframework.jdbc, needs the dependency spring-boot-starter-jdbc" })
	void libraryThatIsMissingStopsTheStart(String store, String library, String told) {
		this.runner.withClassLoader(new FilteredClassLoader(library))
			.withPropertyValues("hooks.limit.store=" + store)
			.run((context) -> assertThat(toldOf(context.getStartupFailure())).contains(told));
	}

	@Test
	void tableThatIsNotThereStopsTheStart() {
		JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
		this.runner.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.limit.store=jdbc", "hooks.limit.jdbc.initialize_schema=never")
			.run((context) -> assertThat(toldOf(context.getStartupFailure()))
				.contains("The table agent_hooks_limit cannot be made or read"));
		database.dispose();
	}

	private static String toldOf(@Nullable Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.filter(InvalidLimitStoreException.class::isInstance)
			.map((invalid) -> ((InvalidLimitStoreException) invalid).getDescription())
			.findFirst()
			.orElseThrow();
	}

}
