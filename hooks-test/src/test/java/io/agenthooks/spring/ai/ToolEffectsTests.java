package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ToolEffect;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code hooks.tool_call.effects}, and for effects beside methods of tools.
 */
class ToolEffectsTests {

	private static final String EFFECTS = "hooks.tool_call.effects.";

	private static final String[] DEFAULTS = { EFFECTS + "read=approve", EFFECTS + "write=ask",
			EFFECTS + "destructive=deny", EFFECTS + "external=ask", EFFECTS + "unknown=ask",
			EFFECTS + "tools.read[0]=get_*", EFFECTS + "tools.write[0]=get_and_set",
			EFFECTS + "tools.destructive[0]=drop_*" };

	@ParameterizedTest
	@CsvSource({ "get_order, runs", "get_and_set, asked", "drop_table, denied", "other, asked", "find, runs",
			"save, asked", "erase, denied", "drop_mixed, denied", "refused, denied" })
	void strictestEffectOfAToolCounts(String tool, String decision) {
		assertThat(
				decisions(runner().withBean(Shop.class).withPropertyValues(DEFAULTS), ToolIdentity.ofApplication(tool)))
			.containsExactly(decision);
	}

	@Test
	void effectsAreAnEntryOfTheChainLikeAnyOther() {
		runner().withBean(Shop.class)
			.withPropertyValues(DEFAULTS)
			.run((context) -> assertThat(context.getBean(ToolHooks.class).list())
				.extracting((hook) -> hook.type() + " " + hook.name())
				.contains("policy effects", "policy ToolEffectsTests.Shop.erase",
						"passthrough ToolEffectsTests.Shop.find"));
	}

	@Test
	void hintsOfAServerMakeItsToolsStricterAndNeverLooser() {
		ApplicationContextRunner runner = runner().withBean(Shop.class).withPropertyValues(DEFAULTS);
		assertThat(decisions(runner, onServer("shop", "list", new ToolHints(true, false, true, false)),
				onServer("shop", "list", new ToolHints(true, true, null, null)),
				onServer("shop", "list", new ToolHints(false, false, null, true)),
				onServer("shop", "list", ToolHints.none())))
			.containsExactly("asked", "denied", "asked", "asked");
		assertThat(decisions(
				runner().withPropertyValues(EFFECTS + "unknown=approve", EFFECTS + "external=deny",
						EFFECTS + "destructive=ask"),
				onServer("shop", "list", new ToolHints(true, null, null, true)),
				onServer("shop", "list", new ToolHints(true, true, null, null)),
				onServer("shop", "list", ToolHints.none())))
			.containsExactly("denied", "asked", "runs");
		assertThat(decisions(runner().withPropertyValues(EFFECTS + "unknown=approve", EFFECTS + "write=deny"),
				onServer("shop", "list", new ToolHints(false, null, null, null)),
				onServer("shop", "list", new ToolHints(true, null, null, null))))
			.containsExactly("denied", "runs");
	}

	@Test
	void toolOfAServerDoesNotBecomeKnownByANameThatItChooses() {
		ApplicationContextRunner runner = runner().withBean(Shop.class)
			.withPropertyValues(DEFAULTS)
			.withPropertyValues(EFFECTS + "tools.read[1]=shop__list");
		assertThat(decisions(runner, onServer("evil", "find", ToolHints.none()),
				onServer("evil", "get_order", ToolHints.none()), onServer("evil", "erase", ToolHints.none()),
				onServer("shop", "list", ToolHints.none()), ToolIdentity.onUnknownServer("find", "find")))
			.containsExactly("asked", "asked", "denied", "runs", "asked");
	}

	@Test
	void approvedEffectSkipsNoOtherHook() {
		assertThat(decisions(
				runner().withBean(Shop.class)
					.withPropertyValues(DEFAULTS)
					.withPropertyValues("hooks.tool_call.pre_call[0].type=policy",
							"hooks.tool_call.pre_call[0].config.deny_tools[0]=find"),
				ToolIdentity.ofApplication("find")))
			.containsExactly("denied");
	}

	@Test
	void effectThatIsNotWrittenIsTreatedAsUnknown() {
		assertThat(decisions(
				runner().withPropertyValues(EFFECTS + "unknown=deny", EFFECTS + "read=approve",
						EFFECTS + "tools.write[0]=put", EFFECTS + "tools.read[0]=get"),
				ToolIdentity.ofApplication("put"), ToolIdentity.ofApplication("get")))
			.containsExactly("denied", "runs");
	}

	@ParameterizedTest
	@EnumSource
	void effectOfAnObjectThatIsNoBeanDeniesEachCall(Way way) {
		Application.run(runner().withPropertyValues(DEFAULTS).withPropertyValues(EFFECTS + "unknown=approve"),
				(application) -> {
					application.model().calls("erase", "{}").says("done");
					way.ask(application.client().prompt().user("Go").tools(new Shop()));
					assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
					assertThat(application.model().replies()).singleElement()
						.asString()
						.contains("not among the hooks");
				});
	}

	@Test
	void effectOfABeanDecidesAboutItsCalls() {
		Application.run(runner().withBean(Shop.class).withPropertyValues(DEFAULTS), (application) -> {
			application.model().calls("find", "{}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(application.context().getBean(Shop.class)));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.SUCCEEDED);
		});
	}

	@Test
	void effectFromWhichNothingFollowsStopsTheStart() {
		runner().withBean(Shop.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("@ToolPolicy(effect)")
				.hasMessageContaining("ToolEffectsTests.Shop.erase")
				.satisfies(saying("hooks.tool_call.effects: {")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknwon=ask -> 'unknown'", "unknown=aks -> ask", "tools.raed[0]=a -> 'read'",
			"read=approve -> Write 'unknown: ask'", "tools.read[0]= -> tools.read" })
	void mistakesStopTheStartAndSayWhatToWrite(String mistake) {
		String[] parts = mistake.split(" -> ", -1);
		ApplicationContextRunner runner = runner().withPropertyValues(EFFECTS + parts[0]);
		((parts[0].startsWith("tools")) ? runner.withPropertyValues(EFFECTS + "unknown=ask") : runner)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("effects")
				.satisfies(saying(parts[1])));
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown=approve", "write=approve", "destructive=ask", "tools.read[0]=*",
			"tools.write[0]=other", "tools.destructive[0]=drop_table" })
	void sourceThatOpensWhatAnotherHoldsStopsTheStartUnlessItSaysSo(String option) {
		ApplicationContextRunner runner = over(EFFECTS + option);
		runner.run((context) -> assertThat(context).getFailure()
			.satisfies(saying("opens what the effects of"))
			.satisfies(saying("replaces: [effects]")));
		runner.withPropertyValues("hooks.tool_call.replaces=effects")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown=deny", "read=ask", "tools.external[0]=mail", "tools.destructive[0]=drop_*" })
	void sourceMayBeStricterThanAnother(String option) {
		over(EFFECTS + option).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void environmentVariableThatOpensStopsTheStartToo() {
		over(EFFECTS + "read=approve")
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("HOOKS_TOOLCALL_EFFECTS_UNKNOWN", "approve"))))
			.run((context) -> assertThat(context).getFailure()
				.satisfies(saying("opens what the effects of"))
				.satisfies(saying("HOOKS_TOOLCALL_EFFECTS_UNKNOWN")));
	}

	@Test
	void otherSpellingOfAKeyStopsTheStart() {
		over(EFFECTS + "UNKNOWN=approve")
			.run((context) -> assertThat(context).getFailure().satisfies(saying("in another spelling")));
	}

	@Test
	void sourceOverOneThatCannotBeReadStopsTheStart() {
		over(EFFECTS + "unknown=ask").withInitializer((context) -> {
			Map<String, Object> base = new LinkedHashMap<>();
			base.put(EFFECTS + "unknown", "${UNKNOWN_EFFECT}");
			context.getEnvironment().getPropertySources().replace("base", new MapPropertySource("base", base));
		}).run((context) -> assertThat(context).getFailure().satisfies(saying("opens what the effects of")));
	}

	/** Of what Spring Boot prints when the start has failed. */
	private static Consumer<Throwable> saying(String part) {
		return (failure) -> assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, FailureHandler.handleMessage((message, ex) -> {
				// One that needs the context.
			}))
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.map((analysis) -> analysis.getDescription() + "\n" + analysis.getAction())).first()
			.asString()
			.contains(part);
	}

	private static ApplicationContextRunner over(String option) {
		Map<String, Object> base = new LinkedHashMap<>();
		for (String each : DEFAULTS) {
			base.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
		}
		return runner().withInitializer(
				(context) -> context.getEnvironment().getPropertySources().addLast(new MapPropertySource("base", base)))
			.withPropertyValues(option);
	}

	private static ToolIdentity onServer(String server, String name, ToolHints hints) {
		return ToolIdentity.onServer(server, name, name).withHints(hints);
	}

	private static List<String> decisions(ApplicationContextRunner runner, ToolIdentity... tools) {
		List<String> decisions = new ArrayList<>();
		List<ToolCall> asked = new ArrayList<>();
		runner.withBean(ToolApprover.class, () -> (call, question) -> {
			asked.add(call);
			return ToolDecision.deny("No");
		}).run((context) -> {
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			for (ToolIdentity tool : tools) {
				asked.clear();
				Map<String, @Nullable Object> arguments = Map.of();
				boolean ran = chain
					.execute(ToolCall.of("1", tool, arguments, CallContext.empty()), (call) -> ToolResult.success("ok"))
					.succeeded();
				decisions.add((ran) ? "runs" : (asked.isEmpty()) ? "denied" : "asked");
			}
		});
		return decisions;
	}

	private static ApplicationContextRunner runner() {
		return Application.runner();
	}

	static class Shop {

		@Tool(description = "Finds")
		@ToolPolicy(effect = ToolEffect.READ)
		String find() {
			return "done";
		}

		@Tool(description = "Saves")
		@ToolPolicy(effect = { ToolEffect.READ, ToolEffect.WRITE })
		String save() {
			return "done";
		}

		@Tool(description = "Erases")
		@ToolPolicy(effect = ToolEffect.DESTRUCTIVE)
		String erase() {
			return "done";
		}

		@Tool(name = "drop_mixed", description = "Reads, it says")
		@ToolPolicy(effect = ToolEffect.READ)
		String mixed() {
			return "done";
		}

		@Tool(description = "Reads, and is refused")
		@ToolPolicy(effect = ToolEffect.READ, deny = "true")
		String refused() {
			return "done";
		}

	}

}
