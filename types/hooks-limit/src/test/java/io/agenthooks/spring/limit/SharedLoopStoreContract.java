package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import io.agenthooks.Verdict;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.limit.LoopConfig.Steps;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.UnusableAnswerException;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every {@link LoopStore} promises that nodes share.
 */
abstract class SharedLoopStoreContract extends LoopStoreContract {

	/** Everything that lies in the store, as text, one for each run. */
	abstract List<String> everything();

	private LoopStore watched(LoopConfig config) {
		return LoopStore.open(LoopSettings.entry("loops"), LoopSettings.of(config), SharedLimits.LEASE,
				TestStates.watched(states()));
	}

	/** Puts something else in the place of what is kept of each run. */
	abstract void replace(String kept);

	/**
	 * Whatever order calls begin and end in, and however long they take.
	 */
	@Test
	void answersAreThoseOfTheMemoryStore() {
		LoopConfig config = new LoopConfig(new Steps(2, 4, 6), new Steps(4, 6, 8), new Steps(2, 3, 5),
				new Steps(20, 25, 30), null, null, Duration.ofMinutes(30), null);
		LoopSettings settings = LoopSettings.of(config);
		LoopStore memory = LoopStore.open("memory", settings, SharedLimits.LEASE,
				MemoryState.store(() -> this.clock.get() * 1_000));
		LoopStore[] nodes = { open(config), open(config) };
		Random random = new Random(1);
		List<Running> running = new ArrayList<>();
		int denied = 0;
		for (int i = 0; i < 400; i++) {
			LoopStore node = nodes[random.nextInt(2)];
			pass((random.nextInt(60) == 0) ? Duration.ofMinutes(random.nextInt(45))
					: Duration.ofSeconds(random.nextInt(20)));
			String run = "run" + random.nextInt(2);
			String tool = "tool" + random.nextInt(2);
			String call = tool + "-" + random.nextInt(2);
			switch (random.nextInt(5)) {
				case 0, 1 -> {
					LoopStore.Entered answer = node.enter(run, call, tool);
					LoopStore.Entered right = memory.enter(run, call, tool);
					assertThat(answer.looked()).isEqualTo(right.looked());
					denied += (answer.looked().finding().passes()) ? 0 : 1;
					if (answer.looked().finding().passes()) {
						running.add(new Running(answer.run(), right.run(), call, tool));
					}
				}
				case 2 -> assertThat(node.look(run, call, tool)).isEqualTo(memory.look(run, call, tool));
				default -> {
					if (!running.isEmpty()) {
						end(random, running.remove(random.nextInt(running.size())), node, memory);
					}
				}
			}
		}
		assertThat(denied).isBetween(20, 200);
	}

	private static void end(Random random, Running ended, LoopStore node, LoopStore memory) {
		if (random.nextInt(8) == 0) {
			node.leave(ended.run());
			memory.leave(ended.same());
			return;
		}
		String result = "result" + random.nextInt(4) / 3;
		Boolean failed = (random.nextInt(4) == 0) ? null : Boolean.valueOf(random.nextBoolean());
		node.end(ended.run(), ended.call(), ended.tool(), result, failed);
		memory.end(ended.same(), ended.call(), ended.tool(), result, failed);
	}

	@Test
	void restartForgetsNothing() {
		LoopConfig config = repeats(0, 2, 0);
		assertThat(node(config).passes("read")).isTrue();
		assertThat(node(config).passes("read")).isTrue();
		assertThat(node(config).passes("read")).isFalse();
		// With other numbers it is the same run.
		assertThat(node(repeats(0, 4, 0)).passes("read")).isTrue();
		assertThat(node(repeats(0, 4, 0)).passes("read")).isFalse();
	}

	@Test
	void noTextOfCallsResultsSessionsOrRunsLiesInTheStore() {
		LoopNode node = node(DEFAULTS);
		node.execute("tool-of-ada", 4711, "result-of-ada 4711");
		node.execute(LoopNode.call("tool-of-ada", 4711), (call) -> ToolResult.failure("failure-of-ada"));
		assertThat(everything()).singleElement()
			.asString()
			.doesNotContain("of-ada", "4711", "loops")
			.hasSizeBetween(100, 500);
	}

	@Test
	void explainingLeavesNoTrace() {
		LoopNode node = node(DEFAULTS);
		assertThat(node.explain("read")).isEqualTo(Verdict.APPROVE);
		assertThat(everything()).isEmpty();
		node.passes("read");
		List<String> before = everything();
		pass(Duration.ofMinutes(1));
		node.explain("read");
		assertThat(everything()).isEqualTo(before);
	}

	@Test
	void runIsBounded() {
		LoopStore store = open(DEFAULTS);
		for (int i = 0; i < 2 * RunCalls.MAX; i++) {
			String digest = "%022d".formatted(i);
			LoopStore.Run run = store.enter("run", digest, digest).run();
			store.end(run, digest, digest, digest, true);
		}
		assertThat(everything()).singleElement().asString().hasSizeBetween(4_000, 6_500);
		assertThat(open(DEFAULTS).look("run", "%022d".formatted(2 * RunCalls.MAX - 1), "x").left()).isEqualTo(18);
	}

	@Test
	void onlySomeRunsAreRememberedAndThoseThatWereUsedLast() {
		LoopConfig config = new LoopConfig(NEVER, NEVER, new Steps(0, 1, 0), null, null, 3, null, null);
		LoopStore store = open(config);
		for (int i = 0; i < 8; i++) {
			pass(Duration.ofSeconds(1));
			store.end(store.enter("run" + i, "call", "tool").run(), "call", "tool", "same", true);
			pass(Duration.ofSeconds(1));
			assertThat(store.enter("run0", "call", "tool").looked().finding().passes()).isFalse();
		}
		assertThat(everything()).hasSize(3);
		for (String run : List.of("run0", "run6", "run7")) {
			assertThat(store.look(run, "call", "tool").finding().passes()).isFalse();
		}
		assertThat(store.look("run5", "call", "tool").finding().passes()).isTrue();
	}

	@Test
	void whatCannotBeReadDeniesAndIsDown() {
		LoopConfig config = repeats(0, 5, 0);
		LoopStore store = watched(config);
		LoopNode node = new LoopNode(store, config);
		assertThat(node.hook.health().state()).isEqualTo(HookHealth.State.UNKNOWN);
		assertThat(node.passes("read")).isTrue();
		assertThat(node.hook.health().state()).isEqualTo(HookHealth.State.UP);
		LoopStore.Run run = store.enter("run", "call", "tool").run();
		for (String garbage : List.of("", "1;;;;;;", "call-of-ada", "1;1;1;a:b;;a:b:0;")) {
			replace(garbage);
			LoopNode other = new LoopNode(watched(config), config);
			for (int i = 0; i < 3; i++) {
				assertThat(other.passes("read")).isFalse();
			}
			assertThat(other.hook.health().state()).isEqualTo(HookHealth.State.DOWN);
			for (LoopStore each : List.of(store, open(config))) {
				assertThatExceptionOfType(UnusableAnswerException.class)
					.isThrownBy(() -> each.enter("run", "call", "tool"))
					.withMessageNotContaining("of-ada");
				assertThatExceptionOfType(UnusableAnswerException.class)
					.isThrownBy(() -> each.end(run, "call", "tool", "same", false));
				assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> each.leave(run));
				assertThatExceptionOfType(UnusableAnswerException.class)
					.isThrownBy(() -> each.look("run", "call", "tool"));
			}
			assertThat(node.passes("read")).isFalse();
		}
		replace("1;3;1;a:b;;a:b:3;");
		assertThat(node.passes("read")).isTrue();
		assertThat(node.hook.health().state()).isEqualTo(HookHealth.State.UP);
	}

	/**
	 * A call that runs.
	 *
	 * @param run its run
	 * @param same the same in the memory of a node
	 */
	private record Running(LoopStore.Run run, LoopStore.Run same, String call, String tool) {
	}

}
