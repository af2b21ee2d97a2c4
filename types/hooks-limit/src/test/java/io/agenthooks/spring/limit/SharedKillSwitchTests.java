package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.outcome.ToolSwitch.Part;
import io.agenthooks.spring.state.TestRedis;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the kill switch that nodes share, each node an application of its own.
 */
@ExtendWith(OutputCaptureExtension.class)
class SharedKillSwitchTests {

	private static final Part SENDING = new Part(Part.Kind.TOOL, "send_*");

	private static final Part BILLING = new Part(Part.Kind.AGENT, "billing");

	private final List<ToolSwitch.Switched> told = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withConfiguration(AutoConfigurations.of(JdbcLimitAutoConfiguration.class, RedisLimitAutoConfiguration.class))
		.withPropertyValues("spring.application.name=shop", "hooks.tool_call.share_kill_switch=true")
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

	private static boolean runs(ApplicationContext node, String tool) {
		return runs(node, ToolCall.of(tool, Map.of()));
	}

	private static boolean runs(ApplicationContext node, ToolCall call) {
		return node.getBean(ToolExecutor.class).execute(call).succeeded();
	}

	private static ToolSwitch tools(ApplicationContext node) {
		return node.getBean(ToolSwitch.class);
	}

	private ApplicationContextRunner on(String store, @Nullable JdbcConnectionPool database) {
		ApplicationContextRunner node = this.runner.withPropertyValues("hooks.limit.store=" + store,
				"hooks.limit.redis.key_prefix=" + UUID.randomUUID());
		return (store.equals("jdbc")) ? node.withBean(DataSource.class, () -> database)
				: node.withBean(RedisConnectionFactory.class, () -> TestRedis.shared().client());
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc", "redis" })
	void whatOneNodeSwitchesIsSwitchedOnAllAndAfterARestart(String store, CapturedOutput output) {
		JdbcConnectionPool database = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		ApplicationContextRunner node = on(store, database);
		node.run((one) -> node.withBean(ToolSwitch.Watch.class, () -> this.told::add).run((two) -> {
			await().until(() -> runs(one, "read") && runs(two, "read"));
			tools(one).switchTools(false, SENDING, "ann", ToolSwitch.ACTUATOR);
			assertThat(runs(one, "send_mail")).isFalse();
			await().until(() -> !runs(two, "send_mail"));
			assertThat(runs(two, "read")).isTrue();
			ToolCall ofBilling = ToolCall.of("read", Map.of(), CallContext.empty().withAgent("billing"));
			tools(two).switchTools(false, BILLING, null, ToolSwitch.ACTUATOR);
			await().until(() -> !runs(one, ofBilling));
			tools(two).switchTools(true, BILLING, null, ToolSwitch.ACTUATOR);
			tools(one).switchTools(false, Part.ALL, "bob", ToolSwitch.ACTUATOR);
			await().until(() -> !runs(two, "read"));
			await().untilAsserted(() -> assertThat(tools(one).switchedOff()).extracting(ToolSwitch.Switched::part)
				.containsExactly(SENDING, Part.ALL));
		}));
		node.withBean(EarlyCaller.class).run((later) -> {
			assertThat(later.getBean(EarlyCaller.class).result.succeeded()).isFalse();
			assertThat(tools(later).switchedOff()).extracting(ToolSwitch.Switched::part)
				.containsExactly(SENDING, Part.ALL);
			later.getBean(ToolHooks.class).enableTools();
			assertThat(runs(later, "read")).isTrue();
			assertThat(runs(later, "send_mail")).isFalse();
		});
		assertThat(this.told).extracting(ToolSwitch.Switched::through)
			.contains(ToolSwitch.OTHER_NODE, ToolSwitch.ACTUATOR);
		assertThat(this.told).anySatisfy(
				(one) -> assertThat(one)
					.extracting(ToolSwitch.Switched::part, ToolSwitch.Switched::enabled, ToolSwitch.Switched::user,
							ToolSwitch.Switched::through)
					.containsExactly(SENDING, false, "ann", ToolSwitch.OTHER_NODE));
		assertThat(output).contains("The tools 'send_*' are switched off (through other_node, by 'ann')");
		database.dispose();
	}

	@Test
	void callIsDeniedAsLongAsNobodyKnowsWhatIsOff() {
		on("redis", null).withBean(EarlyCaller.class).run((node) -> {
			assertThat(node.getBean(EarlyCaller.class).result.content()).contains("Tools are switched off");
			await().until(() -> runs(node, "read"));
			assertThat(tools(node).switchedOff()).isEmpty();
		});
	}

	@Test
	void lossOfTheStoreSwitchesNothingOn() {
		ApplicationContextRunner node = on("redis", null);
		node.run((one) -> {
			await().until(() -> runs(one, "read"));
			tools(one).switchTools(false, SENDING, null, ToolSwitch.ACTUATOR);
			String prefix = Objects.requireNonNull(one.getEnvironment().getProperty("hooks.limit.redis.key_prefix"));
			try (RedisConnection redis = one.getBean(RedisConnectionFactory.class).getConnection()) {
				byte[][] keys = Objects
					.requireNonNull(redis.keyCommands().keys(("*" + prefix + "*").getBytes(StandardCharsets.UTF_8)))
					.toArray(byte[][]::new);
				assertThat(keys).isNotEmpty();
				redis.keyCommands().del(keys);
			}
			node.withBean(EarlyCaller.class).run((two) -> {
				assertThat(two.getBean(EarlyCaller.class).result.succeeded()).isFalse();
				assertThat(runs(two, "send_mail")).isFalse();
				await().until(() -> runs(two, "read"));
				assertThat(tools(two).switchedOff()).extracting(ToolSwitch.Switched::part).containsExactly(SENDING);
			});
			assertThat(runs(one, "send_mail")).isFalse();
		});
	}

	@Test
	void storeThatIsAwayLeavesWhatIsKnownAndSwitchesOnlyOff(@TempDir Path files) throws IOException {
		try (TestRedis redis = TestRedis.startDurable(files)) {
			this.runner.withPropertyValues("hooks.limit.store=redis", "hooks.limit.timeout=500ms")
				.withBean(RedisConnectionFactory.class, () -> redis.client(Duration.ofSeconds(1)))
				.run((node) -> {
					await().until(() -> runs(node, "read"));
					tools(node).switchTools(false, SENDING, null, ToolSwitch.ACTUATOR);
					redis.stop();
					assertThatIllegalStateException()
						.isThrownBy(() -> tools(node).switchTools(true, SENDING, null, ToolSwitch.ACTUATOR))
						.withMessageContaining("stay switched off");
					assertThatIllegalStateException()
						.isThrownBy(() -> tools(node).switchTools(false, BILLING, null, ToolSwitch.ACTUATOR))
						.withMessageContaining("on this node");
					assertThat(runs(node, "send_mail")).isFalse();
					assertThat(runs(node, ToolCall.of("read", Map.of(), CallContext.empty().withAgent("billing"))))
						.isFalse();
					assertThat(runs(node, "read")).isTrue();
					redis.restart();
					this.runner.withPropertyValues("hooks.limit.store=redis")
						.withBean(RedisConnectionFactory.class, () -> redis.client(Duration.ofSeconds(5)))
						.run((other) -> await().until(() -> tools(other).switchedOff()
							.stream()
							.map(ToolSwitch.Switched::part)
							.toList()
							.equals(List.of(SENDING, BILLING))));
				});
		}
	}

	static class EarlyCaller {

		private final ToolResult result;

		EarlyCaller(ToolExecutor tools) {
			this.result = tools.execute(ToolCall.of("read", Map.of()));
		}

	}

}
