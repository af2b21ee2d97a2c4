package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatRuntimeException;

/**
 * Tests for {@link ProvedEntries}: what it does with a hook that does not come to an end.
 */
@Timeout(60)
class ProvedEntriesTests {

	@Test
	void hookThatGivesNoAnswerInTimeIsInterruptedAndStopsTheStart() throws InterruptedException {
		CountDownLatch interrupted = new CountDownLatch(1);
		PreToolHook hangs = (call) -> {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
			return ToolDecision.approve();
		};
		assertThatRuntimeException().isThrownBy(() -> proofs(hangs).prove())
			.withMessageContaining("application.yaml:7:9")
			.withMessageContaining("it gave no answer within 0 s")
			.withMessageNotContaining("sEcReT");
		assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void hookThatThrowsStopsTheStartWithoutWhatItSays() {
		PreToolHook broken = (call) -> {
			throw new IllegalStateException("about " + call.arguments());
		};
		assertThatRuntimeException().isThrownBy(() -> proofs(broken).prove())
			.withMessageContaining("it failed with java.lang.IllegalStateException")
			.withMessageNotContaining("sEcReT");
	}

	private static ProvedEntries proofs(PreToolHook hook) {
		ConfiguredHooks.Proof proof = new ConfiguredHooks.Proof("Bash", Map.of("command", "sEcReT"),
				"hooks.tool_call.pre_call[0].prove", "application.yaml:7:9");
		assertThat(proof.toString()).doesNotContain("sEcReT");
		ConfiguredHooks.Entry<ToolHook> entry = new ConfiguredHooks.Entry<>(hook, "gate", "command",
				"application.yaml:6:9", HookOptions.defaults(), true, true, List.of(proof),
				(path) -> "application.yaml:6:9");
		return new ProvedEntries(List.of(entry), Duration.ofMillis(50));
	}

}
