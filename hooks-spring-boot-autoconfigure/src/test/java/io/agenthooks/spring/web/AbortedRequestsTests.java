package io.agenthooks.spring.web;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import io.agenthooks.CallContext;
import io.agenthooks.RefusalText;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ThreadsOfTomcat;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a client of a web application reads if a hook has ended its request,
 * with real servers.
 */
class AbortedRequestsTests {

	private static final String REASON = "not \"on\" Fridays";

	@TempDir
	private Path folder;

	@ParameterizedTest
	@EnumSource
	void requestThatAHookEndedIsForbiddenWithoutTheReason(Server server) throws Exception {
		try (Running running = server.start(this.folder, Questions.class)) {
			for (String path : List.of("blocked", "turn", "run", "model", "wrapped")) {
				HttpResponse<String> response = running.get(path);
				assertThat(response.statusCode()).as(path).isEqualTo(403);
				assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
				assertThat(response.body())
					.isEqualTo("{\"title\":\"Blocked by a hook\",\"status\":403,\"detail\":\"This is not allowed.\"}");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void textIsInTheLanguageOfTheRequest(Server server) throws Exception {
		try (Running running = server.start(this.folder, Questions.class, German.class)) {
			assertThat(running.get("blocked", "de").body()).contains("\"detail\":\"Das geht nicht.\"");
			assertThat(running.get("blocked", "fr").body()).contains("\"detail\":\"No.\"");
		}
	}

	@ParameterizedTest
	@EnumSource
	void requestThatWaitsForPeopleIsAcceptedWithTheirQuestions(Server server) throws Exception {
		try (Running running = server.start(this.folder, Questions.class)) {
			HttpResponse<String> turn = running.get("waiting-turn");
			assertThat(turn.statusCode()).isEqualTo(202);
			assertThat(turn.headers().firstValue("Content-Type")).contains("application/json");
			assertThat(turn.body()).isEqualTo("{\"title\":\"Waits for approval\",\"status\":202,\"detail\":"
					+ "\"The turn waits for the approval of people (request q-1).\",\"approvals\":[\"q-1\"]}");
			HttpResponse<String> call = running.get("waiting-call");
			assertThat(call.statusCode()).isEqualTo(202);
			assertThat(call.body()).contains("\"approvals\":[\"q-1\"]", "It has not run.");
		}
	}

	@ParameterizedTest
	@EnumSource
	void otherFailuresStayAsTheyAre(Server server) throws Exception {
		try (Running running = server.start(this.folder, Questions.class)) {
			assertThat(running.get("broken").statusCode()).isEqualTo(500);
			assertThat(running.get("fine").body()).isEqualTo("fine");
		}
	}

	@ParameterizedTest
	@EnumSource
	void exceptionHandlerOfTheApplicationWins(Server server) throws Exception {
		try (Running running = server.start(this.folder, Questions.class, Advice.class)) {
			assertThat(running.get("blocked").body()).isEqualTo("of the application");
		}
	}

	@Test
	void exceptionThatIsItsOwnCauseIsAnyException() {
		Exception endless = new Exception() {

			@Override
			public synchronized Throwable getCause() {
				return this;
			}

		};
		assertThat(AbortProblem.of(endless, () -> "refused")).isNull();
	}

	enum Server {

		MVC {

			@Override
			Running start(Path folder, Class<?>... application) throws LifecycleException {
				Tomcat tomcat = new Tomcat();
				tomcat.setBaseDir(folder.toString());
				tomcat.setPort(0);
				Context web = tomcat.addContext("", null);
				AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
				context.register(Mvc.class, AbortedRequestsAutoConfiguration.class);
				context.register(application);
				Tomcat.addServlet(web, "app", new DispatcherServlet(context)).addMapping("/");
				tomcat.start();
				ThreadsOfTomcat.outlive(web.getLoader().getClassLoader());
				return new Running(tomcat.getConnector().getLocalPort(), () -> {
					try {
						tomcat.stop();
						tomcat.destroy();
					}
					catch (LifecycleException ex) {
						throw new IOException(ex);
					}
				});
			}

		},

		WEBFLUX {

			@Override
			Running start(Path folder, Class<?>... application) {
				AnnotationConfigReactiveWebApplicationContext context = new AnnotationConfigReactiveWebApplicationContext();
				context.register(WebFlux.class, AbortedRequestsAutoConfiguration.class);
				context.register(application);
				context.refresh();
				DisposableServer server = HttpServer.create()
					.host("127.0.0.1")
					.handle(new ReactorHttpHandlerAdapter(WebHttpHandlerBuilder.applicationContext(context).build()))
					.bindNow();
				return new Running(server.port(), () -> {
					server.disposeNow();
					context.close();
				});
			}

		};

		abstract Running start(Path folder, Class<?>... application) throws Exception;

	}

	/**
	 * A server that runs.
	 */
	record Running(int port, Closeable server) implements Closeable {

		HttpResponse<String> get(String path) throws IOException, InterruptedException {
			return get(path, "en");
		}

		HttpResponse<String> get(String path, String language) throws IOException, InterruptedException {
			return HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/" + path))
					.header("Accept-Language", language)
					.timeout(Duration.ofSeconds(20))
					.build(), BodyHandlers.ofString());
		}

		@Override
		public void close() throws IOException {
			this.server.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class German {

		@Bean
		RefusalText refusalText() {
			return (locale) -> (locale.getLanguage().equals("de")) ? "Das geht nicht." : "No.";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class Mvc {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class WebFlux {

	}

	@RestControllerAdvice
	static class Advice {

		@ExceptionHandler(RuntimeException.class)
		String handle(RuntimeException ex) {
			return "of the application";
		}

	}

	@RestController
	static class Questions {

		@GetMapping("/fine")
		String fine() {
			return "fine";
		}

		@GetMapping("/broken")
		String broken() {
			throw new IllegalStateException("broken");
		}

		@GetMapping("/blocked")
		String blocked() {
			PreRunHook hook = (run) -> RunDecision.deny(REASON);
			new RunHookChain(List.of(hook), List.of()).begin(AgentRun.of("hello", CallContext.empty()));
			return "fine";
		}

		@GetMapping("/turn")
		String turn() {
			return call((call) -> ToolDecision.abortTurn(REASON));
		}

		@GetMapping("/run")
		String run() {
			return call((call) -> ToolDecision.abortRun(REASON));
		}

		@GetMapping("/wrapped")
		String wrapped() {
			try {
				return run();
			}
			catch (RuntimeException ex) {
				throw new CompletionException(new IllegalStateException(ex));
			}
		}

		@GetMapping("/waiting-call")
		String waitingCall() {
			ToolHookChain chain = new ToolHookChain(List.of((call) -> ToolDecision.ask("Really?")), List.of(),
					(call, question) -> question.pendingAs("q-1"));
			return chain.execute(ToolCall.of("t", Map.of()), (call) -> ToolResult.success("fine")).toString();
		}

		@GetMapping("/waiting-turn")
		String waitingTurn() {
			try {
				return waitingCall();
			}
			catch (TurnSuspendedException ex) {
				throw new CompletionException(new ApprovalPendingException(List.of(ex)));
			}
		}

		private static String call(PreToolHook hook) {
			return new ToolHookChain(List.of(hook), List.of())
				.execute(ToolCall.of("t", Map.of()), (call) -> ToolResult.success("fine"))
				.toString();
		}

		@GetMapping("/model")
		String model() {
			PreLlmHook hook = (call) -> LlmDecision.abortRun(REASON);
			return new LlmHookChain(List.of(hook), List.of(), List.of())
				.execute(LlmCall.of(LlmMessage.user("hello")), (call) -> LlmResponse.of("fine"))
				.toString();
		}

	}

}
