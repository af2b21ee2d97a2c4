package io.agenthooks.spring.langchain4j;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolExecutor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.PayloadApplicationEvent;

import io.agenthooks.CallContext;
import io.agenthooks.spring.WrapsNoTool;
import io.agenthooks.spring.ai.SpringAiApprovals;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalChangedEvent;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for calls of AI services that wait for people, from the question to the answer of
 * the model, with a database in a file and a restart in between.
 */
class AiServiceResumeTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@EnumSource
	void approvedCallRunsOnceAfterARestartAndTheConversationGoesOn(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.read("a"), ResumingApplication.send("bob"),
				ResumingApplication.read("b"));
		String id = application.askInVain(model);
		assertThat(application.sent).isEmpty();
		application.with(model).run((context) -> {
			ResumingApplication.approve(context, id);
			ResumedMessages turn = ResumingApplication.resume(context, id);
			assertThat(application.sent).containsExactly("bob");
			assertThat(turn.isComplete()).isTrue();
			assertThat(turn.pending()).isEmpty();
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CLAIMED);
			assertThat(turn.messages()).hasSize(5).first().isEqualTo(UserMessage.from("Go"));
			assertThat(texts(turn.messages())).containsExactly("Content of a", "Sent to bob", "Content of b");
			assertThat(ResumingApplication.failures(turn.messages())).containsExactly(false, false, false);
			assertThat(turn.putInto(application.memory("s"))).isTrue();
			assertThat(application.memory("s").messages()).isEqualTo(turn.messages());
			assertThat(application.ask(context)).isEqualTo("Done");
			assertThat(texts(model.requests().get(1).messages())).containsExactly("Content of a", "Sent to bob",
					"Content of b");
		});
	}

	@ParameterizedTest
	@EnumSource
	void resumedCallIsNotRunAgain(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		String id = application.askInVain(model);
		application.with(model).run((context) -> {
			ResumingApplication.approve(context, id);
			List<ChatMessage> first = ResumingApplication.resume(context, id).messages();
			assertThat(ResumingApplication.resume(context, id).messages()).isEqualTo(first);
			assertThat(application.sent).containsExactly("bob");
		});
		application.with(model).run((context) -> {
			assertThat(texts(ResumingApplication.resume(context, id).messages())).containsExactly("Sent to bob");
			assertThat(application.sent).containsExactly("bob");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callThatNobodyHasDecidedAboutDoesNotRun(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		String id = application.askInVain(model);
		application.with(model).run((context) -> {
			assertRefused(Reason.NOT_DECIDED, () -> ResumingApplication.resume(context, id));
			assertRefused(Reason.UNKNOWN, () -> ResumingApplication.resume(context, "other"));
			assertThat(application.sent).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void editThatTheToolDoesNotAcceptIsRefusedAtOnceAndTheQuestionStays(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		String id = application.askInVain(model);
		application.with(model).run((context) -> {
			assertThatExceptionOfType(ApprovalRefusedException.class)
				.isThrownBy(() -> ResumingApplication.edit(context, id, "{\"to\":[\"eve\"]}"))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.INVALID_EDIT))
				.satisfies((ex) -> assertThat(ex.mistakes()).singleElement()
					.asString()
					.contains("break the schema of the tool: /to")
					.doesNotContain("eve"));
			assertThat(context.getBean(ToolApprovals.class).find(id).orElseThrow().state())
				.isEqualTo(ApprovalState.PENDING);
			ResumingApplication.edit(context, id, "{\"to\":\"eve\"}");
			ResumedMessages unused = ResumingApplication.resume(context, id);
			assertThat(application.sent).containsExactly("eve");
		});
	}

	@ParameterizedTest
	@EnumSource
	void turnIsCompleteWhenEachCallHasAResult(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"), ResumingApplication.send("eve"));
		application.with(model).run((context) -> {
			List<String> ids = application.askInVain(context);
			assertThat(ids).hasSize(2);
			ResumingApplication.approve(context, ids.get(0));
			ResumedMessages first = ResumingApplication.resume(context, ids.get(0));
			assertThat(first.isComplete()).isFalse();
			assertThat(first.pending()).containsExactly(ids.get(1));
			assertThat(texts(first.messages())).satisfiesExactly((text) -> assertThat(text).isEqualTo("Sent to bob"),
					(text) -> assertThat(text).contains("waits for the approval of a person", ids.get(1)));
			assertThat(first.putInto(application.memory("s"))).isTrue();
			ResumingApplication.deny(context, ids.get(1), "Not to her");
			ResumedMessages second = ResumingApplication.resume(context, ids.get(1));
			assertThat(second.isComplete()).isTrue();
			assertThat(second.putInto(application.memory("s"))).isTrue();
			assertThat(application.memory("s").messages()).isEqualTo(second.messages());
			assertThat(texts(second.messages())).satisfiesExactly((text) -> assertThat(text).isEqualTo("Sent to bob"),
					(text) -> assertThat(text).contains("A person denied this call: Not to her"));
			assertThat(ResumingApplication.failures(second.messages())).containsExactly(false, true);
			assertThat(application.sent).containsExactly("bob");
		});
	}

	@ParameterizedTest
	@EnumSource
	void sameCallTwiceInABatchRunsOnce(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"), ResumingApplication.send("bob"));
		application.with(model).run((context) -> {
			String id = application.askInVain(context).get(0);
			ResumingApplication.approve(context, id);
			ResumedMessages turn = ResumingApplication.resume(context, id);
			assertThat(turn.isComplete()).isTrue();
			assertThat(turn.putInto(application.memory("s"))).isTrue();
			assertThat(application.memory("s").messages()).isEqualTo(turn.messages());
			assertThat(ResumingApplication.failures(turn.messages())).containsExactly(false, true);
			assertThat(application.sent).containsExactly("bob");
		});
	}

	/**
	 * LangChain4j waits only for the last of calls that are equal, also in their ids. The
	 * first asks people here, and goes on when the turn is over.
	 */
	@Test
	void callThatAskedAndComesWhenTheTurnIsKeptLeavesTheQuestionOfAnEqualOne() {
		ResumingApplication application = new ResumingApplication(this.folder, Way.SYNC);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"), ResumingApplication.send("bob"));
		CompletableFuture<Void> asked = new CompletableFuture<>();
		CompletableFuture<Void> over = new CompletableFuture<>();
		List<CompletableFuture<Void>> late = new ArrayList<>();
		Executor executor = (call) -> {
			if (late.isEmpty()) {
				late.add(CompletableFuture.runAsync(call));
			}
			else {
				asked.orTimeout(30, TimeUnit.SECONDS).join();
				call.run();
			}
		};
		application.withoutAgent()
			.withBean(Way.Assistant.class,
					() -> application.service(model)
						.executeToolsConcurrently(executor)
						.tools(new ResumingApplication.Mails(application.sent))
						.build())
			.withInitializer((context) -> context.addApplicationListener((event) -> {
				if (event instanceof PayloadApplicationEvent<?> payload
						&& payload.getPayload() instanceof ApprovalChangedEvent && asked.complete(null)) {
					over.orTimeout(30, TimeUnit.SECONDS).join();
				}
			}))
			.run((context) -> {
				String id = application.askInVain(context).get(0);
				over.complete(null);
				late.get(0).orTimeout(30, TimeUnit.SECONDS).join();
				ResumingApplication.approve(context, id);
				ResumedMessages turn = ResumingApplication.resume(context, id);
				assertThat(ResumingApplication.failures(turn.messages())).containsExactly(false, true);
				assertThat(application.sent).containsExactly("bob");
			});
	}

	@ParameterizedTest
	@EnumSource
	void editedCallRunsWithTheArgumentsOfThePerson(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		String id = application.askInVain(model);
		application.with(model).run((context) -> {
			ResumingApplication.edit(context, id, "{\"to\": \"carol\"}");
			assertThat(texts(ResumingApplication.resume(context, id).messages())).containsExactly("Sent to carol");
			assertThat(application.sent).containsExactly("carol");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callThatTheModelRepeatsAfterTheApprovalRuns(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel
			.inRounds(List.of(List.of(ResumingApplication.send("bob")), List.of(ResumingApplication.send("bob"))));
		String id = application.askInVain(model);
		application.with(model).run((context) -> {
			ResumingApplication.approve(context, id);
			assertThat(application.ask(context)).isEqualTo("Done");
			assertThat(application.sent).containsExactly("bob");
			ResumedMessages turn = ResumingApplication.resume(context, id);
			assertThat(turn.isComplete()).isTrue();
			assertThat(application.sent).containsExactly("bob");
		});
	}

	@ParameterizedTest
	@EnumSource
	void sameCallIsAskedAboutWhileTheApprovedOneRuns(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel
			.inRounds(List.of(List.of(ResumingApplication.send("bob")), List.of(ResumingApplication.send("bob"))));
		String id = application.askInVain(model);
		application.with(model).run((context) -> {
			ResumingApplication.approve(context, id);
			SlowMails slow = new SlowMails();
			CompletableFuture<ResumedMessages> resumed = new CompletableFuture<>();
			new Thread(() -> resumed.complete(context.getBean(LangChain4jApprovals.class).resume(id, slow))).start();
			SlowMails.await(slow.running);
			assertThat(application.askInVain(context)).hasSize(1).doesNotContain(id);
			slow.end.countDown();
			assertThat(texts(resumed.orTimeout(30, TimeUnit.SECONDS).join().messages())).containsExactly("Sent to bob");
			assertThat(application.sent).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void hookThatObjectsNowDeniesTheCall(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		boolean[] closed = new boolean[1];
		PreToolHook office = (call) -> (closed[0]) ? ToolDecision.deny("The office is closed") : ToolDecision.approve();
		application.with(model).withBean("office", PreToolHook.class, () -> office).run((context) -> {
			String id = application.askInVain(context).get(0);
			ResumingApplication.approve(context, id);
			closed[0] = true;
			ResumedMessages turn = ResumingApplication.resume(context, id);
			assertThat(texts(turn.messages())).singleElement().asString().contains("The office is closed");
			assertThat(ResumingApplication.failures(turn.messages())).containsExactly(true);
			closed[0] = false;
			assertThat(texts(ResumingApplication.resume(context, id).messages())).singleElement()
				.asString()
				.contains("The office is closed");
			assertThat(application.sent).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void approvalIsVoidIfTheConfigurationChanged(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		String id = application.askInVain(model);
		application.with(model)
			.withPropertyValues("hooks.tool_call.pre_call[1].type=policy",
					"hooks.tool_call.pre_call[1].config.deny_tools[0]=format_*")
			.run((context) -> {
				ResumingApplication.approve(context, id);
				ResumedMessages turn = ResumingApplication.resume(context, id);
				assertThat(texts(turn.messages())).singleElement().asString().contains("changed meanwhile");
				assertThat(turn.request().state()).isEqualTo(ApprovalState.CANCELLED);
				assertThat(application.sent).isEmpty();
			});
	}

	@ParameterizedTest
	@EnumSource
	void toolThatAcceptsOtherArgumentsNowDoesNotRun(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		String id = application.askInVain(model);
		application.withoutAgent().run((context) -> {
			ResumingApplication.approve(context, id);
			ResumedMessages turn = context.getBean(LangChain4jApprovals.class).resume(id, new NumberedMails());
			assertThat(texts(turn.messages())).singleElement().asString().contains("integer expected");
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CANCELLED);
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolThatFailsHasTheTextOfItsFailureAsTheResult(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("broken"));
		String id = application.askInVain(model);
		application.with(model).run((context) -> {
			ResumingApplication.approve(context, id);
			ResumedMessages turn = ResumingApplication.resume(context, id);
			assertThat(texts(turn.messages())).containsExactly("No such mailbox");
			assertThat(ResumingApplication.failures(turn.messages())).containsExactly(true);
			assertThat(application.sent).containsExactly("broken");
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolsOfServicesThatAreMadeLaterAreGiven(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel
			.inRounds(List.of(List.of(ResumingApplication.send("bob")), List.of(ResumingApplication.send("eve"))));
		application.withoutAgent().run((context) -> {
			LangChain4jApprovals approvals = context.getBean(LangChain4jApprovals.class);
			Way.Assistant later = application.service(model)
				.tools(new ResumingApplication.Mails(application.sent))
				.build();
			String first = ResumingApplication.pending(() -> way.ask(later, "s")).get(0);
			ResumingApplication.approve(context, first);
			assertRefused(Reason.NO_TOOL, () -> approvals.resume(first));
			assertRefused(Reason.NO_TOOL, () -> approvals.resume(first, new Others()));
			assertThat(texts(approvals.resume(first, new ResumingApplication.Mails(application.sent)).messages()))
				.containsExactly("Sent to bob");
			String second = ResumingApplication.pending(() -> way.ask(later, "s")).get(0);
			ResumingApplication.approve(context, second);
			ToolSpecification tool = ToolSpecification.builder()
				.name("send")
				.parameters(JsonObjectSchema.builder().addStringProperty("to").build())
				.build();
			ToolExecutor executor = (ToolExecutor & WrapsNoTool) (request, memoryId) -> "Mapped " + request.arguments()
					+ " for " + memoryId;
			assertThat(texts(approvals.resume(second, Map.of(tool, executor)).messages())).last()
				.isEqualTo("Mapped {\"to\":\"eve\"} for s");
			assertThat(application.sent).containsExactly("bob");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void callRunsForWhomItWasMade(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		List<String> users = new CopyOnWriteArrayList<>();
		Caller carol = Caller.of(CallContext.ofSession("outer").withUser("carol"), Login.UNKNOWN);
		application.withoutAgent()
			.withBean(Way.Assistant.class, () -> application.service(model).tools(new Signing(users)).build())
			.run((context) -> {
				String id = carol.execute(() -> application.askInVain(context)).get(0);
				assertThat(context.getBean(ToolApprovals.class).find(id).orElseThrow().user()).isEqualTo("carol");
				ResumingApplication.approve(context, id);
				ResumedMessages unused = Caller.of(CallContext.empty().withUser("alice"), Login.UNKNOWN)
					.execute(() -> ResumingApplication.resume(context, id));
				assertThat(users).containsExactly("carol");
			});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void applicationResumesByItself(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		List<String> answers = new CopyOnWriteArrayList<>();
		application.with(model).withInitializer((context) -> context.addApplicationListener((event) -> {
			if (event instanceof PayloadApplicationEvent<?> payload
					&& payload.getPayload() instanceof ApprovalChangedEvent changed && changed.resumable()) {
				ResumedMessages turn = ResumingApplication.resume(context, changed.request().id());
				if (turn.putInto(application.memory("s")) && turn.isComplete()) {
					answers.add(application.ask(context));
				}
			}
		})).run((context) -> {
			String id = application.askInVain(context).get(0);
			ResumingApplication.approve(context, id);
			assertThat(answers).containsExactly("Done");
			assertThat(application.sent).containsExactly("bob");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING_CONCURRENT" })
	void manyWhoResumeRunTheCallOnce(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		application.with(model).run((context) -> {
			String id = application.askInVain(context).get(0);
			ResumingApplication.approve(context, id);
			int threads = 4;
			CyclicBarrier start = new CyclicBarrier(threads);
			Callable<Boolean> resumption = () -> {
				start.await();
				try {
					return texts(ResumingApplication.resume(context, id).messages()).equals(List.of("Sent to bob"));
				}
				catch (ApprovalRefusedException ex) {
					return ex.reason() == Reason.SETTLED || ex.reason() == Reason.CHANGED;
				}
			};
			ExecutorService pool = Executors.newFixedThreadPool(threads);
			try {
				for (Future<Boolean> one : pool.invokeAll(Collections.nCopies(threads, resumption))) {
					assertThat(one.get()).isTrue();
				}
			}
			finally {
				pool.shutdownNow();
			}
			assertThat(application.sent).containsExactly("bob");
		});
	}

	private static void assertRefused(Reason reason, ThrowingCallable resuming) {
		assertThatExceptionOfType(ApprovalRefusedException.class).isThrownBy(resuming)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(reason));
	}

	/**
	 * The application also has a tool of Spring AI of the same name.
	 */
	@ParameterizedTest
	@EnumSource
	void callIsRunByTheToolOfTheFrameworkThatAsked(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		List<Object> other = new CopyOnWriteArrayList<>();
		ToolCallback namesake = FunctionToolCallback.builder("send", (Map<String, Object> input) -> {
			other.add(input);
			return "Sent by another";
		}).inputType(Map.class).build();
		application.with(model)
			.withConfiguration(AutoConfigurations.of(SpringAiToolCallsAutoConfiguration.class))
			.withBean("namesake", ToolCallback.class, () -> namesake)
			.run((context) -> {
				String id = application.askInVain(context).get(0);
				ResumingApplication.approve(context, id);
				SpringAiApprovals ofOther = context.getBean(SpringAiApprovals.class);
				assertThatIllegalStateException().isThrownBy(() -> ofOther.resume(id))
					.withMessageContaining("kept by another framework, as 'langchain4j'");
				assertThatIllegalStateException().isThrownBy(() -> ofOther.resume(id, namesake));
				assertThat(application.sent).isEmpty();
				assertThat(context.getBean(ToolApprovals.class).resume(id).turn().replies()).singleElement()
					.satisfies((reply) -> assertThat(reply.text()).isEqualTo("Sent to bob"));
				assertThat(application.sent).containsExactly("bob");
				assertThat(other).isEmpty();
			});
	}

	@ParameterizedTest
	@EnumSource
	void nothingCanBeResumedIfCallsWaitOnTheirThreads(Way way) {
		new ResumingApplication(this.folder, way).with(ScriptedModel.thatCalls())
			.withPropertyValues("hooks.approval.mode=block")
			.run((context) -> assertRefused(Reason.UNKNOWN, () -> ResumingApplication.resume(context, "any")));
	}

	private static List<String> texts(List<ChatMessage> messages) {
		return SuspendingApplication.texts(messages);
	}

	@SuppressWarnings("DoNotCallSuggester") // only the model calls it, and must not reach
											// it
	static final class NumberedMails {

		@Tool
		String send(int to) {
			throw new IllegalStateException("It ran");
		}

	}

	@SuppressWarnings("DoNotCallSuggester") // only the model calls it, and must not reach
											// it
	static final class Others {

		@Tool
		String other(String to) {
			throw new IllegalStateException("It ran");
		}

	}

	record Signing(List<String> users) {

		@Tool
		String send(String to) {
			Caller caller = Caller.ofThread();
			this.users.add(String.valueOf((caller != null) ? caller.login().user() : null));
			return "Signed";
		}

	}

	/**
	 * The same tool, which runs until the test lets it end.
	 */
	static final class SlowMails {

		final CountDownLatch running = new CountDownLatch(1);

		final CountDownLatch end = new CountDownLatch(1);

		@Tool("Sends a mail")
		String send(String to) {
			this.running.countDown();
			await(this.end);
			return "Sent to " + to;
		}

		static void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
