package io.agenthooks.spring.langchain4j;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.EndedProgram;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Whose hooks the calls of an AI service pass: LangChain4j knows no application context,
 * and a JVM may have none, one, or several.
 */
@ExtendWith(OutputCaptureExtension.class)
class AiServiceGuardTests {

	private final Files files = new Files();

	@AfterEach
	void nothingIsLeftBehind() {
		assertThat(AiServiceGuards.current()).isNull();
	}

	/**
	 * In a JVM of its own: this one may have had a context already.
	 */
	@Test
	void untilThereIsAnApplicationContextCallsPass() throws Exception {
		EndedProgram ended = EndedProgram
			.run(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
					"-cp", System.getProperty("java.class.path"), WithoutContext.class.getName()));
		assertThat(ended.output()).endsWith("[deny]" + System.lineSeparator());
	}

	@Test
	void serviceThatIsABeanPassesTheHooksOfItsContext() {
		GuardedApplication.runner()
			.withBean(Way.Assistant.class, () -> service("deny"))
			.run((context) -> assertDenied(context.getBean(Way.Assistant.class)));
	}

	@Test
	void serviceThatWasMadeBeforePassesTheHooksOfTheContextThatThereIs() {
		Way.Assistant early = Way.SYNC
			.service(new ScriptedModel(List.of(AiMessage.from(read("a")), AiMessage.from(read("deny")),
					AiMessage.from("Done"), AiMessage.from(read("a")), AiMessage.from("Done"))))
			.tools(this.files)
			.build();
		Way.Assistant second = service("b");
		GuardedApplication.runner().run((context) -> ask(early));
		assertThat(this.files.read).containsExactly("a");
		this.files.read.clear();
		assertRefused(Way.SYNC, early);
		assertRefused(Way.SYNC, second);
	}

	@ParameterizedTest
	@EnumSource
	void serviceThatIsMadeWhenTheContextIsClosedIsRefused(Way way) {
		GuardedApplication.runner().run((context) -> assertThat(context).hasNotFailed());
		ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("read", Map.of("path", "a")));
		assertRefused(way, way.service(model).tools(this.files).build());
	}

	@Test
	void modelOfAServiceThatIsMadeWhenTheContextIsClosedIsNotAsked() {
		PreLlmHook beforeModel = (call) -> LlmDecision.approve();
		GuardedApplication.runner()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class))
			.withBean("before-model", PreLlmHook.class, () -> beforeModel)
			.run((context) -> assertThat(context).hasNotFailed());
		ScriptedModel model = ScriptedModel.thatCalls();
		assertRefused(Way.SYNC, Way.SYNC.service(model).build());
		assertThat(model.timesAsked()).isZero();
	}

	@Test
	void runOfAServiceThatIsMadeWhenTheContextIsClosedDoesNotBegin() {
		PreRunHook beforeRun = (run) -> RunDecision.approve();
		GuardedApplication.runner()
			.withConfiguration(HookTypes.with(RunHooksAutoConfiguration.class))
			.withBean("before-run", PreRunHook.class, () -> beforeRun)
			.run((context) -> assertThat(context).hasNotFailed());
		ScriptedModel model = ScriptedModel.thatCalls();
		Way.Assistant service = Way.SYNC.service(model).build();
		assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> Way.SYNC.ask(service, "s"))
			.withMessageContaining("was closed");
		assertThat(model.timesAsked()).isZero();
	}

	@Test
	void serviceThatIsMadeBetweenTwoContextsPassesTheHooksOfTheSecond() {
		GuardedApplication.runner().run((context) -> assertThat(context).hasNotFailed());
		Way.Assistant between = service("a");
		application("second").run((context) -> {
			ask(between);
			assertThat(context.getBean(Journal.class).outcome().decidedBy()).isEqualTo("second");
		});
	}

	@Test
	void whatAContextOfTheSameTimeDoesNotGuardIsRefusedNevertheless() {
		GuardedApplication.withoutHook().withPropertyValues("hooks.tool_call.enabled=false").run((context) -> {
			GuardedApplication.runner().run((inner) -> assertThat(inner).hasNotFailed());
			ask(service("a"));
			assertThat(this.files.read).containsExactly("a");
			this.files.read.clear();
		});
		assertRefused(Way.SYNC, service("b"));
	}

	private static List<ToolExecutionRequest> read(String path) {
		return List.of(ScriptedModel.call("read", Map.of("path", path)));
	}

	@Test
	void contextsInOneJvmDoNotMix() {
		application("first").withBean(Way.Assistant.class, () -> service("a")).run((first) -> {
			application("second").withBean(Way.Assistant.class, () -> service("b")).run((second) -> {
				ask(first.getBean(Way.Assistant.class));
				assertThat(first.getBean(Journal.class).outcome().decidedBy()).isEqualTo("first");
				assertThat(second.getBean(Journal.class).outcomes()).isEmpty();
				ask(second.getBean(Way.Assistant.class));
				assertThat(second.getBean(Journal.class).outcome().decidedBy()).isEqualTo("second");
				first.getBean(Journal.class).outcome();
			});
			// Made while the second is gone again
			ask(service("c"));
			assertThat(first.getBean(Journal.class).outcomes()).hasSize(2);
		});
		assertThat(this.files.read).isEmpty();
	}

	@Test
	void contextThatStartsAnotherOneGuardsItsOwnServices() {
		application("outer").withBean("a-starter", InnerApplication.class, () -> {
			AnnotationConfigApplicationContext inner = new AnnotationConfigApplicationContext();
			inner.register(ToolCallHooksAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class);
			inner.refresh();
			return new InnerApplication(inner);
		}).withBean("b-service", Way.Assistant.class, () -> service("a")).run((context) -> {
			ask(context.getBean(Way.Assistant.class));
			assertThat(context.getBean(Journal.class).outcome().decidedBy()).isEqualTo("outer");
		});
	}

	@Test
	void contextWithoutHooksDoesNotBorrowThoseOfAnother() {
		application("first").run((first) -> GuardedApplication.withoutHook()
			.withPropertyValues("hooks.tool_call.enabled=false")
			.withBean(Way.Assistant.class, () -> service("a"))
			.run((second) -> {
				ask(second.getBean(Way.Assistant.class));
				assertThat(this.files.read).containsExactly("a");
				assertThat(first.getBean(Journal.class).events).isEmpty();
			}));
	}

	@Test
	void hooksOfAClosedContextStillDecide() {
		List<Way.Assistant> services = new ArrayList<>();
		GuardedApplication.runner()
			.withBean(Way.Assistant.class, () -> service("deny"))
			.run((context) -> services.add(context.getBean(Way.Assistant.class)));
		assertDenied(services.get(0));
	}

	@Test
	void serviceThatIsMadeWhenAStartHasFailedIsRefused() {
		GuardedApplication.runner().withBean("a", Object.class, () -> {
			throw new IllegalStateException("This one does not start");
		}).run((context) -> assertThat(context).hasFailed());
		assertRefused(Way.SYNC, service("a"));
	}

	@Test
	void contextThatWasClosedBeforeItHadHooksLetsNothingPass() {
		List<Way.Assistant> services = new ArrayList<>();
		GuardedApplication.runner().withBean("a", Way.Assistant.class, () -> {
			services.add(service("a"));
			throw new IllegalStateException("This one does not start");
		}).run((context) -> assertThat(context).hasFailed());
		assertThatIllegalStateException().isThrownBy(() -> ask(services.get(0)))
			.withMessageContaining("closed before its hooks were made");
		assertThat(this.files.read).isEmpty();
	}

	@Test
	void callBeforeTheContextIsReadyPassesTheHooks() {
		AtomicReference<String> reply = new AtomicReference<>();
		GuardedApplication.runner().withBean("a-early", Object.class, () -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("read", Map.of("path", "deny")));
			ask(Way.SYNC.service(model).tools(this.files).build());
			reply.set(model.results().get(0).text());
			return new Object();
		}).run((context) -> assertThat(context).hasNotFailed());
		assertThat(reply.get()).endsWith("Not this one");
		assertThat(this.files.read).isEmpty();
	}

	@Test
	void callWhileTheHooksAreBeingMadeDoesNotPass() {
		GuardedApplication.withoutHook().withBean("hook", PreToolHook.class, () -> {
			ask(service("a"));
			return (call) -> ToolDecision.approve();
		})
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(BeanCurrentlyInCreationException.class));
		assertThat(this.files.read).isEmpty();
	}

	@Test
	void serviceOfNoContextIsNotRefusedForTheSakeOfAContextBeforeTheLastOne() {
		GuardedApplication.runner().run((context) -> assertThat(context).hasNotFailed());
		assertRefused(Way.SYNC, service("a"));
		GuardedApplication.withoutHook()
			.withPropertyValues("hooks.tool_call.bypass_hooks=true", "hooks.llm_call.bypass_hooks=true",
					"hooks.run.bypass_hooks=true")
			.run((context) -> {
				ask(service("b"));
				assertThat(this.files.read).containsExactly("b");
			});
		ask(service("c"));
		assertThat(this.files.read).containsExactly("b", "c");
	}

	@Test
	void closedContextIsReleased() {
		List<WeakReference<ToolHookChain>> chains = new ArrayList<>();
		GuardedApplication.runner().run((context) -> {
			ask(service("a"));
			chains.add(new WeakReference<>(context.getBean(ToolHookChain.class)));
		});
		for (int i = 0; i < 50 && chains.get(0).get() != null; i++) {
			System.gc();
		}
		assertThat(chains.get(0).get()).isNull();
	}

	@Test
	void startSaysNothingIfAllIsGuarded(CapturedOutput output) {
		GuardedApplication.runner().run((context) -> assertThat(context).hasSingleBean(AiServiceGuard.class));
		assertThat(output).doesNotContain("LangChain4j");
	}

	@Test
	void withoutLangChain4jThereIsNoGuard() {
		GuardedApplication.runner()
			.withClassLoader(new FilteredClassLoader("dev.langchain4j"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ToolHookChain.class)
				.doesNotHaveBean(AiServiceGuard.class));
	}

	@Test
	void factoryOfOthersIsFoundOut() {
		assertThat(AiServiceGuard.whyUnguarded(new OtherContext())).contains("another AiServiceContextFactory",
				"OtherContext");
		assertThat(AiServiceGuard.whyUnguarded(new GuardedAiServiceContextFactory().create(Object.class))).isNull();
	}

	@Test
	void unknownLangChain4jIsFoundOut() {
		assertThat(KnownApi.mismatch()).isNull();
		assertThat(KnownApi.mismatch(Object.class)).contains("is unknown", "java.lang.Object.");
		assertThat(KnownApi.mismatch(ComingToolService.class)).contains("is unknown",
				"executeAsync(ToolServiceContext, List)");
	}

	private ApplicationContextRunner application(String hook) {
		return GuardedApplication.withoutHook()
			.withBean(hook, PreToolHook.class, () -> (call) -> ToolDecision.deny("By the hook"));
	}

	private Way.Assistant service(String path) {
		return Way.SYNC.service(ScriptedModel.thatCalls(ScriptedModel.call("read", Map.of("path", path))))
			.tools(this.files)
			.build();
	}

	private void assertDenied(Way.Assistant service) {
		ask(service);
		assertThat(this.files.read).isEmpty();
	}

	/**
	 * The call is refused, or the whole run if a context of this JVM had hooks around
	 * runs.
	 */
	private void assertRefused(Way way, Way.Assistant service) {
		try {
			way.ask(service, "s");
		}
		catch (RunBlockedException ex) {
			assertThat(ex).hasMessageContaining("was closed, so no further call begins");
		}
		assertThat(this.files.read).isEmpty();
	}

	private static void ask(Way.Assistant service) {
		assertThat(Way.SYNC.ask(service, "s")).isEqualTo("Done");
	}

	/**
	 * A program that has the starter on its class path, and no application context.
	 */
	public static final class WithoutContext {

		private WithoutContext() {
		}

		/**
		 * Call a tool.
		 * @param args none
		 */
		public static void main(String[] args) {
			AiServiceGuardTests test = new AiServiceGuardTests();
			ask(test.service("deny"));
			System.out.println(test.files.read);
			System.exit(0);
		}

	}

	private record InnerApplication(AnnotationConfigApplicationContext context) implements AutoCloseable {

		@Override
		public void close() {
			this.context.close();
		}

	}

	private static final class OtherContext extends AiServiceContext {

		OtherContext() {
			super(Object.class);
		}

	}

	/**
	 * As a later version may be: with a further way to call tools, and a further setting.
	 */
	public static class ComingToolService extends ToolService {

		/**
		 * Calls tools.
		 * @param tools the tools
		 * @param calls the calls
		 * @return the tools
		 */
		public ToolServiceContext executeAsync(ToolServiceContext tools, List<Object> calls) {
			return tools;
		}

		/**
		 * Makes a setting.
		 * @param calls how many calls
		 */
		public void maxCallsAtOnce(int calls) {
			maxToolCallingRoundTrips(calls);
		}

	}

}
