package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RedisApprovalStore} with a real Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisApprovalStoreTests extends ApprovalStoreContract {

	/** Longer than any of these tests: what ends a wait is not the poll. */
	private static final Duration NEVER = Duration.ofMinutes(10);

	private static final String PREFIX = "test:approval";

	private static final String KEY = "{" + PREFIX + "}:";

	private static final String QUESTION = KEY + "question:";

	@TempDir
	static Path directory;

	private static TestRedis redis;

	private final ExecutorService nodes = Executors.newCachedThreadPool();

	@BeforeAll
	static void startRedis() throws IOException {
		redis = TestRedis.start(directory);
	}

	@AfterAll
	static void stopRedis() throws IOException {
		redis.close();
	}

	@BeforeEach
	void deleteAll() {
		redis.template().delete(keys());
	}

	private static Set<String> keys() {
		return Objects.requireNonNull(redis.template().keys("*"));
	}

	@AfterEach
	void stopNodes() throws InterruptedException {
		this.nodes.shutdownNow();
		assertThat(this.nodes.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	@Override
	ApprovalStore open() {
		return RedisApprovalStore.open(redis.client(), PREFIX, RedisApprovalStore.POLL);
	}

	private static ApprovalStore node(TestRedis server) {
		return RedisApprovalStore.open(server.client(), PREFIX, NEVER);
	}

	@Test
	void decisionOfAnotherNodeEndsTheWaitThoughNobodyPolls() throws Exception {
		try (ApprovalStore one = node(redis); ApprovalStore two = node(redis)) {
			for (int i = 0; i < 200; i++) {
				ApprovalRequest asked = asked(one, Questions.question("q" + i));
				Future<ApprovalRequest> waiting = this.nodes.submit(() -> settled(one, asked));
				assertThat(two.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
				assertThat(waiting.get(20, TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
			}
		}
	}

	@Test
	void transactionOfTheApplicationNeitherHoldsStepsBackNorUndoesThem() {
		LettuceConnectionFactory client = redis.client();
		StringRedisTemplate own = new StringRedisTemplate(client);
		own.setEnableTransactionSupport(true);
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:", "sa", "")));
		try (ApprovalStore store = RedisApprovalStore.open(client, PREFIX, NEVER); ApprovalStore other = node(redis)) {
			transaction.executeWithoutResult((status) -> {
				own.opsForValue().set("own", "text");
				ApprovalRequest asked = asked(store, Questions.question("q"));
				assertThat(other.find("q")).hasValue(asked);
				assertThat(store.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
				own.opsForValue().set("another", "text");
				status.setRollbackOnly();
			});
			assertThat(other.find("q").orElseThrow().state()).isEqualTo(ApprovalState.APPROVED);
			assertThat(keys()).doesNotContain("own", "another");
			transaction.executeWithoutResult((status) -> {
				own.opsForValue().set("own", "text");
				assertThat(store.find("q")).isPresent();
			});
			assertThat(keys()).contains("own");
		}
	}

	private static ApprovalRequest settled(ApprovalStore node, ApprovalRequest asked) throws InterruptedException {
		ApprovalRequest last = asked;
		while (last.state() == ApprovalState.PENDING) {
			node.await(last.id(), last.revision(), NEVER);
			last = node.find(last.id()).orElseThrow();
		}
		return last;
	}

	@Test
	void oneOfTwoNodesClaimsAThousandTimes() throws Exception {
		try (ApprovalStore one = open(); ApprovalStore two = open()) {
			CyclicBarrier start = new CyclicBarrier(2);
			for (int i = 0; i < 1_000; i++) {
				ApprovalRequest asked = asked(one, Questions.question("q" + i));
				ApprovalRequest approved = Questions.approved(asked);
				assertThat(two.replace(asked, approved, Questions.NOW)).isTrue();
				ApprovalRequest claimed = ApprovalRules.claimed(approved, Questions.NOW);
				List<Future<Boolean>> claims = List.of(one, two).stream().map((node) -> this.nodes.submit(() -> {
					start.await();
					return node.replace(approved, claimed, Questions.NOW);
				})).toList();
				assertThat(List.of(claims.get(0).get(), claims.get(1).get())).containsOnlyOnce(true);
			}
		}
	}

	@Test
	@Tag("slow")
	void redisThatIsAwayIsAnExceptionAndEverythingIsThereAfterwards(@TempDir Path files) throws Exception {
		try (TestRedis own = TestRedis.start(files, TestRedis.DURABLE);
				ApprovalStore one = RedisApprovalStore.open(own.client(Duration.ofSeconds(2)), PREFIX,
						Duration.ofMillis(100));
				ApprovalStore two = node(own)) {
			ApprovalRequest asked = asked(one, Questions.question("q"));
			ApprovalRequest claimable = asked(one,
					Questions.question("claimable").withRememberFor(Duration.ofHours(1)));
			ApprovalRequest approved = Questions.approved(claimable);
			assertThat(one.replace(claimable, approved, Questions.NOW)).isTrue();
			ApprovalRequest claimed = ApprovalRules.claimed(approved, Questions.NOW);
			assertThat(one.replace(approved, claimed, Questions.NOW)).isTrue();
			Future<?> waiting = this.nodes.submit(() -> {
				fails(() -> settled(one, asked));
				return null;
			});
			own.stop();
			waiting.get(20, TimeUnit.SECONDS);
			fails(() -> one.ask(Questions.question("other"), MANY));
			fails(() -> one.find("q"));
			fails(() -> one.replace(asked, Questions.approved(asked), Questions.NOW));
			fails(() -> one.await("q", asked.revision(), LONG));
			fails(() -> one.pending(10));
			fails(() -> one.remembered(claimed.fingerprint(), Questions.NOW));
			fails(() -> one.purge(Questions.NOW));
			own.restart();
			Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> one.find("q").isPresent());
			assertThat(one.find("q")).contains(asked);
			assertThat(one.remembered(claimed.fingerprint(), Questions.NOW)).contains(claimed);
			assertThat(one.replace(approved, claimed, Questions.NOW)).isFalse();
			assertThat(one.ask(Questions.question("again", asked.fingerprint(), "session", 1, Questions.NOW), MANY))
				.contains(asked);
			Future<ApprovalRequest> again = this.nodes.submit(() -> settled(two, asked));
			// One listens again, and the other one too.
			StringRedisTemplate template = own.template();
			Awaitility.await()
				.atMost(LONG)
				.until(() -> Objects.equals(template.convertAndSend(KEY + "changed", "-"), 2L));
			assertThat(one.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
			assertThat(again.get(20, TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
		}
	}

	private static void fails(ThrowingCallable code) {
		assertThatException().isThrownBy(code).isInstanceOf(DataAccessException.class);
	}

	@Test
	@Tag("slow")
	void wholeLifeInACluster(@TempDir Path files) throws Exception {
		try (TestRedis cluster = TestRedis.startCluster(files);
				ApprovalStore one = node(cluster);
				ApprovalStore two = node(cluster)) {
			ApprovalRequest asked = asked(one, Questions.question("q").withRememberFor(Duration.ofHours(1)));
			asked(one, Questions.question("other"));
			assertThat(two.ask(Questions.question("more"), new ApprovalStore.Bounds(2, 2))).isEmpty();
			assertThat(two.pending(10)).hasSize(2);
			Future<ApprovalRequest> waiting = this.nodes.submit(() -> settled(one, asked));
			ApprovalRequest approved = Questions.approved(asked);
			assertThat(two.replace(asked, approved, Questions.NOW)).isTrue();
			assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(approved);
			ApprovalRequest claimed = ApprovalRules.claimed(approved, Questions.NOW);
			assertThat(one.replace(approved, claimed, Questions.NOW)).isTrue();
			assertThat(two.remembered(claimed.fingerprint(), Questions.NOW)).contains(claimed);
			assertThat(two.due(asked.expiresAt(), 10)).hasSize(1);
			one.purge(Questions.NOW.plusSeconds(1));
			assertThat(two.settled(10)).isEmpty();
		}
	}

	@Test
	void redisWithoutMemoryDoesAllOrNothing() {
		try (ApprovalStore store = open()) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			Set<String> before = keys();
			redis.set("maxmemory", "1");
			try {
				fails(() -> store.ask(Questions.question("other"), MANY));
				fails(() -> store.replace(asked, Questions.approved(asked), Questions.NOW));
				assertThat(store.find("q")).contains(asked);
			}
			finally {
				redis.set("maxmemory", "0");
			}
			assertThat(keys()).isEqualTo(before);
			assertThat(store.pending(10)).containsExactly(asked);
			assertThat(store.settled(10)).isEmpty();
			assertThat(store.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
		}
	}

	@Test
	void keysLieInOneSlotHaveNoTimeToLiveAndGoWithTheQuestion() {
		try (ApprovalStore store = open()) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			assertThat(store.replace(asked, ApprovalRules.cancelled(asked), Questions.NOW)).isTrue();
			asked(store, Questions.question("other"));
			StringRedisTemplate template = redis.template();
			assertThat(keys()).hasSizeGreaterThan(5)
				.allMatch((key) -> key.startsWith(KEY))
				.allMatch((key) -> Objects.equals(template.getExpire(key), -1L));
			ApprovalRequest other = store.find("other").orElseThrow();
			ApprovalRequest approved = Questions.approved(other);
			assertThat(store.replace(other, approved, Questions.NOW)).isTrue();
			assertThat(store.replace(approved, ApprovalRules.claimed(approved, Questions.NOW), Questions.NOW)).isTrue();
			store.purge(Questions.NOW.plusSeconds(1));
			assertThat(keys()).containsExactly(KEY + "version");
		}
	}

	@Test
	void manyAreForgottenAtOnceAndWhatIsApprovedStays() {
		try (ApprovalStore store = open()) {
			ApprovalRequest approved = asked(store, Questions.question("approved"));
			store.replace(approved, Questions.approved(approved), Questions.NOW.minusSeconds(1));
			IntStream.range(0, 1_200).forEach((i) -> {
				ApprovalRequest asked = asked(store, Questions.question("q" + i));
				store.replace(asked, ApprovalRules.cancelled(asked), Questions.NOW);
			});
			assertThat(store.purge(Questions.NOW.plusSeconds(1))).isTrue();
			assertThat(store.settled(10_000)).hasSize(702);
			while (store.purge(Questions.NOW.plusSeconds(1))) {
				assertThat(store.settled(10_000)).hasSizeLessThan(702);
			}
			assertThat(store.settled(10_000)).extracting(ApprovalRequest::id).containsExactly("approved");
			assertThat(keys()).hasSize(7);
		}
	}

	@Test
	void tenThousandSettledAndPendingAreListedWithinBounds() {
		try (ApprovalStore store = open()) {
			for (int i = 0; i < 10_000; i++) {
				asked(store, Questions.question("q" + i));
			}
			long start = System.nanoTime();
			assertThat(store.pending(100)).hasSize(100);
			assertThat(store.due(Questions.NOW.plus(Questions.TIMEOUT), 100)).hasSize(100);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			state       | APPROVED
			revision    | 7
			revision    | x
			fingerprint | other
			request     | {}
			request     | {"id":"changed","state":"APPROVED"}
			""")
	void questionThatWasChangedByHandIsAnErrorAndHidesNoOther(String field, String value) {
		try (ApprovalStore store = open()) {
			ApprovalRequest changed = asked(store, Questions.question("changed"));
			ApprovalRequest other = asked(store, Questions.question("other"));
			redis.template().opsForHash().put(QUESTION + "changed", field, value);
			assertThatIllegalStateException().isThrownBy(() -> store.find("changed"))
				.withMessageContaining("'changed'")
				.withMessageNotContaining("\"to\"");
			assertThat(store.pending(10)).containsExactly(other);
			assertThat(store.due(other.expiresAt(), 10)).containsExactly(other);
			assertThatIllegalStateException().isThrownBy(() -> store
				.ask(Questions.question("new", changed.fingerprint(), "session", 1, Questions.NOW), MANY));
		}
	}

	@Test
	void questionThatIsGoneTakesNoPlaceInListsAndIsAskedAgain() {
		try (ApprovalStore store = open()) {
			ApprovalRequest gone = asked(store, Questions.question("gone"));
			ApprovalRequest other = asked(store, Questions.question("other"));
			redis.template().delete(QUESTION + "gone");
			assertThat(store.find("gone")).isEmpty();
			assertThat(store.replace(gone, Questions.approved(gone), Questions.NOW)).isFalse();
			assertThat(store.pending(1)).isEmpty();
			assertThat(store.pending(1)).containsExactly(other);
			assertThat(store.due(other.expiresAt(), 1)).containsExactly(other);
			ApprovalRequest again = Questions.question("again", gone.fingerprint(), "session", 1, Questions.NOW);
			assertThat(store.ask(again, MANY)).contains(again);
		}
	}

	@Test
	void questionsThatSomebodyDeletedLeaveNothingBehindAndKeepNoOtherOpen() {
		try (ApprovalStore store = open(); BackgroundWork work = new BackgroundWork(LONG)) {
			for (int i = 0; i < 150; i++) {
				asked(store, Questions.ofUser("q" + i, (i % 2 == 0) ? "r1" : null, "ann"));
			}
			ApprovalRequest approved = Questions.approved(store.find("q0").orElseThrow());
			assertThat(store.replace(store.find("q0").orElseThrow(), approved, Questions.NOW)).isTrue();
			ApprovalRequest claimable = Questions.approved(store.find("q1").orElseThrow());
			assertThat(store.replace(store.find("q1").orElseThrow(), claimable, Questions.NOW)).isTrue();
			assertThat(store.replace(claimable, ApprovalRules.claimed(claimable, Questions.NOW), Questions.NOW))
				.isTrue();
			IntStream.range(0, 148).forEach((i) -> redis.template().delete(QUESTION + "q" + i));
			AbortedQuestions aborted = new AbortedQuestions(store, work, LONG, (id, which) -> store.find(id)
				.filter(which)
				.ifPresent((last) -> assertThat(store.replace(last, ApprovalRules.cancelled(last), Questions.NOW))
					.isTrue()));
			aborted.abort(CallContext.empty().withRunId("r1"));
			aborted.abort(CallContext.ofSession("session").withUser("ann").withAgent("agent"));
			work.finish();
			assertThat(List.of("q148", "q149"))
				.allMatch((id) -> store.find(id).orElseThrow().state() == ApprovalState.CANCELLED);
			assertThat(store.due(Questions.NOW.plus(Questions.TIMEOUT), 1_000)).isEmpty();
			store.purge(Questions.NOW.plusSeconds(1));
			assertThat(keys()).containsExactly(KEY + "version");
		}
	}

	@Test
	void nodeListensFromTheFirstWaitOnUntilItsEnd() throws Exception {
		try (ApprovalStore store = node(redis)) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			assertThat(store.pending(10)).containsExactly(asked);
			assertThat(listening()).isZero();
			Future<ApprovalRequest> waiting = this.nodes.submit(() -> settled(store, asked));
			Awaitility.await().atMost(LONG).until(() -> listening() == 1);
			assertThat(store.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
			assertThat(waiting.get(20, TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
		}
		Awaitility.await().atMost(LONG).until(() -> listening() == 0);
	}

	private static long listening() {
		return Objects.requireNonNull(redis.template().convertAndSend(KEY + "changed", "-"));
	}

	@Test
	void applicationsWithAnotherPrefixSeeNothing() {
		try (ApprovalStore one = open();
				ApprovalStore other = RedisApprovalStore.open(redis.client(), "other", NEVER)) {
			ApprovalRequest asked = asked(one, Questions.question("q"));
			assertThat(other.find("q")).isEmpty();
			assertThat(other.replace(asked, Questions.approved(asked), Questions.NOW)).isFalse();
			assertThat(asked(other, asked)).isEqualTo(asked);
			assertThat(other.pending(10)).hasSize(1);
		}
	}

	@Test
	void keysOfAnotherVersionStopTheStart() {
		open().close();
		redis.template().opsForValue().set(KEY + "version", "1");
		assertThatExceptionOfType(InvalidApprovalStoreException.class).isThrownBy(this::open)
			.withMessageContaining("under '{test:approval}:'")
			.withMessageContaining("hooks.approval.redis.key_prefix");
	}

	@Test
	void redisThatIsAwayStopsTheStart(@TempDir Path files) throws IOException {
		try (TestRedis away = TestRedis.start(files)) {
			away.stop();
			assertThatExceptionOfType(InvalidApprovalStoreException.class)
				.isThrownBy(() -> RedisApprovalStore.open(away.client(), PREFIX, NEVER))
				.withMessageContaining("Redis cannot be asked: ")
				.withMessageNotContaining("127.0.0.1");
		}
	}

	@Test
	void storeThatWasStoppedStartsAgain() throws Exception {
		try (RedisApprovalStore store = RedisApprovalStore.open(redis.client(), PREFIX, NEVER);
				ApprovalStore other = node(redis)) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			store.stop();
			assertThat(store.isRunning()).isFalse();
			assertThatIllegalStateException().isThrownBy(() -> store.await("q", asked.revision(), LONG));
			assertThat(store.find("q")).contains(asked);
			store.start();
			assertThat(store.isRunning()).isTrue();
			Future<ApprovalRequest> waiting = this.nodes.submit(() -> settled(store, asked));
			assertThat(other.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
			assertThat(waiting.get(20, TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
		}
	}

	@Test
	void redisThatKeepsNothingIsToldAtTheStart(CapturedOutput output) {
		open().close();
		assertThat(output).contains("Redis may lose questions to people").contains("appendonly is 'no'");
	}

	@Test
	void redisThatLosesASecondOrDropsKeysIsToldAtTheStart(@TempDir Path files, CapturedOutput output)
			throws IOException {
		try (TestRedis own = TestRedis.start(files, "appendonly yes", "maxmemory-policy allkeys-lru")) {
			node(own).close();
		}
		assertThat(output).contains("its 'appendfsync' is 'everysec'")
			.contains("its 'maxmemory-policy' is 'allkeys-lru'");
	}

	@Test
	void redisThatDoesNotSayWhatItKeepsIsToldAtTheStart(@TempDir Path files, CapturedOutput output) throws IOException {
		try (TestRedis own = TestRedis.start(files, "rename-command CONFIG \"\"", "rename-command INFO \"\"")) {
			node(own).close();
		}
		assertThat(output).contains("Redis may lose questions to people").contains("it does not say what it keeps");
	}

	@Test
	void redisThatKeepsEverythingIsNotWarnedOf(@TempDir Path files, CapturedOutput output) throws IOException {
		try (TestRedis own = TestRedis.start(files, TestRedis.DURABLE)) {
			node(own).close();
			assertThat(output).doesNotContain("Redis may lose").doesNotContain("before they are denied");
			RedisApprovalStore.open(own.client(Duration.ofSeconds(60)), PREFIX, NEVER).close();
			assertThat(output).contains("wait up to 60 s for an unreachable Redis before they are denied");
		}
	}

}
