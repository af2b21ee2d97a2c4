package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.AiServices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What hooks learn about who makes a call.
 */
class AiServiceCallContextTests {

	private final Files files = new Files();

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@ParameterizedTest
	@EnumSource
	void callTellsIdAndSessionAndAgentAndUserOfTheCallingThread(Way way) {
		logIn("ann");
		GuardedApplication.runner().run((context) -> {
			way.ask(way.service(ScriptedModel.thatCalls(read("a"), read("b"))).tools(this.files).build(), "s-1");
			assertThat(calls(context.getBean(Journal.class))).hasSize(2).allSatisfy((call) -> {
				assertThat(call.context().attributes().get(CallAttributes.PROVIDER_CALL_ID))
					.isEqualTo("call-" + call.arguments().values());
				assertThat(call.context().sessionId()).isEqualTo("s-1");
				assertThat(call.context().agent()).isEqualTo("Assistant");
				assertThat(call.context().user()).isEqualTo("ann");
			});
		});
	}

	@Test
	void everyInvocationIsARunOfItsOwn() {
		GuardedApplication.runner().run((context) -> {
			Way.Assistant assistant = Way.SYNC
				.service(ScriptedModel.inRounds(List.of(List.of(read("a"), read("b")), List.of(read("c")))))
				.tools(this.files)
				.build();
			assistant.chat("s", "Go");
			Way.SYNC.ask(Way.SYNC.service(ScriptedModel.thatCalls(read("d"))).tools(this.files).build(), "s");
			List<String> runs = calls(context.getBean(Journal.class)).stream()
				.map((call) -> Objects.requireNonNull(call.context().runId()))
				.toList();
			assertThat(runs).hasSize(4);
			assertThat(Set.copyOf(runs.subList(0, 3))).hasSize(1).doesNotContain(runs.get(3));
		});
	}

	@Test
	void serviceWithoutMemoryIdHasNoSession() {
		GuardedApplication.runner().run((context) -> {
			AiServices.builder(Forgetful.class)
				.chatModel(ScriptedModel.thatCalls(read("a")))
				.tools(this.files)
				.build()
				.chat("Go", new InvocationParameters());
			assertThat(calls(context.getBean(Journal.class)).get(0).context().sessionId()).isNull();
		});
	}

	@Test
	void callsWithoutIdGetOne() {
		GuardedApplication.runner().run((context) -> {
			ToolExecutionRequest call = ToolExecutionRequest.builder()
				.name("read")
				.arguments("{\"path\":\"a\"}")
				.build();
			Way.SYNC.ask(Way.SYNC.service(ScriptedModel.thatCalls(call)).tools(this.files).build(), "s");
			assertThat(calls(context.getBean(Journal.class)).get(0).id()).isNotBlank();
			assertThat(this.files.read).containsExactly("a");
		});
	}

	@Test
	void whoIsNotLoggedInIsNobody() {
		SecurityContextHolder.getContext()
			.setAuthentication(new AnonymousAuthenticationToken("key", "anonymous",
					AuthorityUtils.createAuthorityList("ANYBODY")));
		GuardedApplication.runner().run((context) -> {
			Way.SYNC.ask(Way.SYNC.service(ScriptedModel.thatCalls(read("a"))).tools(this.files).build(), "s");
			assertThat(calls(context.getBean(Journal.class)).get(0).context().user()).isNull();
		});
	}

	@Test
	void customizersAddWhatTheApplicationKnows() {
		CallContextCustomizer customizer = (context, attributes) -> context.withUser((String) attributes.get("user"))
			.withRole("clerk");
		GuardedApplication.runner().withBean(CallContextCustomizer.class, () -> customizer).run((context) -> {
			AiServices.builder(Forgetful.class)
				.chatModel(ScriptedModel.thatCalls(read("a")))
				.tools(this.files)
				.build()
				.chat("Go", InvocationParameters.from(Map.of("user", "ben")));
			CallContext seen = calls(context.getBean(Journal.class)).get(0).context();
			assertThat(seen.user()).isEqualTo("ben");
			assertThat(seen.role()).isEqualTo("clerk");
			assertThat(seen.agent()).isEqualTo("Forgetful");
		});
	}

	@Test
	void customizerThatFailsEndsTheInvocation() {
		CallContextCustomizer customizer = (context, attributes) -> {
			throw new IllegalStateException("no tenant");
		};
		GuardedApplication.runner().withBean(CallContextCustomizer.class, () -> customizer).run((context) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> Way.SYNC
					.ask(Way.SYNC.service(ScriptedModel.thatCalls(read("a"))).tools(this.files).build(), "s"))
				.withMessage("no tenant");
			assertThat(this.files.read).isEmpty();
		});
	}

	private static List<ToolCall> calls(Journal journal) {
		return journal.outcomes()
			.stream()
			.map((outcome) -> outcome.effective())
			.collect(Collectors.toUnmodifiableList());
	}

	private static void logIn(String user) {
		SecurityContextHolder.getContext()
			.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(user, null,
					AuthorityUtils.createAuthorityList("USER")));
	}

	private static ToolExecutionRequest read(String path) {
		return ScriptedModel.call("read", Map.of("path", path));
	}

	interface Forgetful {

		String chat(@dev.langchain4j.service.UserMessage String text, InvocationParameters parameters);

	}

}
