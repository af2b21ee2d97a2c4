package io.agenthooks.spring.ai;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.CallResponseSpec;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.retry.Retry;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.SharedContexts;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.caller.TokenLogins;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for who asks, in which conversation and run, as all hooks see it: whatever stands
 * between the caller and the tool, and whatever threads the way leads over.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WhoAsksTests {

	@RegisterExtension
	final SharedContexts contexts = new SharedContexts();

	private final Seen seen = new Seen();

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final String SESSION = "conversation-1";

	private final WeatherTools tools = new WeatherTools();

	@BeforeEach
	void forget() {
		this.seen.clear();
		this.seen.runIds.clear();
		this.seen.strange.clear();
		this.tools.cities.clear();
	}

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	static Stream<Arguments> everything() {
		List<Set<With>> variants = new ArrayList<>();
		variants.add(EnumSet.noneOf(With.class));
		Arrays.stream(With.values()).map(EnumSet::of).forEach(variants::add);
		variants.add(EnumSet.of(With.MEMORY, With.RUN_HOOKS));
		variants.add(EnumSet.of(With.RUN_HOOKS, With.RETRY));
		variants.add(EnumSet.allOf(With.class));
		return Arrays.stream(Way.values())
			.flatMap((way) -> variants.stream()
				.flatMap((with) -> Arrays.stream(Who.values()).map((who) -> Arguments.of(way, with, who))));
	}

	@ParameterizedTest
	@MethodSource("everything")
	void allHooksLearnWhoAsks(Way way, Set<With> with, Who who) {
		run(with, (seen, model, context) -> {
			model.failing(with.contains(With.RETRY)).calls("weather", PARIS);
			if (with.contains(With.INNER_AGENT)) {
				model.calls("expert", "{}").calls("weather", PARIS).says("found");
			}
			who.ask("alice", way, () -> ask(way, client(context, way, with), with, SESSION, who));
			assertThat(this.tools.cities).hasSize((with.contains(With.INNER_AGENT)) ? 2 : 1);
			assertThat(seen.contexts("tool")).hasSize((with.contains(With.INNER_AGENT)) ? 3 : 1);
			assertThat(seen.contexts("model")).hasSizeGreaterThanOrEqualTo(2);
			int runs = 1 + ((with.contains(With.INNER_AGENT)) ? 1 : 0);
			int tries = (with.contains(With.RETRY)) ? 1 : 0;
			assertThat(seen.contexts("run")).hasSize((with.contains(With.RUN_HOOKS)) ? runs + tries : 0);
			assertThat(seen.all()).extracting(CallContext::user).containsOnly((who == Who.NONE) ? null : "alice");
			assertThat(seen.all()).allSatisfy((each) -> assertThat(each)
				.isEqualTo((who == Who.NONE) ? each.withUser(null) : TokenLogins.in(each, "alice")));
			assertThat(seen.all()).extracting(CallContext::sessionId).containsOnly(SESSION);
			assertThat(seen.all()).extracting(CallContext::runId).doesNotContainNull();
			assertThat(seen.runs("tool")).hasSize(runs);
			// A try that failed is a run of its own, without calls of tools.
			assertThat(seen.runs("model")).hasSize(runs + tries).containsAll(seen.runs("tool"));
			if (with.contains(With.RUN_HOOKS)) {
				assertThat(seen.runs("run")).isEqualTo(seen.runs("model"));
			}
		});
	}

	@ParameterizedTest
	@MethodSource("everything")
	void nothingIsLeftForWhoAsksNext(Way way, Set<With> with, Who who) {
		run(with, (seen, model, context) -> {
			model.calls("weather", PARIS);
			who.ask("alice", way, () -> ask(way, client(context, way, with), EnumSet.noneOf(With.class), SESSION, who));
			seen.clear();
			for (Way next : Way.values()) {
				model.calls("weather", PARIS);
				next.ask(client(context, next, with).prompt("Weather?")
					.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "conversation-2"))
					.tools(this.tools));
			}
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnlyNulls();
			assertThat(seen.all()).extracting(CallContext::sessionId).containsOnly("conversation-2");
			assertThat(seen.runs("tool")).hasSize(2);
		});
	}

	@ParameterizedTest
	@MethodSource("everything")
	void whatTheApplicationSaysCountsMore(Way way, Set<With> with, Who who) {
		run(with, (seen, model, context) -> {
			model.calls("weather", PARIS);
			if (with.contains(With.INNER_AGENT)) {
				model.calls("expert", "{}").calls("weather", PARIS).says("found");
			}
			ChatClient client = client(context, way, with).mutate()
				.defaultAdvisors((advisors) -> advisors.param(AgentHooks.USER, "bob").param(AgentHooks.RUN_ID, "run-1"))
				.build();
			who.ask("alice", way, () -> ask(way, client, EnumSet.noneOf(With.class), SESSION, who));
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnly("bob");
			assertThat(seen.all()).allSatisfy((each) -> assertThat(each.authorities()).isEmpty());
			assertThat(seen.all()).extracting(CallContext::runId).contains("run-1");
			if (!with.contains(With.INNER_AGENT)) {
				assertThat(seen.all()).extracting(CallContext::runId).containsOnly("run-1");
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void guestIsNobodyWhateverElseIsKnown(Way way) {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS).calls("expert", "{}").calls("weather", PARIS).says("found");
			SecurityContextHolder.getContext().setAuthentication(guest());
			ask(way, client(context, way, EnumSet.allOf(With.class)), EnumSet.noneOf(With.class), SESSION, Who.NONE);
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnlyNulls();
		});
	}

	@ParameterizedTest
	@EnumSource
	void agentOfAGuestDoesNotBecomeWhomItsThreadWorkedForBefore(Way way) {
		run(EnumSet.noneOf(With.class), (seen, model, context) -> {
			model.calls("expert", "{}").calls("weather", PARIS).says("found");
			ToolCallback expert = FunctionToolCallback.builder("expert", () -> {
				SecurityContextHolder.getContext().setAuthentication(authentication("stale"));
				try {
					way.ask(context.getBean(ChatClient.Builder.class).build().prompt("Weather?").tools(this.tools));
				}
				finally {
					SecurityContextHolder.clearContext();
				}
				return "asked";
			}).build();
			SecurityContextHolder.getContext().setAuthentication(guest());
			way.ask(context.getBean(ChatClient.Builder.class).build().prompt("Ask").tools(expert));
			assertThat(seen.contexts("tool")).hasSize(2).extracting(CallContext::user).containsOnlyNulls();
		});
	}

	@Test
	void guestOfAReactiveApplicationIsNotWhoIsLeftOnTheThread() {
		run(EnumSet.noneOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS);
			SecurityContextHolder.getContext().setAuthentication(authentication("stale"));
			client(context, Way.STREAM, Set.of()).prompt("Weather?")
				.tools(this.tools)
				.stream()
				.content()
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(guest()))
				.blockLast();
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnlyNulls();
		});
	}

	@Test
	void userOfAReactiveApplicationCountsMoreThanWhoIsLeftOnTheThread() {
		run(EnumSet.of(With.MEMORY), (seen, model, context) -> {
			model.calls("weather", PARIS);
			SecurityContextHolder.getContext().setAuthentication(authentication("stale"));
			client(context, Way.STREAM, EnumSet.of(With.MEMORY)).prompt("Weather?")
				.tools(this.tools)
				.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, SESSION))
				.stream()
				.content()
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication("alice")))
				.blockLast();
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnly("alice");
		});
	}

	@Test
	void streamThatIsReadElsewhereKnowsTheUserIfTheContextIsCaptured() {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS);
			SecurityContextHolder.getContext().setAuthentication(authentication("alice"));
			client(context, Way.STREAM, Set.of()).prompt("Weather?")
				.tools(this.tools)
				.stream()
				.content()
				.subscribeOn(Schedulers.boundedElastic())
				.contextCapture()
				.blockLast();
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnly("alice");
		});
	}

	@Test
	void streamThatTwoReadWorksForEachOfThem() {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS).says("Sunny").calls("weather", PARIS).says("Sunny").calls("weather", PARIS);
			Flux<String> shared = client(context, Way.STREAM, Set.of()).prompt("Weather?")
				.tools(this.tools)
				.stream()
				.content();
			for (Authentication reader : List.of(authentication("alice"), authentication("bob"), guest())) {
				SecurityContextHolder.getContext().setAuthentication(reader);
				shared.blockLast();
			}
			assertThat(seen.contexts("tool")).extracting(CallContext::user).containsExactly("alice", "bob", null);
		});
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
	void streamThatSomebodyReadsAgainIsNotForWhoReadItBefore(Who who) {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS).says("Sunny").failing(false).calls("weather", PARIS);
			Flux<String> shared = client(context, Way.STREAM, Set.of()).prompt("Weather?")
				.tools(this.tools)
				.stream()
				.content();
			who.ask("alice", Way.STREAM, () -> shared.contextWrite(who.context("alice")).blockLast());
			shared.blockLast();
			assertThat(seen.contexts("tool")).extracting(CallContext::user).containsExactly("alice", null);
		});
	}

	@Test
	void failedStreamOfAReactiveUserIsNotTriedAgainForThemByOthers() {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.failing(true);
			Flux<String> shared = client(context, Way.STREAM, Set.of()).prompt("Weather?").stream().content();
			assertThatIllegalStateException()
				.isThrownBy(() -> shared.contextWrite(Who.REACTOR.context("alice")).blockLast());
			seen.clear();
			shared.blockLast();
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnlyNulls();
		});
	}

	@Test
	void agentInsideAToolThatTriesAgainStillWorksForTheSameUserInTheSameSession() {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("expert", "{}");
			ToolCallback expert = FunctionToolCallback.builder("expert", () -> {
				model.failing(true).calls("weather", PARIS);
				return context.getBean(ChatClient.Builder.class)
					.build()
					.prompt("Weather?")
					.tools(this.tools)
					.stream()
					.content()
					.retryWhen(Retry.backoff(1, Duration.ofMillis(1)))
					.blockLast();
			}).build();
			ChatClient client = context.getBean(ChatClient.Builder.class).defaultTools(expert).build();
			Who.THREAD.ask("alice", Way.CALL,
					() -> ask(Way.CALL, client, EnumSet.noneOf(With.class), SESSION, Who.THREAD));
			assertThat(this.tools.cities).hasSize(1);
			assertThat(seen.all()).extracting(CallContext::user).containsOnly("alice");
			assertThat(seen.all()).extracting(CallContext::sessionId).containsOnly(SESSION);
		});
	}

	@ParameterizedTest
	@EnumSource
	void runBeginsOnceHoweverOftenTheAdvisorsWereAdded(Way way) {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS);
			ChatClient client = client(context, way, EnumSet.of(With.MEMORY)).mutate()
				.defaultAdvisors(new ClientRunAdvisor("tenant"), new ClientRunAdvisor("tenant"))
				.build();
			SecurityContextHolder.getContext().setAuthentication(authentication("alice"));
			ask(way, client, EnumSet.noneOf(With.class), SESSION, Who.THREAD);
			assertThat(seen.all()).extracting(CallContext::user).containsOnly("alice");
			assertThat(seen.runs("model")).hasSize(1).isEqualTo(seen.runs("tool")).isEqualTo(seen.runs("run"));
			assertThat(seen.runIds).isEqualTo(seen.runs("run"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolThatACallByHandStreamsIsCalledByWhoeverIsKnownThere(Who who) {
		run(EnumSet.noneOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS);
			ToolCallback[] hooked = context.getBean(SpringAiToolHooks.class).from(this.tools);
			who.ask("alice", Way.STREAM,
					() -> ChatClient.create(model)
						.prompt("Weather?")
						.tools((Object[]) hooked)
						.stream()
						.content()
						.contextWrite(who.context("alice"))
						.blockLast());
			// Nobody of us sees such a client: what its thread knows is lost.
			assertThat(seen.contexts("tool")).singleElement()
				.extracting(CallContext::user)
				.isEqualTo((who == Who.REACTOR) ? "alice" : null);
		});
	}

	@ParameterizedTest
	@EnumSource
	void eachRunOfASessionHasTheAuthoritiesOfItsOwnUser(Way way) {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			List<Set<String>> authorities = new ArrayList<>();
			for (Authentication next : List.of(authentication("alice"), authentication("bob"), guest(),
					new TestingAuthenticationToken("alice", "x", "ROLE_LESS"))) {
				seen.clear();
				model.calls("weather", PARIS).says("Sunny");
				SecurityContextHolder.getContext().setAuthentication(next);
				ask(way, client(context, way, Set.of()), Set.of(), SESSION, Who.NONE);
				assertThat(seen.contexts("tool")).hasSize(1);
				assertThat(seen.all()).extracting(CallContext::authorities)
					.containsOnly(seen.all().get(0).authorities());
				authorities.add(seen.all().get(0).authorities());
				seen.strange.clear();
			}
			assertThat(authorities).containsExactly(Set.of("ROLE_USER", "ROLE_ALICE"), Set.of("ROLE_USER", "ROLE_BOB"),
					Set.of(), Set.of("ROLE_LESS"));
		});
	}

	@Test
	void toolThatIsCalledDirectlyIsCalledByWhoIsLoggedIn() {
		run(EnumSet.noneOf(With.class), (seen, model, context) -> {
			ToolCallback hooked = context.getBean(SpringAiToolHooks.class).wrap(this.tools.callback());
			for (Authentication next : List.of(authentication("alice"), guest(), authentication("bob"))) {
				SecurityContextHolder.getContext().setAuthentication(next);
				hooked.call("{\"city\": \"Paris\"}");
			}
			assertThat(seen.contexts("tool")).extracting(CallContext::user).containsExactly("alice", null, "bob");
		});
	}

	@ParameterizedTest
	@EnumSource
	void advisorThatSaysWhoAsksIsHeardByAllHooks(Way way) {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS).calls("expert", "{}").calls("weather", PARIS).says("found");
			ChatClient client = client(context, way, EnumSet.allOf(With.class)).mutate()
				.defaultAdvisors(new SaysWhoAsks())
				.build();
			ask(way, client, EnumSet.noneOf(With.class), "unknown", Who.NONE);
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnly("carol");
			assertThat(seen.all()).extracting(CallContext::sessionId).containsOnly("conversation-of-carol");
		});
	}

	@Test
	void callIsKnownWhereAnAdvisorLetsItGoOnOnAnotherThread() {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			model.calls("weather", PARIS).calls("expert", "{}").calls("weather", PARIS).says("found");
			SecurityContextHolder.getContext().setAuthentication(authentication("alice"));
			ChatClient client = client(context, Way.CALL, EnumSet.allOf(With.class)).mutate()
				.defaultAdvisors(new OnAnotherThread(Ordered.HIGHEST_PRECEDENCE),
						new OnAnotherThread(Ordered.HIGHEST_PRECEDENCE + 250),
						new OnAnotherThread(Ordered.LOWEST_PRECEDENCE - 10))
				.build();
			ask(Way.CALL, client, EnumSet.noneOf(With.class), SESSION, Who.THREAD);
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnly("alice");
			assertThat(seen.runs("model")).hasSize(2).isEqualTo(seen.runs("tool")).isEqualTo(seen.runs("run"));
		});
	}

	@Test
	void answerOfACallDoesNotCarryTheCallerToTheNextOne() {
		run(EnumSet.allOf(With.class), (seen, model, context) -> {
			SecurityContextHolder.getContext().setAuthentication(authentication("alice"));
			ChatClient client = client(context, Way.CALL, Set.of());
			ChatClientResponse answer = client.prompt("Hello").call().chatClientResponse();
			assertThat(answer.context().values()).noneMatch((value) -> value instanceof ClientRun);
			ChatClientResponse piece = Objects
				.requireNonNull(client.prompt("Hello").stream().chatClientResponse().blockLast());
			assertThat(piece.context().values()).noneMatch((value) -> value instanceof ClientRun);
			seen.clear();
			SecurityContextHolder.getContext().setAuthentication(authentication("bob"));
			Map<String, Object> parameters = new HashMap<>();
			answer.context().forEach((name, value) -> parameters.put(name, Objects.requireNonNull(value)));
			client.prompt("Hello").advisors((advisors) -> advisors.params(parameters)).call().content();
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnly("bob");
		});
	}

	private String ask(Way way, ChatClient client, Set<With> with, String session, Who who) {
		ChatClientRequestSpec question = client.prompt("Weather?")
			.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, session))
			.tools(this.tools);
		if (way == Way.STREAM) {
			Flux<String> answer = question.stream().content();
			if (with.contains(With.RETRY)) {
				// It is tried again on the thread of a timer.
				answer = answer.retryWhen(Retry.backoff(1, Duration.ofMillis(1)));
			}
			return String.valueOf(answer.contextWrite(who.context("alice")).blockLast());
		}
		CallResponseSpec response = question.call();
		try {
			return String.valueOf(response.content());
		}
		catch (IllegalStateException ex) {
			assertThat(with).contains(With.RETRY);
			return CompletableFuture.supplyAsync(() -> String.valueOf(response.content()))
				.orTimeout(1, TimeUnit.MINUTES)
				.join();
		}
	}

	private ChatClient client(ApplicationContext context, Way way, Set<With> with) {
		ChatClient.Builder client = context.getBean(ChatClient.Builder.class);
		if (with.contains(With.MEMORY)) {
			client.defaultAdvisors(MessageChatMemoryAdvisor.builder(MessageWindowChatMemory.builder().build()).build());
		}
		if (with.contains(With.INNER_AGENT)) {
			ToolCallback expert = FunctionToolCallback
				.builder("expert",
						() -> way
							.ask(context.getBean(ChatClient.Builder.class).build().prompt("Weather?").tools(this.tools))
							.text())
				.build();
			client.defaultTools(expert);
		}
		return client.build();
	}

	private void run(Set<With> with, Scenario test) {
		boolean runHooks = with.contains(With.RUN_HOOKS);
		boolean metrics = with.contains(With.METRICS);
		ApplicationContext context = this.contexts.get(List.of(runHooks, metrics), () -> runner(runHooks, metrics));
		UnreliableModel model = context.getBean(UnreliableModel.class);
		model.forget();
		test.run(this.seen, model, context);
		assertThat(this.seen.strange).isEmpty();
	}

	private ApplicationContextRunner runner(boolean runHooks, boolean metrics) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class,
					ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
					LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
					SpringAiModelCallsAutoConfiguration.class))
			.withPropertyValues("hooks.context.claims[0]=tenant", "hooks.context.claims[1]=absent")
			.withBean(UnreliableModel.class, UnreliableModel::new)
			.withBean(PreToolHook.class, () -> (call) -> {
				this.seen.add("tool", call.context());
				return ToolDecision.approve();
			})
			.withBean(PreLlmHook.class, () -> (call) -> {
				this.seen.add("model", call.context());
				return LlmDecision.approve();
			});
		if (runHooks) {
			runner = runner.withBean(PreRunHook.class, () -> (run) -> {
				this.seen.add("run", run.context());
				this.seen.runIds.add(run.id());
				return RunDecision.approve();
			});
		}
		if (metrics) {
			runner = runner.withConfiguration(AutoConfigurations.of(ToolCallMetricsAutoConfiguration.class,
					LlmAndRunMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
					ObservationAutoConfiguration.class));
		}
		return runner;
	}

	private static Authentication authentication(String user) {
		return TokenLogins.jwt(user);
	}

	private static AnonymousAuthenticationToken guest() {
		return new AnonymousAuthenticationToken("key", "anonymousUser",
				AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));
	}

	/**
	 * What stands between the caller and the tool.
	 */
	enum With {

		MEMORY, METRICS, RUN_HOOKS, RETRY, INNER_AGENT

	}

	/**
	 * How it is known who asks.
	 */
	enum Who {

		THREAD {
			@Override
			void ask(String user, Way way, Runnable question) {
				SecurityContextHolder.getContext().setAuthentication(authentication(user));
				try {
					question.run();
				}
				finally {
					SecurityContextHolder.clearContext();
				}
			}
		},

		/**
		 * The context of who subscribes. For who waits, it is as Spring Boot does it with
		 * {@code spring.reactor.context-propagation=auto}: without it, whoever blocks is
		 * not reached by the context.
		 */
		REACTOR {
			@Override
			void ask(String user, Way way, Runnable question) {
				if (way == Way.STREAM) {
					question.run();
					return;
				}
				Hooks.enableAutomaticContextPropagation();
				try {
					Mono.fromRunnable(question)
						.subscribeOn(Schedulers.boundedElastic())
						.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication(user)))
						.block();
				}
				finally {
					Hooks.disableAutomaticContextPropagation();
				}
			}
		},

		NONE {
			@Override
			void ask(String user, Way way, Runnable question) {
				question.run();
			}
		};

		Context context(String user) {
			return (this == REACTOR) ? ReactiveSecurityContextHolder.withAuthentication(authentication(user))
					: Context.empty();
		}

		abstract void ask(String user, Way way, Runnable question);

	}

	interface Scenario {

		void run(Seen seen, UnreliableModel model, ApplicationContext context);

	}

	/**
	 * What hooks saw.
	 */
	static final class Seen {

		private final List<String> hooks = new ArrayList<>();

		private final List<CallContext> contexts = new ArrayList<>();

		/** Those whose authorities or claims are not those of their user. */
		private final List<CallContext> strange = new ArrayList<>();

		private final Set<String> runIds = Collections.synchronizedSet(new HashSet<>());

		synchronized void add(String hook, CallContext context) {
			this.hooks.add(hook);
			this.contexts.add(context);
			boolean named = context.authorities().isEmpty() && context.claims().isEmpty();
			if (!named && !context.equals(TokenLogins.in(context, String.valueOf(context.user())))) {
				this.strange.add(context);
			}
		}

		synchronized void clear() {
			this.hooks.clear();
			this.contexts.clear();
		}

		synchronized List<CallContext> all() {
			return List.copyOf(this.contexts);
		}

		synchronized List<CallContext> contexts(String hook) {
			List<CallContext> seen = new ArrayList<>();
			for (int i = 0; i < this.hooks.size(); i++) {
				if (this.hooks.get(i).equals(hook)) {
					seen.add(this.contexts.get(i));
				}
			}
			return Collections.unmodifiableList(seen);
		}

		Set<String> runs(String hook) {
			return contexts(hook).stream()
				.map((context) -> String.valueOf(context.runId()))
				.collect(Collectors.toUnmodifiableSet());
		}

	}

	/**
	 * A scripted model that may fail the first time.
	 */
	static class UnreliableModel implements ChatModel {

		private final ScriptedChatModel model = new ScriptedChatModel();

		private final AtomicBoolean failing = new AtomicBoolean();

		void forget() {
			this.model.forget();
			this.failing.set(false);
		}

		UnreliableModel failing(boolean failing) {
			this.failing.set(failing);
			return this;
		}

		UnreliableModel calls(String tool, String arguments) {
			this.model.calls(tool, arguments);
			return this;
		}

		UnreliableModel says(String text) {
			this.model.says(text);
			return this;
		}

		@Override
		public ChatOptions getOptions() {
			return this.model.getOptions();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			if (this.failing.getAndSet(false)) {
				throw new IllegalStateException("no network");
			}
			return this.model.call(prompt);
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return Flux.defer(() -> (this.failing.getAndSet(false))
					? Flux.error(new IllegalStateException("no network")) : this.model.stream(prompt));
		}

	}

	/**
	 * An advisor of the application that knows who asks.
	 */
	static final class SaysWhoAsks implements BaseAdvisor {

		@Override
		public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
			return request.mutate()
				.context(AgentHooks.USER, "carol")
				.context(ChatMemory.CONVERSATION_ID, "conversation-of-carol")
				.build();
		}

		@Override
		public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
			return response;
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	/**
	 * An advisor of the application that waits for another thread.
	 *
	 * @param order its order
	 */
	record OnAnotherThread(int order) implements CallAdvisor {

		@Override
		public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
			return CompletableFuture.supplyAsync(() -> chain.nextCall(request)).orTimeout(1, TimeUnit.MINUTES).join();
		}

		@Override
		public String getName() {
			return "On another thread " + this.order;
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

}
