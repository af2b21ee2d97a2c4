package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for tools that policies hide from callers.
 */
class HiddenToolsTests {

	private static final List<String> GLOBS = List.of("*", "read_*", "delete_*", "run", "files__*", "mcp__files__read*",
			"?*", "delete-repo", "[a-m]*");

	private static final List<ToolIdentity> TOOLS = List.of(ToolIdentity.ofApplication("read_file"),
			ToolIdentity.ofApplication("delete_file"), ToolIdentity.ofApplication("run"),
			ToolIdentity.onServer("files", "read", "read"),
			ToolIdentity.onServer("files", "delete-repo", "alt_1_delete"),
			ToolIdentity.onUnknownServer("read", "read_file"), ToolIdentity.ofApplication("run "),
			ToolIdentity.ofApplication(""), ToolIdentity.onServer("other", "delete_all", "files__delete_all"));

	private static final List<String> AGENTS = List.of("a", "b", "");

	private final List<ToolCallEvent> events = new ArrayList<>();

	@Test
	void hiddenToolIsAlwaysDeniedWhenItIsCalled() {
		Random random = new Random(14);
		AtomicInteger hidden = new AtomicInteger();
		for (int i = 0; i < 3_000; i++) {
			ToolHookChain chain = chain(randomEntries(random));
			for (ToolIdentity tool : TOOLS) {
				CallContext context = CallContext.empty().withAgent(AGENTS.get(random.nextInt(3)));
				if (chain.isHiding() && chain.hides(call(tool, Map.of(), context))) {
					hidden.incrementAndGet();
					ToolResult result = chain.execute(call(tool, randomArguments(random), context), (call) -> {
						throw new AssertionError("A hidden tool ran: " + call.identity());
					});
					assertThat(result.succeeded()).isFalse();
				}
			}
		}
		assertThat(hidden).hasValueGreaterThan(1_000);
	}

	private static List<HookEntry<PreToolHook>> randomEntries(Random random) {
		List<HookEntry<PreToolHook>> entries = new ArrayList<>();
		for (int i = random.nextInt(3); i >= 0; i--) {
			PolicyToolHook policy = new PolicyToolHook(randomPolicy(random));
			HookEntry<PreToolHook> entry = HookEntry
				.<PreToolHook>of((random.nextInt(3) == 0) ? policy.forNamedServers() : policy)
				.named("policy-" + i);
			if (random.nextInt(3) == 0) {
				entry = entry.forTargets(ToolScope.ofServers("files"::equals));
			}
			if (random.nextInt(3) == 0) {
				String agent = AGENTS.get(random.nextInt(3));
				entry = entry.forContexts((context) -> agent.equals(context.agent()));
			}
			entries.add((random.nextInt(4) == 0) ? entry.observing() : entry);
		}
		if (random.nextBoolean()) {
			entries.add(0, HookEntry.<PreToolHook>of((call) -> ToolDecision.modify(Map.of("changed", true))));
		}
		if (random.nextBoolean()) {
			entries.add(0, HookEntry.<PreToolHook>of((call) -> ToolDecision.respond(ToolResult.success("mine")))
				.forContexts((context) -> "b".equals(context.agent())));
		}
		return entries;
	}

	private static PolicyConfig randomPolicy(Random random) {
		List<String> allow = (random.nextBoolean()) ? null : globs(random, random.nextInt(3));
		List<String> deny = (random.nextBoolean() && allow != null) ? null : globs(random, 1 + random.nextInt(2));
		PolicyConfig policy = new PolicyConfig(allow, deny, null, (random.nextBoolean()) ? List.of("rm -rf") : null);
		return (random.nextInt(4) > 0) ? withHide(policy) : policy;
	}

	private static List<String> globs(Random random, int size) {
		List<String> globs = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			globs.add(GLOBS.get(random.nextInt(GLOBS.size())));
		}
		return globs;
	}

	private static Map<String, Object> randomArguments(Random random) {
		return switch (random.nextInt(3)) {
			case 0 -> Map.of();
			case 1 -> Map.of("path", "a");
			default -> Map.of("command", "rm -rf /", "nested", Map.of("path", List.of(1)));
		};
	}

	@Test
	void toolIsHiddenFromWhomTheEntryIsFor() {
		ToolHookChain chain = chain(List.of(hiding("delete_*").forContexts((context) -> "a".equals(context.agent()))));
		assertThat(hides(chain, "delete_file", "a")).isTrue();
		assertThat(hides(chain, "delete_file", "b")).isFalse();
		assertThat(hides(chain, "delete_file", null)).isFalse();
		assertThat(hides(chain, "read_file", "a")).isFalse();
	}

	@Test
	void entryOnTrialHidesNothing() {
		ToolHookChain chain = chain(List.of(hiding("delete_*").observing()));
		assertThat(chain.isHiding()).isFalse();
		assertThat(hides(chain, "delete_file", "a")).isFalse();
	}

	@Test
	void policyThatDoesNotHideShowsWhatItDenies() {
		ToolHookChain chain = chain(
				List.of(entry(new PolicyConfig(null, List.of("delete_*"), null, null)), hiding("drop_*")));
		assertThat(hides(chain, "delete_file", null)).isFalse();
		assertThat(hides(chain, "drop_table", null)).isTrue();
	}

	@Test
	void toolThatOnlySomeArgumentsDenyIsShown() {
		ToolHookChain chain = chain(List.of(entry(
				withHide(new PolicyConfig(null, List.of("delete_*"), Map.of("path", List.of(".*")), List.of(".*"))))));
		assertThat(hides(chain, "read_file", null)).isFalse();
	}

	@Test
	void scopeThatFailsHidesWhatTheEntryDenies() {
		ToolHookChain chain = chain(List.of(hiding("delete_*").forContexts((context) -> {
			throw new IllegalStateException("broken");
		})));
		assertThat(hides(chain, "delete_file", null)).isTrue();
		assertThat(hides(chain, "read_file", null)).isFalse();
		ToolResult result = chain.execute(
				call(ToolIdentity.ofApplication("delete_file"), Map.of(), CallContext.empty()),
				(call) -> ToolResult.success("ran"));
		assertThat(result.succeeded()).isFalse();
	}

	@Test
	void listenerHearsOfTheToolAndOfNoCall() {
		ToolHookChain chain = chain(List.of(hiding("delete_*")));
		assertThat(hides(chain, "delete_file", "a")).isTrue();
		assertThat(hides(chain, "read_file", "a")).isFalse();
		assertThat(this.events).singleElement().isInstanceOfSatisfying(ToolCallEvent.Hidden.class, (event) -> {
			assertThat(event.hook()).isEqualTo("hiding");
			assertThat(event.call().tool()).isEqualTo("delete_file");
			assertThat(event.call().arguments()).isEmpty();
		});
	}

	static Stream<Supplier<Throwable>> failures() {
		return Stream.of(IllegalStateException::new, () -> new Exception("checked"), StackOverflowError::new,
				NoClassDefFoundError::new, AssertionError::new);
	}

	@ParameterizedTest
	@MethodSource("failures")
	void hookThatCannotSayWhetherItHidesIsAskedAndHides(Supplier<Throwable> failure) {
		ToolHookChain chain = chain(List.of(HookEntry.of(new Hiding() {

			@Override
			public boolean isHiding() {
				throw Hooks.sneaky(failure.get());
			}

			@Override
			public boolean hides(ToolCall call) {
				throw Hooks.sneaky(failure.get());
			}

		})));
		assertThat(chain.isHiding()).isTrue();
		assertThat(hides(chain, "read_file", "a")).isTrue();
		assertThat(this.events).hasSize(1);
	}

	@ParameterizedTest
	@MethodSource("failures")
	void toolIsHiddenAlsoIfWhatLearnsOfItFails(Supplier<Throwable> failure) {
		ToolHookChain chain = ToolHookChain.of(List.of(hiding("delete_*")), List.of(), List.of(), ToolApprover.nobody(),
				(event) -> {
					throw Hooks.sneaky(failure.get());
				}, new AbortedRuns());
		chain.setWatches(List.of(new CallWatch() {

			@Override
			public @Nullable WatchedCall begin(HookedCall call) {
				return null;
			}

			@Override
			public void hidden(HookEntry<?> hook, String target) {
				throw Hooks.sneaky(failure.get());
			}

		}));
		assertThat(hides(chain, "delete_file", "a")).isTrue();
		assertThat(hides(chain, "read_file", "a")).isFalse();
	}

	@ParameterizedTest
	@MethodSource("failures")
	void listenerThatCannotSayWhetherItListensChangesNoCall(Supplier<Throwable> failure) {
		List<ToolCallEvent> heard = new ArrayList<>();
		ToolHookChain chain = ToolHookChain.of(List.of(hiding("delete_*")), List.of(), List.of(), ToolApprover.nobody(),
				new ToolCallListener() {

					@Override
					public void onEvent(ToolCallEvent event) {
						heard.add(event);
					}

					@Override
					public boolean isListening() {
						throw Hooks.sneaky(failure.get());
					}

				}, new AbortedRuns());
		assertThat(hides(chain, "delete_file", "a")).isTrue();
		assertThat(heard).hasSize(1);
		assertThat(chain.execute(ToolCall.of("read_file", Map.of()), (call) -> ToolResult.success("ran")).succeeded())
			.isTrue();
	}

	@Test
	void failureOfTheVirtualMachineIsNotHidden() {
		ToolHookChain chain = chain(List.of(HookEntry.of(new Hiding() {

			@Override
			public boolean hides(ToolCall call) {
				throw new OutOfMemoryError("simulated");
			}

		})));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> hides(chain, "read_file", "a"));
	}

	@Test
	void policyThatHidesAndDeniesNoToolIsRefused() {
		PolicyConfig nothing = withHide(new PolicyConfig(null, null, Map.of("path", List.of("x")), null));
		assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> new PolicyToolHook(nothing))
			.withMessageContaining("Nothing would be hidden");
	}

	private static boolean hides(ToolHookChain chain, String tool, @Nullable String agent) {
		return chain.hides(call(ToolIdentity.ofApplication(tool), Map.of(), CallContext.empty().withAgent(agent)));
	}

	private static ToolCall call(ToolIdentity tool, Map<String, Object> arguments, CallContext context) {
		return ToolCall.of("1", tool, arguments, context);
	}

	private static HookEntry<PreToolHook> hiding(String glob) {
		return entry(withHide(new PolicyConfig(null, List.of(glob), null, null))).named("hiding");
	}

	private static PolicyConfig withHide(PolicyConfig lists) {
		return new PolicyConfig(lists.allowTools(), lists.denyTools(), lists.denyArgumentPatterns(),
				lists.denyAnyArgumentPatterns(), null, null, null, null, null, null, true, false, null, null, null,
				null, null, null, null, null, null);
	}

	private static HookEntry<PreToolHook> entry(PolicyConfig config) {
		return HookEntry.of(new PolicyToolHook(config));
	}

	private ToolHookChain chain(List<HookEntry<PreToolHook>> entries) {
		return ToolHookChain.of(entries, List.of(), List.of(), ToolApprover.nobody(), this.events::add,
				new AbortedRuns());
	}

	private abstract static class Hiding implements HidingHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.deny("no");
		}

	}

}
