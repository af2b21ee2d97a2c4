package io.agenthooks.spring.approval;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.approval.TestApprovalServer.Events;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurn.Status;
import io.agenthooks.spring.suspend.ContinuedTurns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the answers of agents that went on, over HTTP: {@link Answers}.
 */
class AnswersTests {

	private static final String PATH = TestApprovalServer.PATH + "/answers/q-1";

	private static final JsonMapper json = new JsonMapper();

	private static TestApprovalServer start(WebApplicationType type) {
		TestApprovalServer server = TestApprovalServer.start(type, (type == WebApplicationType.SERVLET)
				? TestApprovalServer.MvcWithoutTokens.class : TestApprovalServer.WebFluxWithoutTokens.class,
				Continuing.class);
		server.approvals().ask(MemoryApprovals.question("q-1", "eve", "{}"));
		tell(server, new ContinuedTurn(Status.RUNNING, null, null, List.of()));
		return server;
	}

	private static void tell(TestApprovalServer server, ContinuedTurn turn) {
		server.context().getBean(Turns.class).turns.put("q-1", turn);
	}

	private static ContinuedTurn answered() {
		return new ContinuedTurn(Status.ANSWERED, "I wrote to \u00e9va", "secret of the operator", List.of());
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void userOfTheAgentReadsTheAnswerWhenItIsThere(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			HttpResponse<String> early = server.get(PATH, TestApprovalServer.as("eve"));
			assertThat(early.statusCode()).isEqualTo(202);
			assertThat(json.readTree(early.body()).get("status").asString()).isEqualTo("running");
			tell(server, answered());
			HttpResponse<String> answer = server.get(PATH, TestApprovalServer.as("eve"));
			assertThat(answer.statusCode()).isEqualTo(200);
			assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
			assertThat(answer.headers().allValues("Cache-Control")).containsExactly("no-store");
			JsonNode body = json.readTree(answer.body());
			assertThat(body.get("status").asString()).isEqualTo("answered");
			assertThat(body.get("answer").asString()).isEqualTo("I wrote to \u00e9va");
			assertThat(answer.body()).doesNotContain("secret");
			tell(server, new ContinuedTurn(Status.PENDING, null, null, List.of("q-2")));
			HttpResponse<String> again = server.get(PATH, TestApprovalServer.as("eve"));
			assertThat(json.readTree(again.body()).get("approvals")).singleElement()
				.satisfies((id) -> assertThat(id.asString()).isEqualTo("q-2"));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void nobodyElseLearnsThatThereIsAnAnswer(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			tell(server, answered());
			for (String path : List.of(PATH, PATH + "/events")) {
				HttpResponse<String> approver = server.get(path, TestApprovalServer.as("ann"));
				assertThat(approver.statusCode()).isEqualTo(404);
				assertThat(approver.body()).doesNotContain("va");
				assertThat(server.get(path.replace("q-1", "q-9"), TestApprovalServer.as("ann")).body())
					.isEqualTo(approver.body());
				assertThat(server.get(path).statusCode()).isEqualTo(401);
				assertThat(server.get(path.replace("answers", "Answers"), TestApprovalServer.as("eve")).statusCode())
					.isEqualTo(404);
			}
			server.approvals().ask("q-2");
			assertThat(server.get(PATH.replace("q-1", "q-2"), TestApprovalServer.as("eve")).statusCode())
				.isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void turnThatGoesOnByHandHasNoAnswer(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.context().getBean(Turns.class).turns.clear();
			assertThat(server.get(PATH, TestApprovalServer.as("eve")).statusCode()).isEqualTo(404);
			assertThat(server.get(PATH + "/events", TestApprovalServer.as("eve")).statusCode()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void answerThatCannotBeReadIsNotThere(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().broken = true;
			HttpResponse<String> broken = server.get(PATH, TestApprovalServer.as("eve"));
			assertThat(broken.statusCode()).isEqualTo(503);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void streamTellsEachStateAndEndsWithTheAnswer(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type);
				Events eve = server.eventsOf(PATH + "/events", TestApprovalServer.as("eve"))) {
			assertThat(eve.status()).isEqualTo(200);
			await().untilAsserted(() -> assertThat(eve.lines()).contains("event: running"));
			assertThat(eve.ended()).isFalse();
			tell(server, answered());
			await().untilAsserted(() -> assertThat(eve.ended()).isTrue());
			assertThat(eve.lines()).containsOnlyOnce("event: running", "event: answered")
				.anyMatch((line) -> line.startsWith("data: ") && line.contains("I wrote to"))
				.noneMatch((line) -> line.contains("secret"));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void nothingIsServedIfNoTurnGoesOnByItself(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.startWithoutTokens(type)) {
			server.approvals().ask(MemoryApprovals.question("q-1", "eve", "{}"));
			assertThat(server.context().getBeanProvider(Answers.class).getIfAvailable()).isNull();
			assertThat(server.get(PATH, TestApprovalServer.as("eve")).statusCode()).isEqualTo(404);
		}
	}

	/** Turns that go on. */
	@Configuration(proxyBeanMethods = false)
	static class Continuing {

		@Bean
		Turns turns() {
			return new Turns();
		}

	}

	/** What a test says of turns. */
	static final class Turns implements ContinuedTurns {

		final Map<String, ContinuedTurn> turns = new ConcurrentHashMap<>();

		@Override
		public Optional<ContinuedTurn> find(String approvalId) {
			return Optional.ofNullable(this.turns.get(approvalId));
		}

	}

}
