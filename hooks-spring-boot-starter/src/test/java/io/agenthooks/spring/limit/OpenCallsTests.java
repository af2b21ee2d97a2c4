package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.chain.Nesting;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OpenCalls}.
 */
class OpenCallsTests {

	private final OpenCalls<Integer> open = new OpenCalls<>();

	@Test
	void whatIsRememberedIsFoundOnTheThreadOfTheCallAndByItsIdOnAll() throws Exception {
		ToolCall call = ToolCall.of("pay", Map.of(), CallContext.ofSession("s"));
		this.open.add(call, 1);
		assertThat(this.open.find(call.withArguments(Map.of("a", 1)))).isOne();
		assertThat(this.open.find(ToolCall.of(call.id(), "pay", Map.of(), CallContext.ofSession("s")))).isNull();
		assertThat(this.open.find(ToolCall.of(call.id(), "refund", Map.of(), call.context()))).isNull();
		onAnotherThread(() -> {
			assertThat(this.open.contains(call)).isTrue();
			assertThat(this.open.contains(call.withArguments(Map.of("a", 1)))).isTrue();
			assertThat(this.open.contains(ToolCall.of(call.id(), "refund", Map.of(), call.context()))).isFalse();
			assertThat(this.open.contains(ToolCall.of(call.id(), "pay", Map.of(), CallContext.ofSession("t"))))
				.isFalse();
			assertThat(this.open.find(call)).isNull();
			assertThat(this.open.remove(call)).isNull();
			return true;
		});
		assertThat(this.open.remove(call)).isOne();
		assertThat(this.open.remove(call)).isNull();
		assertThat(this.open.contains(call)).isFalse();
		assertThat(this.open.size()).isZero();
	}

	@Test
	void whatAThreadLeftThatDiedKeepsNobodyOut() throws Exception {
		ToolCall call = ToolCall.of("pay", Map.of());
		Thread dying = new Thread(() -> this.open.add(call, 1));
		dying.start();
		dying.join();
		this.open.add(call, 2);
		assertThat(this.open.size()).isOne();
		assertThat(this.open.remove(call)).isEqualTo(2);
		assertThat(this.open.size()).isZero();
	}

	@Test
	void callInsideOfAnotherIsNeverTakenForIt() {
		ToolCall call = ToolCall.of("pay", Map.of());
		Nesting nesting = Nesting.ofThisThread();
		this.open.add(call, 1);
		nesting.enter();
		try {
			assertThat(this.open.find(call)).isNull();
			assertThat(this.open.remove(call)).isNull();
			this.open.add(call, 2);
			assertThat(this.open.remove(call)).isEqualTo(2);
			assertThat(this.open.remove(call)).isNull();
		}
		finally {
			nesting.leave();
		}
		assertThat(this.open.remove(call)).isOne();
	}

	/**
	 * They are all in one group.
	 */
	@Test
	void callsThatRunAreNotForgottenForIdsOfOneHash() {
		List<ToolCall> calls = IntStream.range(0, 4_096)
			.mapToObj((i) -> IntStream.range(0, 12)
				.mapToObj((bit) -> ((i >> bit & 1) == 0) ? "Aa" : "BB")
				.collect(Collectors.joining()))
			.map((id) -> ToolCall.of(id, "pay", Map.of(), CallContext.ofSession("s")))
			.toList();
		assertThat(calls.stream().map((call) -> call.id().hashCode()).distinct()).hasSize(1);
		calls.forEach((call) -> this.open.add(call, 1));
		assertThat(calls).allMatch((call) -> this.open.remove(call) != null);
		assertThat(this.open.size()).isZero();
	}

	@Test
	void callsOfDeadThreadsAreForgottenBeforeAnyThatRuns() throws Exception {
		ToolCall running = ToolCall.of("pay", Map.of());
		Thread dying = new Thread(() -> abandon(OpenCalls.MAX));
		this.open.add(running, 1);
		dying.start();
		dying.join();
		abandon(OpenCalls.MAX / 2);
		assertThat(this.open.size()).isBetween(OpenCalls.MAX / 2, OpenCalls.MAX);
		assertThat(this.open.remove(running)).isOne();
	}

	@Test
	void callsWithoutAnEndAreBounded() {
		abandon(2 * OpenCalls.MAX + OpenCalls.MAX / 2);
		assertThat(this.open.size()).isLessThan(2 * OpenCalls.MAX + OpenCalls.MAX / 10);
	}

	private void abandon(int calls) {
		CallContext context = CallContext.ofSession("s");
		for (int i = 0; i < calls; i++) {
			this.open.add(ToolCall.of("id" + i, "pay", Map.of(), context), i);
		}
	}

	/**
	 * Few ids, so that calls are inside of each other, and very many, so that they have
	 * no slots of their own.
	 */
	@Test
	void isWhatAListOfAllCallsWouldBe() {
		for (int ids : new int[] { 1, 3, 40, 3_000 }) {
			like(new Random(ids), ids);
		}
		assertThat(this.open.size()).isZero();
	}

	@Test
	void threadsThatHaveTheSameIdsDoNotSeeEachOther() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Callable<Boolean>> all = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				int seed = i;
				all.add(() -> {
					like(new Random(seed), (seed % 2 == 0) ? 3 : 2_000);
					return true;
				});
			}
			for (Future<Boolean> one : threads.invokeAll(all)) {
				assertThat(one.get()).isTrue();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.open.size()).isZero();
	}

	@SuppressWarnings("ReferenceEquality") // the context of another call may equal it
	private void like(Random random, int ids) {
		List<CallContext> contexts = List.of(CallContext.ofSession("s"), CallContext.ofSession("s"));
		List<ToolCall> calls = IntStream.range(0, 2 * ids)
			.mapToObj((i) -> ToolCall.of("id" + i % ids, "pay", Map.of(), contexts.get(i / ids)))
			.toList();
		List<Noted> all = new ArrayList<>();
		for (int i = 0; i < 4_000; i++) {
			ToolCall call = calls.get(random.nextInt(calls.size()));
			int own = -1;
			for (int j = 0; j < all.size(); j++) {
				own = (all.get(j).call() == call) ? j : own;
			}
			switch (random.nextInt((all.size() > 500) ? 8 : 5)) {
				case 0, 1 -> {
					all.add(new Noted(call, i));
					this.open.add(call, i);
				}
				case 2 -> assertThat(this.open.find(call)).isEqualTo((own >= 0) ? all.get(own).what() : null);
				case 3 -> assertThat(this.open.contains(call) || own < 0).isTrue();
				default -> {
					Integer expected = (own >= 0) ? all.remove(own).what() : null;
					assertThat(this.open.remove(call)).isEqualTo(expected);
				}
			}
		}
		while (!all.isEmpty()) {
			Noted last = all.remove(all.size() - 1);
			assertThat(this.open.remove(last.call())).isEqualTo(last.what());
		}
	}

	private static void onAnotherThread(Callable<Boolean> work) throws Exception {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try {
			assertThat(thread.submit(work).get()).isTrue();
		}
		finally {
			thread.shutdownNow();
		}
	}

	/**
	 * What a list would remember.
	 */
	private record Noted(ToolCall call, Integer what) {
	}

}
