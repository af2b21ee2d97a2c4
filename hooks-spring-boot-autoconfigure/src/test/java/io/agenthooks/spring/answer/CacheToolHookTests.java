package io.agenthooks.spring.answer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.Cache;
import org.springframework.cache.concurrent.ConcurrentMapCache;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.answer.CacheConfig.Scope;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CacheToolHook}, in chains.
 */
@ExtendWith(OutputCaptureExtension.class)
class CacheToolHookTests {

	private static final CallContext SESSION = CallContext.ofSession("s1").withUser("alice");

	private final ConcurrentMapCache store = new ConcurrentMapCache("store");

	private final List<ToolCall> ran = new ArrayList<>();

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private ToolExecutor tool = (call) -> ToolResult.success("weather of " + call.arguments().get("city"));

	private ToolApprover approver = ToolApprover.nobody();

	// What is answered

	@Test
	void equalCallIsAnsweredWithWhatTheToolReturned() {
		ToolHookChain chain = chain(cache());
		assertThat(List.of(execute(chain, "Rome"), execute(chain, "Rome"), execute(chain, "Oslo")))
			.extracting(ToolResult::content)
			.containsExactly("weather of Rome", "weather of Rome", "weather of Oslo");
		assertThat(ranCities()).containsExactly("Rome", "Oslo");
		assertThat(this.outcomes).extracting(ToolOutcome::status)
			.containsExactly(ToolCallStatus.SUCCEEDED, ToolCallStatus.ANSWERED, ToolCallStatus.SUCCEEDED);
	}

	@Test
	void cacheOfEveryToolIsWarnedOf() {
		CacheToolHook hook = cache();
		assertThat(hook.preCallWarnings(HookOptions.defaults())).singleElement().asString().contains("'match'");
		assertThat(hook.preCallWarnings(HookOptions.defaults().match("weather"))).isEmpty();
		assertThat(hook.preCallWarnings(HookOptions.defaults().matcher("weather|forecast"))).isEmpty();
	}

	@Test
	void sameArgumentsForAnotherToolAreNotAnswered() {
		ToolHookChain chain = chain(cache());
		execute(chain, "Rome");
		chain.execute(ToolCall.of("forecast", Map.of("city", "Rome"), SESSION), this::run);
		assertThat(this.ran).extracting(ToolCall::tool).containsExactly("weather", "forecast");
	}

	@Test
	void answerIsOverAfterItsTime() {
		AtomicLong clock = new AtomicLong();
		ToolHookChain chain = chain(new CacheToolHook("cache", new CacheConfig(Duration.ofSeconds(10), null, null),
				new CaffeineProvider(clock::get)));
		execute(chain, "Rome");
		clock.addAndGet(Duration.ofSeconds(9).toNanos());
		execute(chain, "Rome");
		assertThat(this.ran).hasSize(1);
		// An answer is not kept as a new result.
		clock.addAndGet(Duration.ofSeconds(1).toNanos());
		execute(chain, "Rome");
		assertThat(this.ran).hasSize(2);
	}

	@Test
	void onlySoManyResultsAreKept() {
		ToolHookChain chain = chain(
				new CacheToolHook("cache", new CacheConfig(null, null, 2), ToolResultCacheProvider.caffeine()));
		List.of("Rome", "Oslo", "Bern", "Rome", "Oslo", "Bern").forEach((city) -> execute(chain, city));
		assertThat(ranCities()).hasSizeGreaterThan(3).startsWith("Rome", "Oslo", "Bern");
	}

	// Who is answered

	@Test
	void sessionIsNotAnsweredWithTheResultOfAnotherSessionUserOrRole() {
		ToolHookChain chain = chain(cache());
		List<CallContext> contexts = List.of(SESSION, SESSION.withSessionId("s2"), SESSION.withUser("bob"),
				SESSION.withRole("admin"), SESSION.withWorkspace("w"), SESSION.withAgent("a"));
		contexts.forEach((context) -> execute(chain, "Rome", context));
		assertThat(this.ran).hasSize(contexts.size());
		contexts.forEach((context) -> execute(chain, "Rome", context));
		assertThat(this.ran).hasSize(contexts.size());
	}

	@Test
	void userIsAnsweredInEverySession() {
		ToolHookChain chain = chain(cache(Scope.USER));
		execute(chain, "Rome", SESSION);
		execute(chain, "Rome", SESSION.withSessionId("s2"));
		assertThat(this.ran).hasSize(1);
		execute(chain, "Rome", SESSION.withUser("bob"));
		assertThat(this.ran).hasSize(2);
	}

	@Test
	void everybodyIsAnsweredGlobally() {
		ToolHookChain chain = chain(cache(Scope.GLOBAL));
		execute(chain, "Rome", SESSION);
		execute(chain, "Rome", CallContext.empty());
		assertThat(this.ran).hasSize(1);
	}

	@Test
	void callWithoutAUserIsNeitherAnsweredNorKeptWhereOthersHaveOne() {
		ToolHookChain chain = chain(cache());
		CallContext nobody = SESSION.withUser(null);
		execute(chain, "Rome", nobody);
		execute(chain, "Rome", nobody);
		assertThat(this.ran).hasSize(1);
		execute(chain, "Rome", SESSION);
		assertThat(this.ran).hasSize(2);
		int kept = this.store.getNativeCache().size();
		for (CallContext lost : List.of(nobody, nobody, SESSION.withUser(""))) {
			execute(chain, "Rome", lost);
			execute(chain, "Oslo", lost);
		}
		assertThat(this.ran).hasSize(8);
		assertThat(this.store.getNativeCache()).hasSize(kept);
		execute(chain, "Rome", SESSION);
		assertThat(this.ran).hasSize(8);
	}

	@Test
	void everybodyIsAnsweredGloballyWhetherTheyHaveAUserOrNot() {
		ToolHookChain chain = chain(cache(Scope.GLOBAL));
		execute(chain, "Rome", SESSION);
		execute(chain, "Rome", SESSION.withUser(null));
		execute(chain, "Rome", SESSION.withUser("bob"));
		assertThat(this.ran).hasSize(1);
	}

	@Test
	void callOfNobodyIsNeitherAnsweredNorKept() {
		for (Scope scope : List.of(Scope.SESSION, Scope.USER)) {
			this.ran.clear();
			ToolHookChain chain = chain(cache(scope));
			execute(chain, "Rome", CallContext.empty());
			execute(chain, "Rome", CallContext.empty());
			execute(chain, "Rome", CallContext.ofSession("").withUser(""));
			execute(chain, "Rome", CallContext.ofSession("").withUser(""));
			assertThat(this.ran).hasSize(4);
			assertThat(this.store.getNativeCache()).isEmpty();
		}
	}

	// An answer is no way around a hook

	@Test
	void laterPolicyDeniesAnAnswer() {
		CacheToolHook cache = cache();
		execute(chain(cache), "Rome");
		ToolResult result = execute(chain(cache, policyAgainst("Rome")), "Rome");
		assertThat(result.content()).startsWith("Tool call denied by hook 'PolicyToolHook'");
		assertThat(this.outcomes).extracting(ToolOutcome::status)
			.containsExactly(ToolCallStatus.SUCCEEDED, ToolCallStatus.DENIED);
	}

	@Test
	void earlierPolicyDeniesAnAnswer() {
		CacheToolHook cache = cache();
		execute(chain(cache), "Rome");
		assertThat(execute(chain(policyAgainst("Rome"), cache), "Rome").succeeded()).isFalse();
	}

	@Test
	void personIsAskedAboutAnAnswer() {
		List<ToolCall> asked = new ArrayList<>();
		CacheToolHook cache = cache();
		execute(chain(cache), "Rome");
		PreToolHook asking = (call) -> ToolDecision.ask("Really?");
		this.approver = (call, question) -> {
			asked.add(call);
			return (asked.size() == 1) ? ToolDecision.approve() : ToolDecision.deny("No");
		};
		ToolHookChain chain = chain(asking, cache);
		assertThat(execute(chain, "Rome").content()).isEqualTo("weather of Rome");
		assertThat(execute(chain, "Rome").content()).endsWith("No");
		assertThat(asked).hasSize(2);
		assertThat(this.ran).hasSize(1);
	}

	@Test
	void switchedOffToolsAreNotAnswered() {
		ToolHookChain chain = chain(cache());
		execute(chain, "Rome");
		chain.setToolsEnabled(false);
		assertThat(execute(chain, "Rome").succeeded()).isFalse();
	}

	@Test
	void resultHooksSeeEveryAnswerAsTheToolReturnedIt() {
		ToolResultHook redacting = ToolResultHook
			.replacing((call, result) -> (call.context().role().equals("admin")) ? result : ToolResult.success("***"));
		CacheToolHook cache = cache(Scope.GLOBAL);
		ToolHookChain chain = new ToolHookChain(List.of(cache), List.of(redacting), List.of(cache), this.approver, null,
				new AbortedRuns());
		assertThat(execute(chain, "Rome", SESSION).content()).isEqualTo("***");
		assertThat(execute(chain, "Rome", SESSION.withRole("admin")).content()).isEqualTo("weather of Rome");
		assertThat(execute(chain, "Rome", SESSION).content()).isEqualTo("***");
		assertThat(this.ran).hasSize(1);
	}

	@Test
	void observedHookDoesNotAnswer() {
		CacheToolHook cache = cache();
		ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.observeOnly(cache)), List.of(cache));
		execute(chain, "Rome");
		execute(chain, "Rome");
		assertThat(this.ran).hasSize(2);
	}

	// What is kept

	@Test
	void failureOfTheToolIsNotKept() {
		AtomicInteger calls = new AtomicInteger();
		this.tool = (call) -> switch (calls.incrementAndGet()) {
			case 1 -> ToolResult.failure("no connection");
			case 2 -> throw new IllegalStateException("broken");
			default -> ToolResult.success("sunny");
		};
		ToolHookChain chain = chain(cache());
		assertThat(execute(chain, "Rome").succeeded()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> execute(chain, "Rome"));
		assertThat(execute(chain, "Rome").content()).isEqualTo("sunny");
		assertThat(execute(chain, "Rome").content()).isEqualTo("sunny");
		assertThat(this.ran).hasSize(3);
	}

	@Test
	void whatALaterHookDecidesIsNotKept() {
		List<ToolDecision> decisions = List.of(ToolDecision.deny("not now"),
				ToolDecision.respond(ToolResult.success("mine")), ToolDecision.abortTurn("stop"));
		CacheToolHook cache = cache();
		for (ToolDecision decision : decisions) {
			try {
				execute(chain(cache, (call) -> decision), "Rome");
			}
			catch (ToolCallAbortedException ex) {
				assertThat(ex).hasMessageContaining("stop");
			}
		}
		assertThat(this.outcomes).extracting(ToolOutcome::status)
			.containsExactly(ToolCallStatus.DENIED, ToolCallStatus.ANSWERED, ToolCallStatus.ABORTED);
		assertThat(this.store.getNativeCache()).isEmpty();
	}

	@Test
	void resultOfAnAbortedTurnIsNotKept() {
		CacheToolHook cache = cache();
		ToolResultHook aborting = (call, result) -> ToolDecision.abortTurn("stop");
		ToolHookChain chain = new ToolHookChain(List.of(cache), List.of(aborting), List.of(cache), this.approver, null,
				new AbortedRuns());
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> execute(chain, "Rome"));
		assertThat(this.store.getNativeCache()).isEmpty();
	}

	@Test
	void argumentsThatAnEarlierHookChangedAreThoseThatCount() {
		PreToolHook trimming = changingCity(String::strip);
		ToolHookChain chain = chain(trimming, cache());
		execute(chain, "Rome ");
		execute(chain, " Rome");
		assertThat(ranCities()).containsExactly("Rome");
	}

	@Test
	void resultOfArgumentsThatALaterHookChangedIsNotKept() {
		// Each call goes one further: kept under what the tool got, "b" would answer "b".
		PreToolHook next = changingCity((city) -> (city.equals("a")) ? "b" : "c");
		ToolHookChain chain = chain(cache(), next);
		assertThat(execute(chain, "a").content()).isEqualTo("weather of b");
		assertThat(execute(chain, "b").content()).isEqualTo("weather of c");
		assertThat(execute(chain, "a").content()).isEqualTo("weather of b");
		assertThat(execute(chain, "c").content()).isEqualTo("weather of c");
		assertThat(execute(chain, "c").content()).isEqualTo("weather of c");
		assertThat(ranCities()).containsExactly("b", "c", "b", "c");
	}

	@Test
	void resultOfArgumentsThatAPersonChangedIsNotKept() {
		this.approver = (call, question) -> ToolDecision.modify(Map.of("city", "Oslo"));
		CacheToolHook cache = cache();
		PreToolHook asking = (call) -> ToolDecision.ask("Really?");
		assertThat(execute(chain(asking, cache), "Rome").content()).isEqualTo("weather of Oslo");
		assertThat(this.store.getNativeCache()).isEmpty();
	}

	@Test
	void originalResultIsKeptAlsoIfItIsWithheld() {
		CacheToolHook cache = cache();
		ToolResultHook withholding = (call, result) -> ToolDecision.deny("secret");
		ToolHookChain chain = new ToolHookChain(List.of(cache), List.of(withholding), List.of(cache), this.approver,
				null, new AbortedRuns());
		assertThat(List.of(execute(chain, "Rome"), execute(chain, "Rome"))).allSatisfy(
				(result) -> assertThat(result.content()).contains("withheld").doesNotContain("weather of Rome"));
		assertThat(this.ran).hasSize(1);
		assertThat(execute(chain(cache), "Rome").content()).isEqualTo("weather of Rome");
	}

	@Test
	void dataIsKeptAsItWas() {
		List<Object> days = new ArrayList<>(List.of("Mon", 1));
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		data.put("days", days);
		data.put("rain", null);
		this.tool = (call) -> ToolResult.success("text", data);
		ToolHookChain chain = chain(cache());
		execute(chain, "Rome");
		days.clear();
		Map<String, @Nullable Object> expected = new LinkedHashMap<>();
		expected.put("days", List.of("Mon", 1));
		expected.put("rain", null);
		assertThat(execute(chain, "Rome")).isEqualTo(ToolResult.success("text", expected));
		assertThat(this.ran).hasSize(1);
	}

	@Test
	void dataThatIsNotJsonIsNotKept() {
		for (Object data : List.of(new Object(), Set.of("x"), new String[] { "x" }, Map.of("x", Set.of("y")),
				Map.of(1, 2), Double.NaN)) {
			this.ran.clear();
			this.tool = (call) -> ToolResult.success("text", data);
			ToolHookChain chain = chain(cache());
			execute(chain, "Rome");
			assertThat(execute(chain, "Rome").value()).isSameAs(data);
			assertThat(this.ran).as(data.getClass().getName()).hasSize(2);
		}
	}

	@Test
	void veryLongTextIsNotKept() {
		this.tool = (call) -> ToolResult
			.success("x".repeat(Integer.parseInt(String.valueOf(call.arguments().get("length")))));
		ToolHookChain chain = chain(cache());
		for (int length : new int[] { CachedResult.MAX_LENGTH, CachedResult.MAX_LENGTH + 1 }) {
			IntStream.range(0, 2)
				.forEach((i) -> chain.execute(ToolCall.of("t", Map.of("length", length), SESSION), this::run));
		}
		assertThat(this.ran).extracting((call) -> call.arguments().get("length"))
			.containsExactly(CachedResult.MAX_LENGTH, CachedResult.MAX_LENGTH + 1, CachedResult.MAX_LENGTH + 1);
	}

	// Caches of others

	@Test
	void resultSurvivesAnotherMachine() {
		CacheToolHook here = new CacheToolHook("cache", new CacheConfig(null, null, null), remote());
		CacheToolHook there = new CacheToolHook("cache", new CacheConfig(null, null, null), remote());
		ToolResult returned = ToolResult.success("text",
				Map.of("a", Arrays.asList(1, 2.5, "x", null, true, Map.of("b", List.of(Long.MAX_VALUE)))));
		this.tool = (call) -> returned;
		execute(chain(here), "Rome");
		assertThat(execute(chain(there), "Rome")).isEqualTo(returned);
		assertThat(this.ran).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "get", "put" })
	void failingCacheIsAMissAndTellsNoSecret(String operation, CapturedOutput output) {
		CacheToolHook cache = new CacheToolHook("weather-cache", new CacheConfig(null, null, null),
				(hook, ttl, maxEntries) -> failing(operation));
		ToolHookChain chain = chain(cache);
		assertThat(execute(chain, "Rome").content()).isEqualTo("weather of Rome");
		assertThat(execute(chain, "Rome").content()).isEqualTo("weather of Rome");
		assertThat(this.ran).hasSize(2);
		assertThat(output).containsOnlyOnce("WARN")
			.contains("Hook 'weather-cache': the cache failed when it was "
					+ ((operation.equals("get")) ? "asked" : "filled") + ": " + IllegalStateException.class.getName())
			.doesNotContain("hunter2")
			.doesNotContain("Rome");
	}

	@Test
	void foreignValueIsAMissAndReplaced() {
		CacheToolHook cache = cache();
		execute(chain(cache), "Rome");
		Object key = this.store.getNativeCache().keySet().iterator().next();
		for (Object foreign : List.of("weather of Rome", Map.of("content", "x"), ToolResult.success("x"))) {
			this.ran.clear();
			this.store.put(key, foreign);
			assertThat(execute(chain(cache), "Rome").content()).isEqualTo("weather of Rome");
			assertThat(execute(chain(cache), "Rome").content()).isEqualTo("weather of Rome");
			assertThat(this.ran).hasSize(1);
		}
	}

	@Test
	void keptResultAndItsKeyTellNothing() {
		this.tool = (call) -> ToolResult.success("secret", Map.of("k", "secret"));
		execute(chain(cache()), "Rome");
		assertThat(this.store.getNativeCache()).hasSize(1);
		assertThat(this.store.getNativeCache().toString()).doesNotContain("secret", "Rome", "weather");
	}

	@Test
	void providerWithoutACacheStopsTheStart() {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new CacheToolHook("cache", new CacheConfig(null, null, null), (hook, ttl, max) -> null))
			.withMessageContaining("has no cache for this hook");
	}

	// Many calls at once

	@Test
	void equalCallsAtTheSameTimeAllRun() throws Exception {
		CountDownLatch bothRun = new CountDownLatch(2);
		AtomicInteger runs = new AtomicInteger();
		ToolExecutor waiting = (call) -> {
			runs.incrementAndGet();
			bothRun.countDown();
			return ToolResult.success(await(bothRun) ? "sunny" : "alone");
		};
		CacheToolHook cache = cache();
		ToolHookChain chain = new ToolHookChain(List.of(cache), List.of(cache));
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<Future<ToolResult>> results = List.of(threads.submit(() -> chain.execute(call("Rome"), waiting)),
					threads.submit(() -> chain.execute(call("Rome"), waiting)));
			for (Future<ToolResult> result : results) {
				assertThat(result.get(1, TimeUnit.MINUTES).content()).isEqualTo("sunny");
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(chain.execute(call("Rome"), waiting).content()).isEqualTo("sunny");
		assertThat(runs).hasValue(2);
	}

	@Test
	void manyThreadsGetTheAnswersOfTheirOwnSessions() throws Exception {
		CacheToolHook cache = new CacheToolHook("cache", new CacheConfig(null, null, 50),
				ToolResultCacheProvider.caffeine());
		ToolHookChain chain = new ToolHookChain(List.of(cache), List.of(cache));
		ToolExecutor echo = (call) -> ToolResult.success(call.context().sessionId() + call.arguments().get("n"));
		ExecutorService threads = Executors.newFixedThreadPool(16);
		try {
			List<CompletableFuture<Void>> runs = IntStream.range(0, 16)
				.mapToObj((session) -> CompletableFuture.runAsync(() -> {
					CallContext context = CallContext.ofSession("s" + session % 4 + "-");
					for (int i = 0; i < 2_000; i++) {
						ToolResult result = chain.execute(ToolCall.of("t", Map.of("n", i % 20), context), echo);
						assertThat(result.content()).isEqualTo("s" + session % 4 + "-" + i % 20);
					}
				}, threads))
				.toList();
			for (CompletableFuture<Void> run : runs) {
				run.get(1, TimeUnit.MINUTES);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void callsThatNeverEndAreForgotten() {
		CacheToolHook cache = cache();
		ToolCall first = call("first");
		cache.preCall(first);
		List<ToolCall> others = IntStream.range(0, CacheToolHook.MAX_UNDER_WAY).mapToObj((i) -> call("c" + i)).toList();
		others.forEach(cache::preCall);
		cache.postCall(succeeded(first));
		assertThat(this.store.getNativeCache()).isEmpty();
		cache.postCall(succeeded(others.get(0)));
		assertThat(this.store.getNativeCache()).hasSize(1);
	}

	@Test
	void outcomeOfACallThatTheHookNeverSawIsNotKept() {
		cache().postCall(succeeded(call("Rome")));
		assertThat(this.store.getNativeCache()).isEmpty();
	}

	private static ToolOutcome succeeded(ToolCall call) {
		return ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success("x"), null, Duration.ZERO);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

	private static PolicyToolHook policyAgainst(String city) {
		return new PolicyToolHook(new PolicyConfig(null, null, Map.of("city", List.of(city)), null));
	}

	private static PreToolHook changingCity(UnaryOperator<String> change) {
		return (call) -> ToolDecision
			.modify(Map.of("city", change.apply(String.valueOf(call.arguments().get("city")))));
	}

	private CacheToolHook cache() {
		return new CacheToolHook("cache", new CacheConfig(null, null, null), (hook, ttl, maxEntries) -> this.store);
	}

	private CacheToolHook cache(Scope scope) {
		return new CacheToolHook("cache", new CacheConfig(null, scope, null), (hook, ttl, maxEntries) -> this.store);
	}

	/**
	 * A cache that writes bytes, as Redis does; all of them share what was written.
	 */
	private ToolResultCacheProvider remote() {
		return (hook, ttl, maxEntries) -> new ConcurrentMapCache(hook) {

			@Override
			protected @Nullable Object lookup(Object key) {
				byte[] bytes = CacheToolHookTests.this.store.get(key, byte[].class);
				return (bytes != null) ? read(bytes) : null;
			}

			@Override
			public void put(Object key, @Nullable Object value) {
				CacheToolHookTests.this.store.put(key, write(value));
			}

		};
	}

	private static Object read(byte[] bytes) {
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
			return in.readObject();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static byte[] write(@Nullable Object value) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(value);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	private static Cache failing(String operation) {
		return new ConcurrentMapCache("failing") {

			@Override
			protected @Nullable Object lookup(Object key) {
				fail("get");
				return null;
			}

			@Override
			public void put(Object key, @Nullable Object value) {
				fail("put");
			}

			private void fail(String actual) {
				if (actual.equals(operation)) {
					throw new IllegalStateException("hunter2");
				}
			}

		};
	}

	/**
	 * A chain of hooks, of which those join the post-call list that are post-call hooks.
	 */
	private ToolHookChain chain(PreToolHook... hooks) {
		List<PostToolHook> postCall = new ArrayList<>();
		postCall.add(this.outcomes::add);
		Arrays.stream(hooks)
			.filter(PostToolHook.class::isInstance)
			.map(PostToolHook.class::cast)
			.forEach(postCall::add);
		return new ToolHookChain(List.of(hooks), postCall, this.approver);
	}

	private static ToolCall call(String city) {
		return ToolCall.of("weather", Map.of("city", city), SESSION);
	}

	private ToolResult execute(ToolHookChain chain, String city) {
		return chain.execute(call(city), this::run);
	}

	private ToolResult execute(ToolHookChain chain, String city, CallContext context) {
		return chain.execute(ToolCall.of("weather", Map.of("city", city), context), this::run);
	}

	private ToolResult run(ToolCall call) {
		this.ran.add(call);
		return this.tool.execute(call);
	}

	private List<String> ranCities() {
		return this.ran.stream().map((call) -> String.valueOf(call.arguments().get("city"))).toList();
	}

}
