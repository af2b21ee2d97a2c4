package io.agenthooks.spring.limit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.HealthOfHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.state.TestRedis;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for limits that nodes share, from the configuration to the call.
 */
@ExtendWith(OutputCaptureExtension.class)
class SharedLimitEntriesTests {

	private static final CallContext SESSION = CallContext.ofSession("s");

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withConfiguration(AutoConfigurations.of(JdbcLimitAutoConfiguration.class, RedisLimitAutoConfiguration.class))
		.withPropertyValues("spring.application.name=shop")
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));

	private final ApplicationContextRunner limited = this.runner.withPropertyValues(ENTRY + "type=rate_limit",
			ENTRY + "name=refunds", ENTRY + "config.limit=3 per session");

	private static boolean passes(ToolExecutor executor) {
		return executor.execute(ToolCall.of("refund", Map.of("card", "4711"), CallContext.ofSession("s"))).succeeded();
	}

	private static ToolCall refund(int amount) {
		return ToolCall.of("refund", Map.of("amount", amount), CallContext.ofSession("s"));
	}

	private static HookHealth.State state(HealthOfHooks health) {
		return state(health, "refunds");
	}

	private static HookHealth.State state(HealthOfHooks health, String hook) {
		return Objects.requireNonNull(health.hooks().get(hook)).report().state();
	}

	@Test
	void nodesOnOneDatabaseShareALimit(CapturedOutput output) {
		JdbcConnectionPool database = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		ApplicationContextRunner node = this.limited.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.limit.store=jdbc");
		node.run((one) -> node.run((two) -> {
			assertThat(passes(one.getBean(ToolExecutor.class))).isTrue();
			assertThat(passes(two.getBean(ToolExecutor.class))).isTrue();
			assertThat(passes(one.getBean(ToolExecutor.class))).isTrue();
			assertThat(passes(two.getBean(ToolExecutor.class))).isFalse();
		}));
		database.dispose();
		assertThat(output).contains("Limits are kept in a database in memory");
	}

	@Test
	@Tag("slow")
	void callsAreDeniedWhileRedisIsAway(@TempDir Path files, CapturedOutput output) throws IOException {
		try (TestRedis redis = TestRedis.startDurable(files)) {
			this.limited.withBean(RedisConnectionFactory.class, () -> redis.client(Duration.ofSeconds(2)))
				.withPropertyValues("hooks.limit.store=redis", "hooks.limit.redis.key_prefix=shop")
				.run((context) -> {
					ToolExecutor executor = context.getBean(ToolExecutor.class);
					HealthOfHooks health = context.getBean(HealthOfHooks.class);
					assertThat(passes(executor)).isTrue();
					assertThat(state(health)).isEqualTo(HookHealth.State.UP);
					redis.stop();
					for (int i = 0; i < 4; i++) {
						assertThat(passes(executor)).isFalse();
					}
					assertThat(state(health)).isEqualTo(HookHealth.State.DOWN);
					redis.restart();
					Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> passes(executor));
					assertThat(state(health)).isEqualTo(HookHealth.State.UP);
				});
		}
		// One with the trace, and then one in a while.
		assertThat(output.getAll().split("The hook 'refunds' failed", -1)).hasSizeBetween(2, 4);
		assertThat(output).doesNotContain("4711").doesNotContain("Redis may drop limits");
	}

	/**
	 * The client would wait for a minute, as Lettuce does unless it is told otherwise.
	 */
	@ParameterizedTest
	@CsvSource({ "rate_limit, limit=1000 per session, key=session", "budget, limit=1000, per=session",
			"concurrency, max_concurrent=1, key=session" })
	void callsAreDeniedSoonWhileRedisIsSilent(String type, String option, String another, @TempDir Path files)
			throws IOException {
		try (TestRedis redis = TestRedis.start(files)) {
			this.runner.withBean(RedisConnectionFactory.class, () -> redis.client(Duration.ofMinutes(1)))
				.withPropertyValues("hooks.limit.store=redis", "hooks.limit.timeout=500ms", ENTRY + "type=" + type,
						ENTRY + "name=refunds", ENTRY + "config." + option, ENTRY + "config." + another)
				.run((context) -> {
					ToolExecutor executor = context.getBean(ToolExecutor.class);
					HealthOfHooks health = context.getBean(HealthOfHooks.class);
					assertThat(passes(executor)).isTrue();
					redis.freeze();
					long start = System.nanoTime();
					assertThat(passes(executor)).isFalse();
					assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(500),
							Duration.ofSeconds(10));
					assertThat(state(health)).isEqualTo(HookHealth.State.DOWN);
					redis.thaw();
					Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> passes(executor));
					assertThat(state(health)).isEqualTo(HookHealth.State.UP);
				});
		}
	}

	@Test
	@Tag("slow")
	void entryThatFailsOpenLetsCallsPassWhileRedisIsAway(@TempDir Path files) throws IOException {
		try (TestRedis redis = TestRedis.start(files)) {
			this.limited.withBean(RedisConnectionFactory.class, () -> redis.client(Duration.ofSeconds(2)))
				.withPropertyValues("hooks.limit.store=redis", ENTRY + "fail_open=true")
				.run((context) -> {
					redis.stop();
					for (int i = 0; i < 5; i++) {
						assertThat(passes(context.getBean(ToolExecutor.class))).isTrue();
					}
				});
		}
	}

	@Test
	void redisThatMayDropKeysStopsTheStartUnlessItIsWrittenThatItMay(@TempDir Path files) throws IOException {
		try (TestRedis redis = TestRedis.start(files)) {
			ApplicationContextRunner application = this.limited.withBean(RedisConnectionFactory.class, redis::client)
				.withPropertyValues("hooks.limit.store=redis");
			for (String policy : List.of("allkeys-lru", "allkeys-random", "volatile-ttl", "volatile-lfu")) {
				redis.set("maxmemory-policy", policy);
				application.run((context) -> assertThat(invalid(Objects.requireNonNull(context.getStartupFailure())))
					.satisfies((invalid) -> {
						assertThat(invalid.getDescription()).contains("maxmemory-policy is '" + policy + "'");
						assertThat(invalid.getAction()).contains("noeviction", "hooks.limit.redis.may_evict");
					}));
				application.withPropertyValues("hooks.limit.redis.may_evict=true")
					.run((context) -> assertThat(context).hasNotFailed());
			}
			redis.set("maxmemory-policy", "noeviction");
			application.run((context) -> assertThat(context).hasNotFailed());
		}
	}

	@Test
	void applicationThatFindsTheLimitsOfOthersOnlyIsToldSo(@TempDir Path files, CapturedOutput output)
			throws IOException {
		JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:file:" + files.resolve("h2"), "sa", "");
		try (TestRedis redis = TestRedis.start(files)) {
			ApplicationContextRunner node = this.limited.withBean(RedisConnectionFactory.class, redis::client)
				.withBean(DataSource.class, () -> database)
				.withPropertyValues("hooks.limit.jdbc.initialize_schema=always");
			for (String store : List.of("redis", "jdbc")) {
				ApplicationContextRunner named = node.withPropertyValues("hooks.limit.store=" + store);
				assertThat(warnings(output, named.withPropertyValues("spring.application.name=shop"))).isEmpty();
				assertThat(warnings(output, named.withPropertyValues("spring.application.name=shop"))).isEmpty();
				assertThat(warnings(output, named.withPropertyValues("spring.application.name=my,=% shop2")))
					.singleElement()
					.asString()
					.contains("Limits of the application 'my,=% shop2'", "those are of 'shop' (last started on 2",
							"hooks.application");
				assertThat(warnings(output, named.withPropertyValues("spring.application.name=my,=% shop2"))).isEmpty();
				assertThat(warnings(output,
						named.withPropertyValues("spring.application.name=any", "hooks.application=shop")))
					.isEmpty();
				assertThat(warnings(output, named.withPropertyValues("spring.application.name=bank"))).singleElement()
					.asString()
					.contains("'shop' (last", "'my,=% shop2' (last");
			}
		}
		database.dispose();
	}

	@Test
	void applicationThatHadNoNameIsToldThatItsLimitsBeginAnew(CapturedOutput output) {
		JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:unnamed", "sa", "");
		ApplicationContextRunner node = this.limited.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.limit.jdbc.initialize_schema=always", "hooks.limit.store=jdbc");
		assertThat(warnings(output, node.withPropertyValues("spring.application.name="))).isEmpty();
		assertThat(warnings(output, node.withPropertyValues("spring.application.name=shop"))).singleElement()
			.asString()
			.contains("Limits of the application 'shop'", "those are of one without a name");
		database.dispose();
	}

	private static List<String> warnings(CapturedOutput output, ApplicationContextRunner application) {
		int before = output.getAll().length();
		application.run((context) -> assertThat(context).hasNotFailed());
		return output.getAll().substring(before).lines().filter((line) -> line.contains("KnownApplications")).toList();
	}

	@Test
	void applicationsWithTheSameEntriesCountForThemselves(@TempDir Path files) throws IOException {
		JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:file:" + files.resolve("h2"), "sa", "");
		try (TestRedis redis = TestRedis.start(files)) {
			ApplicationContextRunner node = this.limited.withBean(RedisConnectionFactory.class, redis::client)
				.withBean(DataSource.class, () -> database)
				.withPropertyValues("hooks.limit.jdbc.initialize_schema=always");
			for (String store : List.of("redis", "jdbc")) {
				ApplicationContextRunner shop = node.withPropertyValues("hooks.limit.store=" + store);
				ApplicationContextRunner bank = shop.withPropertyValues("hooks.application=bank");
				shop.run((one) -> bank.run((two) -> shop.run((three) -> {
					for (int i = 0; i < 3; i++) {
						assertThat(passes(one.getBean(ToolExecutor.class))).isTrue();
					}
					assertThat(passes(three.getBean(ToolExecutor.class))).isFalse();
					for (int i = 0; i < 3; i++) {
						assertThat(passes(two.getBean(ToolExecutor.class))).isTrue();
					}
					assertThat(passes(two.getBean(ToolExecutor.class))).isFalse();
				})));
			}
		}
		database.dispose();
	}

	@Test
	void applicationWithoutANameDoesNotStartWithASharedStore(@TempDir Path files) throws IOException {
		JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:file:" + files.resolve("h2"), "sa", "");
		try (TestRedis redis = TestRedis.start(files)) {
			ApplicationContextRunner node = this.limited.withBean(RedisConnectionFactory.class, redis::client)
				.withBean(DataSource.class, () -> database)
				.withPropertyValues("spring.application.name=", "hooks.limit.jdbc.initialize_schema=always");
			for (String store : List.of("redis", "jdbc")) {
				node.withPropertyValues("hooks.limit.store=" + store)
					.run((context) -> assertThat(
							invalid(Objects.requireNonNull(context.getStartupFailure())).getAction())
						.contains("spring.application.name", "hooks.application"));
				node.withPropertyValues("hooks.limit.store=" + store, "hooks.application=shop")
					.run((context) -> assertThat(context).hasNotFailed());
			}
		}
		database.dispose();
	}

	@ParameterizedTest
	@CsvSource({ "redis, there is no RedisConnectionFactory bean", "jdbc, there is no DataSource bean" })
	void storeThatIsNotThereStopsTheStart(String store, String told) {
		for (ApplicationContextRunner application : new ApplicationContextRunner[] { this.runner, this.limited }) {
			application.withPropertyValues("hooks.limit.store=" + store)
				.run((context) -> assertThat(invalid(Objects.requireNonNull(context.getStartupFailure())))
					.satisfies((invalid) -> assertThat(invalid.getDescription())
						.contains("'hooks.limit.store' is '%s'".formatted(store), told)));
		}
	}

	@ParameterizedTest
	@CsvSource({ "redis, org.springframework.data.redis, needs the dependency spring-boot-starter-data-redis",
			"redis, io.agenthooks.spring.redis, needs the dependency io.agenthooks:hooks-redis",
			"jdbc, io.agenthooks.spring.jdbc, needs the dependency io.agenthooks:hooks-jdbc",
			"jdbc, org.springframework.jdbc, needs the dependency spring-boot-starter-jdbc" })
	void libraryThatIsMissingStopsTheStart(String store, String library, String told) {
		this.limited.withClassLoader(new FilteredClassLoader(library))
			.withPropertyValues("hooks.limit.store=" + store)
			.run((context) -> assertThat(invalid(Objects.requireNonNull(context.getStartupFailure())).getDescription())
				.contains(told));
	}

	@Test
	void storeThatDoesNotAnswerStopsTheStartAndIsToldWithoutItsAddress(@TempDir Path files) throws IOException {
		DriverManagerDataSource away = new DriverManagerDataSource(
				"jdbc:postgresql://127.0.0.1:1/db?user=u&password=hidden&connectTimeout=5");
		this.limited.withBean(DataSource.class, () -> away)
			.withPropertyValues("hooks.limit.store=jdbc")
			.run((context) -> assertThat(invalid(Objects.requireNonNull(context.getStartupFailure())).getDescription())
				.contains("SQLState 08001")
				.doesNotContain("hidden", "127.0.0.1"));
		try (TestRedis redis = TestRedis.start(files)) {
			RedisConnectionFactory client = redis.client();
			redis.stop();
			this.limited.withBean(RedisConnectionFactory.class, () -> client)
				.withPropertyValues("hooks.limit.store=redis")
				.run((context) -> assertThat(
						invalid(Objects.requireNonNull(context.getStartupFailure())).getDescription())
					.contains("Redis cannot be asked"));
		}
	}

	@Test
	void tableThatIsNotMadeStopsTheStart() {
		JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
		this.limited.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.limit.store=jdbc", "hooks.limit.jdbc.initialize_schema=never")
			.run((context) -> assertThat(invalid(Objects.requireNonNull(context.getStartupFailure())).getAction())
				.contains("'hooks.limit.jdbc.initialize_schema: always'"));
		database.dispose();
	}

	/**
	 * Otherwise each call would be denied, or pass uncounted with {@code fail_open}.
	 */
	@Test
	void tableThatMayOnlyBeReadStopsTheStart() {
		String address = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
		DataSource owner = new DriverManagerDataSource(address, "sa", "");
		JdbcLimitAutoConfiguration.initialize(owner, DatabaseInitializationMode.ALWAYS);
		JdbcClient.create(owner).sql("create user reader password 'reader'").update();
		JdbcClient.create(owner).sql("grant select on agent_hooks_limit to reader").update();
		this.limited.withBean(DataSource.class, () -> new DriverManagerDataSource(address, "reader", "reader"))
			.withPropertyValues("hooks.limit.store=jdbc", "hooks.limit.jdbc.initialize_schema=never",
					ENTRY + "fail_open=true")
			.run((context) -> assertThat(invalid(Objects.requireNonNull(context.getStartupFailure())).getAction())
				.contains("its user may select, insert, update and delete"));
	}

	@Test
	void mistakesAreToldWithPlaceAndFix() {
		this.limited.withPropertyValues("hooks.limit.store=disk", "hooks.limit.redis.key_prefix=a b")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("hooks.limit.store", "one of memory, jdbc, redis"));
		this.limited.withPropertyValues("hooks.limit.redis.key_prefix=a b")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("hooks.limit.redis.key_prefix", "is no prefix of keys"));
		for (String timeout : new String[] { "9ms", "61s" }) {
			this.limited.withPropertyValues("hooks.limit.timeout=" + timeout)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContainingAll("hooks.limit.timeout", "is out of range"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "jdbc", "redis" })
	void nodesShareABudgetAndWhoRuns(String store, @TempDir Path files) throws IOException {
		JdbcConnectionPool database = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		try (TestRedis redis = TestRedis.start(files)) {
			ApplicationContextRunner node = this.runner.withBean(DataSource.class, () -> database)
				.withBean(RedisConnectionFactory.class, redis::client)
				.withPropertyValues("hooks.limit.store=" + store, ENTRY + "type=budget", ENTRY + "name=refunds",
						ENTRY + "config.limit=100", ENTRY + "config.sum=args.amount", ENTRY + "config.per=day",
						ENTRY + "config.key=session", "hooks.tool_call.pre_call[1].type=budget",
						"hooks.tool_call.pre_call[1].name=calls", "hooks.tool_call.pre_call[1].config.limit=3",
						"hooks.tool_call.pre_call[1].config.per=session",
						"hooks.tool_call.pre_call[2].type=concurrency", "hooks.tool_call.pre_call[2].name=few",
						"hooks.tool_call.pre_call[2].config.max_concurrent=1");
			node.run((one) -> node.run((two) -> {
				ToolExecutor first = one.getBean(ToolExecutor.class);
				ToolExecutor second = two.getBean(ToolExecutor.class);
				assertThat(first.execute(refund(60)).content()).isEqualTo("ran");
				assertThat(second.execute(refund(41)).content()).contains("too little left for this call: 40");
				assertThat(second.execute(refund(-1)).content()).contains("not a number from zero on");
				assertThat(second.execute(refund(40)).content()).isEqualTo("ran");
				assertThat(first.execute(refund(0)).content()).isEqualTo("ran");
				assertThat(first.execute(refund(0)).content()).contains("The budget of 3 calls");
				assertThat(state(one.getBean(HealthOfHooks.class))).isEqualTo(HookHealth.State.UP);
			}));
		}
		database.dispose();
	}

	private ApplicationContextRunner loops(String store) {
		String yaml = """
				hooks:
				  limit:
				    store: %s
				  tool_call:
				    pre_call:
				      - type: loop
				        name: no-loops
				        match: [read]
				        config:
				          repeats: {warn: 2, deny: 3}
				      - type: loop
				        match: [list]
				        fail_open: true
				        config:
				          repeats: {deny: 3}
				""".formatted(store);
		return this.runner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static ToolResult run(AssertableApplicationContext node, String tool) {
		return node.getBean(ToolExecutor.class).execute(ToolCall.of(tool, Map.of("card", "4711"), SESSION));
	}

	@Test
	void nodesOnOneDatabaseMakeALoopTogether() {
		JdbcConnectionPool database = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		ApplicationContextRunner node = loops("jdbc").withBean(DataSource.class, () -> database);
		node.run((one) -> node.run((two) -> {
			assertThat(run(one, "read").forModel()).isEqualTo("ran");
			assertThat(run(two, "read").forModel()).isEqualTo("ran");
			assertThat(run(one, "read").forModel()).contains("has had the same result 2 times");
			assertThat(run(two, "read").content()).contains("'no-loops'", "has had the same result 3 times");
			assertThat(one.getBean(ToolHooks.class)
				.explain(ToolCall.of("read", Map.of("card", "4711"), SESSION))
				.verdict()).isEqualTo(Verdict.DENY);
			assertThat(new LoopToolHook("no-loops", new LoopConfig(null, null, null, null, null, null, null, null),
					one.getBean(LimitStores.class))
				.limitStore()).isEqualTo("jdbc");
		}));
		database.dispose();
	}

	@Test
	@Tag("slow")
	void loopIsKnownToAllNodesOfARedisAndIsDeniedWhileThatIsAway(@TempDir Path files, CapturedOutput output)
			throws IOException {
		try (TestRedis redis = TestRedis.startDurable(files)) {
			ApplicationContextRunner node = loops("redis").withBean(RedisConnectionFactory.class,
					() -> redis.client(Duration.ofSeconds(2)));
			node.run((one) -> node.run((two) -> {
				assertThat(run(one, "read").forModel()).isEqualTo("ran");
				assertThat(run(two, "read").forModel()).isEqualTo("ran");
				redis.stop();
				assertThat(run(one, "read").succeeded()).isFalse();
				assertThat(run(one, "list").forModel()).isEqualTo("ran");
				assertThat(state(one.getBean(HealthOfHooks.class), "no-loops")).isEqualTo(HookHealth.State.DOWN);
				redis.restart();
				Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> run(two, "read").succeeded());
				assertThat(state(two.getBean(HealthOfHooks.class), "no-loops")).isEqualTo(HookHealth.State.UP);
				assertThat(run(two, "read").content()).contains("has had the same result 3 times");
			}));
		}
		assertThat(output).contains("The hook 'no-loops' failed").doesNotContain("4711");
	}

	/**
	 * The second entry is asked again about the final arguments.
	 */
	@ParameterizedTest
	@CsvSource({ "jdbc", "redis" })
	void callThatWaitsForPeopleAndIsResumedOnAnotherNodeIsCountedOnce(String store, @TempDir Path files)
			throws IOException {
		JdbcConnectionPool database = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		AtomicBoolean approved = new AtomicBoolean();
		try (TestRedis redis = TestRedis.start(files)) {
			ApplicationContextRunner node = this.limited.withBean(DataSource.class, () -> database)
				.withBean(RedisConnectionFactory.class, redis::client)
				.withBean(ToolApprover.class,
						() -> (call, question) -> (approved.get()) ? ToolDecision.approve() : question.pendingAs("q"))
				.withPropertyValues("hooks.limit.store=" + store, "hooks.tool_call.pre_call[1].type=rate_limit",
						"hooks.tool_call.pre_call[1].name=accounts",
						"hooks.tool_call.pre_call[1].config.limit=3 per session",
						"hooks.tool_call.pre_call[1].config.key=session",
						"hooks.tool_call.pre_call[1].config.key_expression=args.account",
						"hooks.tool_call.pre_call[2].type=policy",
						"hooks.tool_call.pre_call[2].config.ask_tools=refund");
			node.run((one) -> node.run((two) -> {
				List<ToolCall> calls = Stream
					.generate(() -> ToolCall.of("refund", Map.of("account", "A"), CallContext.ofSession("s")))
					.limit(4)
					.toList();
				for (ToolCall call : calls.subList(0, 3)) {
					assertThatExceptionOfType(TurnSuspendedException.class)
						.isThrownBy(() -> one.getBean(ToolExecutor.class).execute(call));
				}
				approved.set(true);
				assertThat(calls).extracting((call) -> two.getBean(ToolExecutor.class).execute(call).succeeded())
					.containsExactly(true, true, true, false);
				// The same call is not resumed twice.
				assertThat(one.getBean(ToolExecutor.class).execute(calls.get(0)).content()).contains("used up");
			}));
		}
		database.dispose();
	}

	@Test
	@Tag("slow")
	void callOfABudgetIsDeniedWhileRedisIsAway(@TempDir Path files, CapturedOutput output) throws IOException {
		try (TestRedis redis = TestRedis.startDurable(files)) {
			this.runner.withBean(RedisConnectionFactory.class, () -> redis.client(Duration.ofSeconds(2)))
				.withPropertyValues("hooks.limit.store=redis", ENTRY + "type=budget", ENTRY + "name=refunds",
						ENTRY + "config.limit=100", ENTRY + "config.sum=args.amount", ENTRY + "config.per=session")
				.run((context) -> {
					ToolExecutor executor = context.getBean(ToolExecutor.class);
					HealthOfHooks health = context.getBean(HealthOfHooks.class);
					assertThat(executor.execute(refund(60)).succeeded()).isTrue();
					redis.stop();
					assertThat(executor.execute(refund(4711)).succeeded()).isFalse();
					assertThat(executor.execute(refund(1)).succeeded()).isFalse();
					assertThat(state(health)).isEqualTo(HookHealth.State.DOWN);
					redis.restart();
					Awaitility.await()
						.atMost(Duration.ofSeconds(60))
						.until(() -> executor.execute(refund(0)).succeeded());
					assertThat(state(health)).isEqualTo(HookHealth.State.UP);
					assertThat(executor.execute(refund(41)).content()).contains("too little left for this call: 40");
				});
		}
		assertThat(output.getAll().split("The hook 'refunds' failed", -1)).hasSizeBetween(2, 4);
		assertThat(output).doesNotContain("4711");
	}

	@Test
	void moreCallsThanATableKeepsStopTheStart() {
		JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
		this.runner.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.limit.store=jdbc", ENTRY + "type=concurrency",
					ENTRY + "config.max_concurrent=1001")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("config.max_concurrent", "above 1000"));
		database.dispose();
	}

	@Test
	void nativeImageHasTheScripts() {
		RuntimeHints hints = new RuntimeHints();
		new JdbcLimitAutoConfiguration.ScriptHints().registerHints(hints, null);
		for (String platform : new String[] { "h2", "postgresql" }) {
			String script = "io/agenthooks/spring/jdbc/schema-%s.sql".formatted(platform);
			assertThat(new ClassPathResource(script).exists()).isTrue();
			assertThat(RuntimeHintsPredicates.resource().forResource(script)).accepts(hints);
		}
	}

	private static InvalidLimitStoreException invalid(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.filter(InvalidLimitStoreException.class::isInstance)
			.map(InvalidLimitStoreException.class::cast)
			.findFirst()
			.orElseThrow();
	}

}
