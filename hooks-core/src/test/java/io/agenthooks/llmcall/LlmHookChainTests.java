package io.agenthooks.llmcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortScope;
import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.chain.HookEntry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LlmHookChain}: verdicts, their order, failures, and that a call ends
 * once.
 */
class LlmHookChainTests {

	private static final LlmCall CALL = LlmCall.of(LlmMessage.system("Be kind."), LlmMessage.user("Hello"))
		.withModel("gpt-test")
		.withTools(List.of("search"))
		.withContext(CallContext.ofSession("s1"));

	private static final LlmResponse ANSWER = new LlmResponse("Hi", List.of(), "stop", new LlmUsage(3, 1), "gpt-test",
			null);

	private final List<LlmCall> modelCalls = new ArrayList<>();

	private final List<String> asked = new ArrayList<>();

	private final List<LlmOutcome> outcomes = new ArrayList<>();

	private final List<LlmCallEvent> events = new ArrayList<>();

	private final AbortedRuns abortedRuns = new AbortedRuns();

	private LlmResponse model(LlmCall call) {
		this.modelCalls.add(call);
		return ANSWER;
	}

	@SuppressWarnings("NullAway")
	private HookEntry<PreLlmHook> deciding(String name, @Nullable LlmDecision decision) {
		return pre(name, (call) -> decision);
	}

	private HookEntry<PreLlmHook> pre(String name, PreLlmHook hook) {
		return HookEntry.<PreLlmHook>of((call) -> {
			this.asked.add(name);
			return hook.preCall(call);
		}).named(name);
	}

	private HookEntry<PreLlmHook> policy(String name, PreLlmHook hook) {
		return HookEntry.<PreLlmHook>of(new PreLlmHook() {

			@Override
			public LlmDecision preCall(LlmCall call) {
				LlmHookChainTests.this.asked.add(name);
				return hook.preCall(call);
			}

			@Override
			public boolean isRepeatable() {
				return true;
			}

		}).named(name);
	}

	private static HookEntry<LlmResponseHook> onResponse(String name, LlmResponseHook hook) {
		return HookEntry.of(hook).named(name);
	}

	private static LlmDecision denyText(LlmCall call, String text) {
		return (call.messages().stream().anyMatch((message) -> message.text().contains(text)))
				? LlmDecision.deny("no " + text) : LlmDecision.approve();
	}

	@SafeVarargs
	@SuppressWarnings("varargs")
	private LlmHookChain chain(HookEntry<PreLlmHook>... hooks) {
		return chain(List.of(hooks), List.of());
	}

	private LlmHookChain chain(List<HookEntry<PreLlmHook>> preCall, List<HookEntry<LlmResponseHook>> responses) {
		PostLlmHook recording = this.outcomes::add;
		return new LlmHookChain(preCall, responses, List.of(HookEntry.of(recording)), this.events::add,
				this.abortedRuns);
	}

	private LlmOutcome outcome() {
		assertThat(this.outcomes).hasSize(1);
		assertThat(this.events).filteredOn(LlmCallEvent.Ended.class::isInstance).hasSize(1);
		assertThat(this.events.get(0)).isInstanceOf(LlmCallEvent.Started.class);
		assertThat(this.events.get(this.events.size() - 1)).isEqualTo(new LlmCallEvent.Ended(this.outcomes.get(0)));
		return this.outcomes.get(0);
	}

	@Test
	void executeWhenNobodyObjectsAsksTheModelAndTellsTheEnd() {
		LlmResponse response = chain(deciding("a", LlmDecision.approve())).execute(CALL, this::model);
		assertThat(response).isEqualTo(ANSWER);
		assertThat(this.modelCalls).containsExactly(CALL);
		LlmOutcome outcome = outcome();
		assertThat(outcome.status()).isEqualTo(LlmCallStatus.SUCCEEDED);
		assertThat(outcome.decidedBy()).isNull();
		assertThat(outcome.response()).isEqualTo(ANSWER);
		assertThat(outcome.originalResponse()).isEqualTo(ANSWER);
	}

	@Test
	void executeWhenDeniedGivesTheReasonAndAsksNobodyElse() {
		LlmResponse response = chain(deciding("a", LlmDecision.deny("not\nnow")), deciding("b", LlmDecision.approve()))
			.execute(CALL, this::model);
		assertThat(response.text()).isEqualTo("Model call denied by hook 'a': not now");
		assertThat(response.finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
		assertThat(this.modelCalls).isEmpty();
		assertThat(this.asked).containsExactly("a");
		assertThat(outcome().status()).isEqualTo(LlmCallStatus.DENIED);
	}

	@Test
	void executeWhenModifiedGivesTheModelTheChangeButNeitherToolsNorContext() {
		LlmCall changed = CALL.withMessages(List.of(LlmMessage.user("Bye")))
			.withModel("other")
			.withOptions(Map.of("temperature", 0))
			.withTools(List.of("delete"))
			.withContext(CallContext.empty());
		chain(deciding("a", LlmDecision.modify(changed))).execute(CALL, this::model);
		assertThat(this.modelCalls).containsExactly(changed.withTools(CALL.tools()).withContext(CALL.context()));
		LlmOutcome outcome = outcome();
		assertThat(outcome.requested()).isEqualTo(CALL);
		assertThat(outcome.decidedBy()).isEqualTo("a");
		assertThat(this.events.get(1)).isEqualTo(new LlmCallEvent.Modified(CALL, this.modelCalls.get(0), "a"));
	}

	@Test
	void executeWhenAnsweredDoesNotAskTheModel() {
		LlmResponse response = chain(deciding("a", LlmDecision.respond(LlmResponse.of("cached"))),
				deciding("b", LlmDecision.deny("never asked")))
			.execute(CALL, this::model);
		assertThat(response.text()).isEqualTo("cached");
		assertThat(this.modelCalls).isEmpty();
		assertThat(this.asked).containsExactly("a");
		assertThat(outcome().status()).isEqualTo(LlmCallStatus.ANSWERED);
	}

	@Test
	void executeWhenTurnIsAbortedThrowsAndTheNextCallPasses() {
		LlmHookChain chain = chain(
				pre("a", (call) -> (this.asked.size() == 1) ? LlmDecision.abortTurn("enough") : LlmDecision.approve()));
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> chain.execute(CALL, this::model))
			.satisfies((ex) -> assertThat(ex.getScope()).isEqualTo(AbortScope.TURN))
			.withMessage("The hook 'a' aborted the turn at a model call: enough");
		assertThat(outcome().status()).isEqualTo(LlmCallStatus.ABORTED);
		assertThat(chain.execute(CALL, this::model)).isEqualTo(ANSWER);
	}

	@Test
	void executeWhenRunWasAbortedRefusesEveryLaterCallOfIt() {
		LlmHookChain chain = chain(deciding("a", LlmDecision.abortRun("enough")));
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> chain.execute(CALL, this::model));
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> chain().execute(CALL, this::model))
			.satisfies((ex) -> assertThat(ex.getHook()).isEqualTo("a"));
		assertThat(this.asked).containsExactly("a");
		assertThat(chain().execute(CALL.withContext(CallContext.ofSession("s2")), this::model)).isEqualTo(ANSWER);
	}

	@Test
	void executeWhenCallWasChangedAsksThePoliciesBeforeAgain() {
		LlmResponse response = chain(policy("p", (call) -> denyText(call, "secret")),
				pre("m", (call) -> LlmDecision.modify(call.withMessages(List.of(LlmMessage.user("secret"))))))
			.execute(CALL, this::model);
		assertThat(response.text()).isEqualTo("Model call denied by hook 'p': no secret");
		assertThat(this.asked).containsExactly("p", "m", "p");
		assertThat(this.modelCalls).isEmpty();
	}

	@Test
	void executeWhenCallIsLedToAnotherModelAsksTheHooksOfThatModelThatStandBefore() {
		LlmResponse response = chain(deciding("other", LlmDecision.deny("too dear")).forTargets("dear"::equals),
				deciding("every", LlmDecision.approve()), leadingTo("dear"))
			.execute(CALL, this::model);
		assertThat(response.text()).isEqualTo("Model call denied by hook 'other': too dear");
		assertThat(this.asked).containsExactly("every", "to dear", "other");
		assertThat(this.modelCalls).isEmpty();
	}

	@Test
	void executeWhenCallIsLedFromModelToModelAsksEachHookOfTheLastOnceAndNoOther() {
		chain(deciding("of b", LlmDecision.deny("no")).forTargets("b"::equals),
				deciding("of c", LlmDecision.approve()).forTargets("c"::equals), leadingTo("b"),
				deciding("of b and c", LlmDecision.approve()).forTargets(List.of("b", "c")::contains), leadingTo("c"),
				deciding("last", LlmDecision.approve()))
			.execute(CALL, this::model);
		assertThat(this.asked).containsExactly("to b", "of b and c", "to c", "last", "of c");
		assertThat(this.modelCalls).extracting(LlmCall::model).containsExactly("c");
	}

	@Test
	void executeWhenCallIsLedBackToItsModelAsksNoHookTwice() {
		String model = CALL.model();
		chain(deciding("of it", LlmDecision.approve()).forTargets((name) -> name.equals(model)), leadingTo("b"),
				leadingTo(String.valueOf(model)))
			.execute(CALL, this::model);
		assertThat(this.asked).containsExactly("of it", "to b", "to " + model);
	}

	private HookEntry<PreLlmHook> leadingTo(String model) {
		return pre("to " + model, (call) -> LlmDecision.modify(call.withModel(model)));
	}

	@Test
	void executeWhenCallWasAnsweredAsksThePoliciesAfterToo() {
		LlmResponse response = chain(deciding("a", LlmDecision.respond(LlmResponse.of("cached"))),
				policy("p", (call) -> denyText(call, "Hello")))
			.execute(CALL, this::model);
		assertThat(response.finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
		assertThat(this.asked).containsExactly("a", "p");
	}

	@Test
	void executeWhenPolicyWantsToChangeTheFinalCallDenies() {
		LlmResponse response = chain(
				policy("p", (call) -> LlmDecision.modify(call.withModel((call.model() != null) ? null : "x"))),
				pre("m", (call) -> LlmDecision.modify(call.withMessages(List.of()))))
			.execute(CALL, this::model);
		assertThat(response.text()).contains("denied by hook 'p'", "final");
	}

	@Test
	void executeWhenHookThrowsOrDecidesNothingDenies() {
		LlmResponse thrown = chain(pre("a", (call) -> {
			throw new StackOverflowError();
		})).execute(CALL, this::model);
		assertThat(thrown.text()).isEqualTo("Model call denied by hook 'a': The hook failed");
		assertThat(this.events).contains(new LlmCallEvent.HookFailed(CALL, "a", "java.lang.StackOverflowError"));
		LlmResponse nothing = chain(deciding("b", null)).execute(CALL, this::model);
		assertThat(nothing.text()).isEqualTo("Model call denied by hook 'b': The hook decided nothing");
		assertThat(this.modelCalls).isEmpty();
	}

	@Test
	void executeWhenHookMayFailOpenLetsTheCallPassAndSaysSo() {
		LlmResponse response = chain(pre("a", (call) -> {
			throw new IllegalStateException("secret");
		}).failingOpen()).execute(CALL, this::model);
		assertThat(response).isEqualTo(ANSWER);
		assertThat(outcome().failedOpen()).containsExactly("a");
		assertThat(this.events)
			.contains(new LlmCallEvent.FailedOpen(CALL, "a", "The hook failed with java.lang.IllegalStateException"));
	}

	@Test
	void executeWhenHookThatMayFailOpenIsAbortedInACallOfItsOwnDenies() {
		LlmHookChain inner = chain(deciding("inner", LlmDecision.abortTurn("no")));
		LlmResponse response = chain(
				pre("a", (call) -> LlmDecision.deny(inner.execute(call, this::model).text())).failingOpen())
			.execute(CALL, this::model);
		assertThat(response.text()).isEqualTo("Model call denied by hook 'a': The hook failed");
	}

	@Test
	void executeWhenHookOnlyObservesLetsTheCallPassAndSaysWhatItWouldDo() {
		LlmResponse response = chain(deciding("a", LlmDecision.deny("no").withAdditionalContext("more")).observing(),
				deciding("b", LlmDecision.modify(CALL.withModel("other"))).observing(), deciding("c", null).observing())
			.execute(CALL, this::model);
		assertThat(response).isEqualTo(ANSWER);
		assertThat(this.modelCalls).containsExactly(CALL);
		assertThat(outcome().wouldDeny()).containsExactly("a", "c");
	}

	@Test
	void executeAsksHooksForTheirModelsAndContextsOnly() {
		HookEntry<PreLlmHook> hook = deciding("a", LlmDecision.deny("no")).forTargets(Glob.anyOf("claude-*"));
		assertThat(chain(hook).execute(CALL, this::model)).isEqualTo(ANSWER);
		assertThat(chain(hook).execute(CALL.withModel("claude-test"), this::model)).isNotEqualTo(ANSWER);
		assertThat(chain(hook).execute(CALL.withModel(null), this::model)).isNotEqualTo(ANSWER);
		HookEntry<PreLlmHook> ofAgents = deciding("b", LlmDecision.deny("no"))
			.forContexts((context) -> context.agent() != null);
		assertThat(chain(ofAgents).execute(CALL, this::model)).isEqualTo(ANSWER);
		assertThat(chain(ofAgents).execute(CALL.withContext(CALL.context().withAgent("a")), this::model))
			.isNotEqualTo(ANSWER);
	}

	@Test
	void executeWhenContextIsAddedPutsItAfterWhatThePersonSaidLast() {
		LlmCall call = CALL
			.withMessages(List.of(LlmMessage.user("Hello"), new LlmMessage(LlmRole.TOOL, "42", "source")));
		chain(deciding("a", LlmDecision.approve().withAdditionalContext("It rains.")),
				deciding("b", LlmDecision.approve().withAdditionalContext("It is late.")))
			.execute(call, this::model);
		LlmCall made = this.modelCalls.get(0);
		assertThat(made.messages().get(0).text()).matches(
				"Hello\n\n<additional_context id=\"[0-9a-f]{32}\">\nIt rains.\nIt is late.\n</additional_context>");
		assertThat(made.messages().get(1)).isEqualTo(call.messages().get(1));
		assertThat(outcome().effective()).isEqualTo(made);
		assertThat(outcome().requested()).isEqualTo(call);
	}

	@Test
	void executeWhenContextIsAddedToAPromptOfNobodyMakesItAMessage() {
		chain(deciding("a", LlmDecision.approve().withAdditionalContext("It rains.")))
			.execute(CALL.withMessages(List.of(LlmMessage.system("Go."))), this::model);
		assertThat(this.modelCalls.get(0).messages()).extracting(LlmMessage::role)
			.containsExactly(LlmRole.SYSTEM, LlmRole.USER);
	}

	@Test
	void executeLetsResponseHooksReplaceAndWithholdInOrder() {
		LlmHookChain chain = chain(List.of(),
				List.of(onResponse("a", (call, response) -> LlmDecision.respond(response.withText("one"))),
						onResponse("b", (call, response) -> LlmDecision.approve()),
						onResponse("c", (call, response) -> LlmDecision.deny("saw " + response.text()))));
		LlmResponse response = chain.execute(CALL, this::model);
		assertThat(response.text()).isEqualTo("Model response withheld by hook 'c': saw one");
		assertThat(response.usage()).isEqualTo(ANSWER.usage());
		LlmOutcome outcome = outcome();
		assertThat(outcome.replacedBy()).containsExactly("a", "c");
		assertThat(outcome.originalResponse()).isEqualTo(ANSWER);
		assertThat(outcome.status()).isEqualTo(LlmCallStatus.SUCCEEDED);
	}

	@Test
	void executeWhenResponseHookFailsWithholdsTheResponse() {
		LlmResponse response = chain(List.of(), List.of(onResponse("a", (call, given) -> {
			throw new IllegalStateException("boom");
		}))).execute(CALL, this::model);
		assertThat(response.text()).isEqualTo("Model response withheld by hook 'a': The hook failed");
	}

	@Test
	void executeWhenResponseHookAbortsThrowsAndKeepsWhatTheModelAnswered() {
		LlmHookChain chain = chain(List.of(),
				List.of(onResponse("a", (call, response) -> LlmDecision.abortRun("enough"))));
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> chain.execute(CALL, this::model));
		LlmOutcome outcome = outcome();
		assertThat(outcome.status()).isEqualTo(LlmCallStatus.ABORTED);
		assertThat(outcome.originalResponse()).isEqualTo(ANSWER);
		assertThat(outcome.decidedBy()).isEqualTo("a");
		assertThat(this.abortedRuns.find(CALL.context())).isNotNull();
	}

	@Test
	void executeWhenTheModelThrowsEndsTheCallAndLetsItThrough() {
		IllegalStateException failure = new IllegalStateException("down");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> chain().execute(CALL, (call) -> {
			throw failure;
		})).isSameAs(failure);
		assertThat(outcome().status()).isEqualTo(LlmCallStatus.FAILED);
		assertThat(outcome().failure()).isSameAs(failure);
	}

	@Test
	void executeWhenTheVirtualMachineFailsInAHookThrowsIt() {
		OutOfMemoryError error = new OutOfMemoryError("test");
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> chain(pre("a", (call) -> {
			throw error;
		}).failingOpen()).execute(CALL, this::model)).isSameAs(error);
		assertThat(outcome().status()).isEqualTo(LlmCallStatus.DENIED);
	}

	@Test
	void executeWhenPostHookOrListenerThrowsChangesNothing() {
		PostLlmHook broken = (outcome) -> {
			throw new IllegalStateException("boom");
		};
		PostLlmHook recording = this.outcomes::add;
		LlmHookChain chain = new LlmHookChain(List.of(), List.of(),
				List.of(HookEntry.of(broken), HookEntry.of(recording)), (event) -> {
					throw new IllegalStateException("boom");
				}, this.abortedRuns);
		assertThat(chain.execute(CALL, this::model)).isEqualTo(ANSWER);
		assertThat(this.outcomes).hasSize(1);
	}

	@Test
	void executeWhenAHookAsksTheGuardedModelItselfEnds() {
		LlmHookChain[] chain = new LlmHookChain[1];
		chain[0] = chain(pre("judge", (call) -> LlmDecision.deny(chain[0].execute(call, this::model).text())));
		assertThat(chain[0].execute(CALL, this::model).text()).contains("too deep");
		assertThat(this.modelCalls).isEmpty();
	}

	@Test
	void finishAndFailAfterTheEndChangeNothing() {
		LlmCallInProgress progress = chain().begin(CALL);
		assertThat(progress.settled()).isNull();
		progress.cancel();
		progress.fail(new IllegalStateException("late"));
		progress.cancel();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> progress.finish(ANSWER));
		assertThat(outcome().status()).isEqualTo(LlmCallStatus.CANCELLED);
	}

	@Test
	void observingResponseHookWhoseContextsFailDoesNotWithholdWhatWasShown() {
		LlmResponseHook hook = (call, response) -> LlmDecision.deny("no");
		LlmHookChain chain = new LlmHookChain(List.of(),
				List.of(HookEntry.of(hook).observing().forContexts((context) -> {
					throw new IllegalStateException("broken");
				})), List.of(), null, new AbortedRuns());
		LlmCallInProgress call = chain.begin(CALL);
		assertThat(call.hasResponseHooks()).isFalse();
		assertThat(call.finish(LlmResponse.of("shown")).text()).isEqualTo("shown");
	}

	@Test
	void hasResponseHooksWhenOneForTheCallMayReplaceTheResponse() {
		HookEntry<LlmResponseHook> hook = onResponse("a", (call, response) -> LlmDecision.approve());
		assertThat(chain().begin(CALL).hasResponseHooks()).isFalse();
		assertThat(chain(List.of(), List.of(hook)).begin(CALL).hasResponseHooks()).isTrue();
		assertThat(chain(List.of(), List.of(hook.observing())).begin(CALL).hasResponseHooks()).isFalse();
		assertThat(chain(List.of(), List.of(hook.forTargets("other"::equals))).begin(CALL).hasResponseHooks())
			.isFalse();
	}

	@Test
	void textsOfCallsAreNotTold() {
		LlmHookChain chain = chain(
				deciding("a", LlmDecision.modify(CALL.withMessages(List.of(LlmMessage.user("pw-1"))))));
		chain.execute(CALL.withOptions(Map.of("key", "pw-2")), (call) -> LlmResponse.of("pw-3"));
		assertThat(this.events.toString() + this.outcomes).doesNotContain("pw-1", "pw-2", "pw-3");
	}

	@Test
	void thereIsNobodyToAskAboutAModelCall() {
		assertThat(LlmDecision.class.getPermittedSubclasses()).extracting(Class::getSimpleName)
			.containsExactlyInAnyOrder("Approve", "Modify", "Deny", "Respond", "Abort");
	}

}
