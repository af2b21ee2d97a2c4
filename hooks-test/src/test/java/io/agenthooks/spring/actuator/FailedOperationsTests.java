package io.agenthooks.spring.actuator;

import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.actuator.WebApplication.Reply;
import io.agenthooks.spring.actuator.WebApplication.Stack;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what a reply and the log say when hooks and tools throw within an operation of
 * an endpoint: their messages may quote arguments.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailedOperationsTests {

	private static final String SECRET = "hunter2-of-the-message";

	private static final String EXPOSED = """
			management:
			  endpoints: {web: {exposure: {include: "*"}}}
			  endpoint: {toolhooks: {access: unrestricted}}
			""";

	private static void assertFailed(Reply reply, String failure) {
		assertThat(reply.status()).as(reply.body()).isEqualTo(500);
		assertThat(reply.text("/error")).contains(failure, "The log says more");
		assertThat(reply.body()).doesNotContain(SECRET);
	}

	@ParameterizedTest
	@EnumSource
	void messageOfAToolIsNeitherInTheReplyNorInTheLog(Stack stack, CapturedOutput output) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED, Throwing.class)) {
			app.bean(Throwing.class).names.set(() -> {
				throw new AssertionError(SECRET);
			});
			assertFailed(app.get("/actuator/toolhooks"), "java.lang.AssertionError");
			assertFailed(app.get("/actuator/toolhooks/read"), "java.lang.AssertionError");
			assertFailed(app.post("/actuator/toolhooks", "{\"tool_name\":\"read\"}"), "java.lang.AssertionError");
		}
		assertThat(output).contains("could not be listed: java.lang.AssertionError at io.agenthooks.")
			.doesNotContain(SECRET);
	}

	@ParameterizedTest
	@EnumSource
	void messageOfAHookThatIsAskedToExplainIsNeitherInTheReplyNorInTheLog(Stack stack, CapturedOutput output) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED, Throwing.class)) {
			app.bean(Throwing.class).failure.set(() -> new IllegalArgumentException(SECRET));
			Reply denied = app.post("/actuator/toolhooks", "{\"tool_name\":\"read\",\"live\":true}");
			assertThat(denied.text("/verdict")).isEqualTo("deny");
			assertThat(denied.body()).doesNotContain(SECRET);
			app.bean(Throwing.class).failure.set(() -> new InternalError(SECRET));
			assertFailed(app.post("/actuator/toolhooks", "{\"tool_name\":\"read\",\"live\":true}"),
					"java.lang.InternalError");
		}
		assertThat(output).contains("The call could not be explained: java.lang.InternalError at ")
			.doesNotContain(SECRET);
	}

	@Test
	void messageOfWhatCannotShowCallsIsNeitherInTheReplyNorInTheLog(CapturedOutput output) {
		ToolCallsEndpoint endpoint = new ToolCallsEndpoint(
				new CallJournal(JournalConfig.DEFAULT, new AskedHooks(), Clock.systemUTC()),
				new CallWriter(new ObjectProvider<ToolHooks>() {
					@Override
					public ToolHooks getObject() {
						throw new IllegalStateException(SECRET);
					}
				}));
		WebEndpointResponse<Map<String, @Nullable Object>> reply = endpoint.calls(null, null, null, null, null, null);
		assertThat(reply.getStatus()).isEqualTo(500);
		assertThat(String.valueOf(reply.getBody())).doesNotContain(SECRET);
		assertThat(output).contains("could not be listed: java.lang.IllegalStateException").doesNotContain(SECRET);
	}

	@Configuration(proxyBeanMethods = false)
	static class Throwing {

		final AtomicReference<Supplier<Set<String>>> names = new AtomicReference<>(() -> Set.of("read"));

		final AtomicReference<@Nullable Supplier<Throwable>> failure = new AtomicReference<>();

		@Bean
		ToolExecutor executor() {
			return new Executor(this.names);
		}

		@Bean
		PreToolHook hook() {
			return (call) -> {
				Supplier<Throwable> failure = this.failure.get();
				if (failure != null) {
					sneak(failure.get());
				}
				return ToolDecision.approve();
			};
		}

		@SuppressWarnings("unchecked") // the compiler takes any for what is thrown
		private static <T extends Throwable> void sneak(Throwable failure) throws T {
			throw (T) failure;
		}

	}

	private record Executor(AtomicReference<Supplier<Set<String>>> names) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("done");
		}

		@Override
		public Set<String> toolNames() {
			return Objects.requireNonNull(this.names.get()).get();
		}

	}

}
