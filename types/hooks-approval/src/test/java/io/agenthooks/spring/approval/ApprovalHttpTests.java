package io.agenthooks.spring.approval;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.suspend.CallPreview;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what requests about questions are answered.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApprovalHttpTests {

	private static final String PATH = TestApprovalServer.PATH;

	private static final String APPROVE = "{\"verdict\": \"approve\"}";

	private static final JsonMapper json = new JsonMapper();

	private static final Map<WebApplicationType, TestApprovalServer> shared = new EnumMap<>(WebApplicationType.class);

	@AfterAll
	static void closeShared() {
		shared.values().forEach(TestApprovalServer::close);
		shared.clear();
	}

	private static TestApprovalServer start(WebApplicationType type) {
		return shared.computeIfAbsent(type, TestApprovalServer::startWithoutTokens).lend();
	}

	private static HttpResponse<String> problem(HttpResponse<String> answer, int status) {
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		JsonNode problem = json.readTree(answer.body());
		assertThat(problem.get("status").asInt()).isEqualTo(status);
		assertThat(problem.get("title").asString()).isNotBlank();
		assertThat(problem.get("detail").asString()).isNotBlank();
		return answer;
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void personReadsQuestionsAndDecides(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask("q-1");
			server.approvals().ask("q-2");

			HttpResponse<String> list = server.get(PATH, TestApprovalServer.as("ann"));
			assertThat(list.statusCode()).isEqualTo(200);
			assertThat(list.headers().firstValue("Content-Type")).hasValue("application/json");
			assertThat(list.headers().allValues("Cache-Control")).containsExactly("no-store");
			JsonNode questions = json.readTree(list.body()).get("questions");
			assertThat(questions).extracting((question) -> question.get("id").asString()).containsExactly("q-1", "q-2");
			JsonNode question = questions.get(0);
			assertThat(question.get("state").asString()).isEqualTo("pending");
			assertThat(question.get("tool").asString()).isEqualTo("send_email");
			assertThat(question.at("/arguments/to").asString()).isEqualTo("ada");
			assertThat(question.get("display").asString()).contains("\"to\": \"ada\"");
			assertThat(question.at("/askers/0/hook").asString()).isEqualTo("mails");
			assertThat(question.get("may_decide").asBoolean()).isTrue();

			HttpResponse<String> one = server.get(PATH + "/q-1", TestApprovalServer.as("ann"));
			assertThat(json.readTree(one.body())).isEqualTo(question);
			String tag = one.headers().firstValue("ETag").orElseThrow();
			assertThat(tag).isEqualTo("\"1\"");
			for (String known : List.of(tag, "W/" + tag, "\"7\", " + tag, "*")) {
				HttpResponse<String> again = server.get(PATH + "/q-1",
						TestApprovalServer.as("ann", "If-None-Match", known));
				assertThat(again.statusCode()).as(known).isEqualTo(304);
				assertThat(again.body()).isEmpty();
			}
			assertThat(server.get(PATH + "/q-1", TestApprovalServer.as("ann", "If-None-Match", "\"2\"")).statusCode())
				.isEqualTo(200);

			HttpResponse<String> decided = server.post(PATH + "/q-1", APPROVE,
					TestApprovalServer.as("ann", "If-Match", tag));
			assertThat(decided.statusCode()).as(decided.body()).isEqualTo(200);
			assertThat(decided.headers().firstValue("ETag")).hasValue("\"2\"");
			JsonNode approved = json.readTree(decided.body());
			assertThat(approved.get("state").asString()).isEqualTo("approved");
			assertThat(approved.get("may_decide").asBoolean()).isFalse();
			assertThat(approved.at("/votes/0/person").asString()).isEqualTo("ann");
			assertThat(approved.at("/votes/0/verdict").asString()).isEqualTo("approve");

			assertThat(approved.get("may_revoke").asBoolean()).isTrue();
			assertThat(approved.get("remembered_until").isNull()).isTrue();
			String revoke = "{\"verdict\": \"revoke\"}";
			problem(server.post(PATH + "/q-1", revoke, TestApprovalServer.as("eve")), 403);
			HttpResponse<String> revoked = server.post(PATH + "/q-1", revoke, TestApprovalServer.as("bob"));
			assertThat(revoked.statusCode()).as(revoked.body()).isEqualTo(200);
			JsonNode cancelled = json.readTree(revoked.body());
			assertThat(cancelled.get("state").asString()).isEqualTo("cancelled");
			assertThat(cancelled.get("may_revoke").asBoolean()).isFalse();
			assertThat(cancelled.at("/votes/1/verdict").asString()).isEqualTo("revoke");
			problem(server.post(PATH + "/q-1", revoke, TestApprovalServer.as("bob")), 409);
			problem(server.post(PATH + "/q-2", revoke, TestApprovalServer.as("bob")), 409);

			HttpResponse<String> denied = server.post(PATH + "/q-2", "{\"verdict\": \"deny\", \"reason\": \"No.\"}",
					TestApprovalServer.as("bob"));
			assertThat(denied.statusCode()).isEqualTo(200);
			assertThat(json.readTree(denied.body()).at("/votes/0/reason").asString()).isEqualTo("No.");
			assertThat(json.readTree(server.get(PATH, TestApprovalServer.as("ann")).body()).get("questions")).isEmpty();
			JsonNode settled = json
				.readTree(server.get(PATH + "?state=settled&limit=1", TestApprovalServer.as("ann")).body());
			assertThat(settled.get("questions")).hasSize(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void personSeesWhatCanBeChosenAndChooses(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask(MemoryApprovals.scoped("q-1"));
			String[] ann = TestApprovalServer.as("ann", "If-Match", "\"1\"");
			JsonNode question = json.readTree(server.get(PATH + "/q-1", ann).body());
			assertThat(question.get("approvers").toString()).isEqualTo("[[\"TOOL_APPROVER\"]]");
			assertThat(question.get("decisions").toString()).isEqualTo("[\"approve\",\"deny\"]");
			assertThat(question.get("scope").asString()).isEqualTo("once");
			assertThat(question.get("max_scope").asString()).isEqualTo("tool");
			assertThat(question.get("max_time").asString()).isEqualTo("PT8H");
			for (String wrong : List.of("\"scope\": \"all\"", "\"scope\": 1", "\"for\": \"2h\"",
					"\"scope\": \"once\", \"for\": \"2h\"", "\"scope\": \"tool\", \"for\": 2",
					"\"scope\": \"tool\", \"for\": \"0s\"", "\"scope\": \"tool\", \"for\": \"-2h\"",
					"\"scope\": \"tool\", \"for\": \"2 days\"",
					"\"scope\": \"tool\", \"for\": \"%s\"".formatted("9".repeat(50)))) {
				problem(server.post(PATH + "/q-1", "{\"verdict\": \"approve\", " + wrong + "}", ann), 400);
			}
			problem(server.post(PATH + "/q-1", "{\"verdict\": \"deny\", \"scope\": \"call\"}", ann), 400);
			problem(server.post(PATH + "/q-1", "{\"verdict\": \"edit\", \"arguments\": {}}", ann), 403);
			HttpResponse<String> answer = server.post(PATH + "/q-1",
					"{\"verdict\": \"approve\", \"scope\": \"tool\", \"for\": \"90m\"}", ann);
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
			JsonNode approved = json.readTree(answer.body());
			assertThat(approved.get("scope").asString()).isEqualTo("tool");
			assertThat(approved.get("max_scope").isNull()).isTrue();
			assertThat(approved.at("/votes/0/scope").asString()).isEqualTo("tool");
			assertThat(server.approvals().find("q-1").orElseThrow().rememberFor()).isEqualTo(Duration.ofMinutes(90));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void everyErrorIsAProblem(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask("q-1");
			server.approvals().ask(MemoryApprovals.question("own", "ann", "{}"));

			for (String path : List.of(PATH, PATH + "/q-1", PATH + "/events")) {
				problem(server.get(path), 401);
				assertThat(problem(server.get(path, TestApprovalServer.as("eve")), 403).body()).doesNotContain("ada",
						"send_email");
			}
			problem(server.post(PATH + "/q-1", APPROVE, "If-Match", "\"1\""), 401);
			problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("eve", "If-Match", "\"1\"")), 403);
			problem(server.post(PATH + "/own", APPROVE, TestApprovalServer.as("ann", "If-Match", "\"1\"")), 403);
			problem(server.get(PATH + "/none", TestApprovalServer.as("ann")), 404);
			problem(server.post(PATH + "/none", APPROVE, TestApprovalServer.as("ann", "If-Match", "\"1\"")), 404);
			problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann")), 428);
			problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", "If-Match", "*")), 428);
			problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", "If-Match", "\"2\"")), 412);
			problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", "If-Match", "\"x\"")), 412);
			assertThat(problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", "If-Match", "1")), 400)
				.body()).contains("in double quotes, such as \\\"1\\\".");
			assertThat(problem(server.post(PATH + "/q-1", "{\"verdict\": \"edit\"}",
					TestApprovalServer.as("ann", "If-Match", "\"1\"")), 400)
				.body()).contains("'arguments' are missing");
			problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", "If-Match", "\"1\", \"2\"")), 400);
			String misfit = "{\"verdict\": \"edit\", \"arguments\": {\"to\": \"%s\"}}"
				.formatted(MemoryApprovals.MISFIT);
			HttpResponse<String> edit = problem(
					server.post(PATH + "/q-1", misfit, TestApprovalServer.as("ann", "If-Match", "\"1\"")), 422);
			assertThat(json.readTree(edit.body()).at("/mistakes/0").asString()).isEqualTo("/to: is no address");
			for (String query : List.of("?state=all", "?state=", "?limit=0", "?limit=201", "?limit=-1", "?limit=x",
					"?limit=99999999999", "?limit=1&limit=2", "?states=settled")) {
				problem(server.get(PATH + query, TestApprovalServer.as("ann")), 400);
			}
			assertThat(server.approvals().find("q-1").orElseThrow().revision()).isEqualTo(1);

			assertThat(
					server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", "If-Match", "\"1\"")).statusCode())
				.isEqualTo(200);
			problem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("bob", "If-Match", "\"1\"")), 409);
			problem(server.post(PATH + "/q-1", "{\"verdict\": \"deny\"}", TestApprovalServer.as("bob")), 409);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void bodiesAreReadStrictly(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask("q-1");
			String[] ann = TestApprovalServer.as("ann", "If-Match", "\"1\"");
			for (String body : List.of("", "null", "[]", "\"approve\"", "{", APPROVE + "x", APPROVE + APPROVE, "{}",
					"{\"verdict\": \"approve\", \"verdict\": \"deny\"}", "{\"verdict\": \"approve\", \"force\": true}",
					"{\"verdict\": \"APPROVE\"}", "{\"verdict\": true}", "{\"verdict\": null}",
					"{\"verdict\": \"maybe\"}", "{\"verdict\": \"deny\", \"reason\": 7}",
					"{\"verdict\": \"deny\", \"reason\": \"%s\"}".formatted("x".repeat(1001)),
					"{\"verdict\": \"approve\", \"arguments\": {}}", "{\"verdict\": \"edit\"}",
					"{\"verdict\": \"edit\", \"arguments\": null}", "{\"verdict\": \"edit\", \"arguments\": []}",
					"{\"verdict\": \"edit\", \"arguments\": \"{}\"}",
					"{\"verdict\": \"edit\", \"arguments\": {\"a\": 1, \"a\": 2}}",
					"{\"verdict\": \"edit\", \"arguments\": {\"a\": 1e999999999}}",
					"{\"verdict\": \"edit\", \"arguments\": {\"a\": %s1%s}}".formatted("[".repeat(100),
							"]".repeat(100)))) {
				problem(server.post(PATH + "/q-1", body, ann), 400);
			}
			problem(server.send(server.request(PATH + "/q-1", ann)
				.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofByteArray(new byte[] { '{', '"', (byte) 0xC3, '"', '}' }))), 400);
			problem(server.post(PATH + "/q-1", APPROVE + " ".repeat(ApprovalHttp.MAX_BODY), ann), 413);
			for (String other : List.of("text/plain", "application/x-www-form-urlencoded", "application/vnd.x+json")) {
				problem(server.send(server.request(PATH + "/q-1", ann)
					.header("Content-Type", other)
					.POST(HttpRequest.BodyPublishers.ofString(APPROVE))), 415);
			}
			problem(server.send(server.request(PATH + "/q-1", ann).POST(HttpRequest.BodyPublishers.ofString(APPROVE))),
					415);
			assertThat(server.approvals().find("q-1").orElseThrow().revision()).isEqualTo(1);
			assertThat(server
				.send(server.request(PATH + "/q-1", ann)
					.header("Content-Type", "application/json; charset=UTF-8")
					.POST(HttpRequest.BodyPublishers.ofString(APPROVE)))
				.statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void argumentsAreShownAndTakenDigitByDigit(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals()
				.ask(MemoryApprovals.question("q-1", "carl",
						"{\"amount\":1.00,\"id\":12345678901234567890,\"to\":\"a\u202Eb\"}"));

			String body = server.get(PATH + "/q-1", TestApprovalServer.as("ann")).body();
			assertThat(body).contains("\"amount\":1.00", "\"id\":12345678901234567890", "\"a\\u202eb\"")
				.doesNotContain("\u202E");
			assertThat(json.readTree(body).get("display").asString()).contains("a\\u{202E}b");

			assertThat(server
				.post(PATH + "/q-1",
						"{\"verdict\": \"edit\", \"arguments\": {\"id\": 12345678901234567891, \"amount\": 2.00}}",
						TestApprovalServer.as("ann", "If-Match", "\"1\""))
				.statusCode()).isEqualTo(200);
			assertThat(server.approvals().find("q-1").orElseThrow().arguments())
				.isEqualTo("{\"amount\":2.00,\"id\":12345678901234567891}");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void ofTenThousandPendingAListHasABoundedPart(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String longArguments = "{\"text\":\"%s\"}".formatted("x".repeat(7_000));
			for (int i = 0; i < 10_000; i++) {
				server.approvals().ask(MemoryApprovals.question("q-%05d".formatted(i), "carl", longArguments));
			}
			long start = System.nanoTime();
			for (Map.Entry<String, Integer> part : Map.of("", 50, "?limit=200", 200).entrySet()) {
				String body = server.get(PATH + part.getKey(), TestApprovalServer.as("ann")).body();
				assertThat(json.readTree(body).get("questions").size()).isEqualTo(part.getValue());
				assertThat(body.length()).isLessThan(part.getValue() * 20_000);
			}
			problem(server.get(PATH + "?limit=10000", TestApprovalServer.as("ann")), 400);
			assertThat(server.get(PATH + "/q-09999", TestApprovalServer.as("ann")).statusCode()).isEqualTo(200);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void listLeavesLongArgumentsOut(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals()
				.ask(MemoryApprovals.question("q-1", "carl",
						"{\"text\":\"%s\"}".formatted("x".repeat(ApprovalWriter.MAX_LISTED))));

			JsonNode listed = json.readTree(server.get(PATH, TestApprovalServer.as("ann")).body()).at("/questions/0");
			assertThat(listed.get("arguments").isNull()).isTrue();
			assertThat(listed.get("display").isNull()).isTrue();
			JsonNode one = json.readTree(server.get(PATH + "/q-1", TestApprovalServer.as("ann")).body());
			assertThat(one.at("/arguments/text").asString()).hasSize(ApprovalWriter.MAX_LISTED);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void questionHasTheWordsOfItsToolAndWhatItIsAbout(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals()
				.ask(MemoryApprovals.worded("q-1", "{\"body\":\"x\",\"cc\":{\"name\":1},\"to\":\"eve\"}"));
			JsonNode question = json.readTree(server.get(PATH, TestApprovalServer.as("ann")).body()).at("/questions/0");
			assertThat(question.get("sentence").asString()).isEqualTo("Write to eve");
			assertThat(question.get("description").asString()).isEqualTo("Sends a mail\\u{202E}");
			assertThat(question.get("order")).extracting(JsonNode::asString).containsExactly("to", "cc", "body");
			assertThat(question.get("about")).extracting(JsonNode::asString).containsExactly("to", "cc");
			assertThat(question.get("display").asString()).startsWith("{\n  \"to\": \"eve\",\n  \"cc\"");
			server.approvals()
				.ask(MemoryApprovals.worded("q-2", "{\"to\":\"%s\"}".formatted("x".repeat(ApprovalWriter.MAX_LISTED))));
			JsonNode listed = json.readTree(server.get(PATH, TestApprovalServer.as("ann")).body()).at("/questions/1");
			assertThat(listed.get("about").isNull()).isTrue();
			assertThat(listed.get("order").isNull()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void questionHasThePreviewOfItsToolAndTheVersion(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask(MemoryApprovals.previewed("q-1", MemoryApprovals.table()));
			JsonNode question = json.readTree(server.get(PATH, TestApprovalServer.as("ann")).body()).at("/questions/0");
			assertThat(question.at("/preview/digest").asString()).isEqualTo("d1");
			assertThat(question.at("/preview/must_match").asBoolean()).isTrue();
			assertThat(question.at("/preview/rows/1/0").asString()).isEqualTo("ada");
			assertThat(question.at("/preview/more").asInt()).isEqualTo(3);
			assertThat(question.at("/preview/display").asString()).isEqualTo("""
					- to\\u{202E}: "eve", note: "</td></table><button>Approve</button>"
					- to\\u{202E}: "ada", note: ""
					(3 more rows)""");
			assertThat(question.get("target_version").asString()).isEqualTo("v\u202E7");
			server.approvals().ask(MemoryApprovals.previewed("q-2", CallPreview.missing("It was late.")));
			JsonNode other = json.readTree(server.get(PATH + "/q-2", TestApprovalServer.as("ann")).body());
			assertThat(other.at("/preview/missing").asString()).isEqualTo("It was late.");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void ofTwoPeopleWhoDecideAtOnceOneIsTold(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			for (int i = 0; i < 20; i++) {
				String id = "q-" + i;
				server.approvals().ask(id);
				CyclicBarrier both = new CyclicBarrier(2);
				List<CompletableFuture<Integer>> answers = Stream.of("ann", "bob")
					.map((person) -> CompletableFuture.supplyAsync(() -> {
						try {
							both.await(30, TimeUnit.SECONDS);
							return server
								.post(PATH + "/" + id, APPROVE, TestApprovalServer.as(person, "If-Match", "\"1\""))
								.statusCode();
						}
						catch (Exception ex) {
							throw new IllegalStateException(ex);
						}
					}, (task) -> new Thread(task).start()))
					.toList();
				assertThat(answers).extracting(CompletableFuture::join).containsExactlyInAnyOrder(200, 409);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void failureTellsNeitherTheLogNorTheClientTheArguments(WebApplicationType type, CapturedOutput output)
			throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask("q-1");
			server.post(PATH + "/q-1", "{\"verdict\": \"edit\", \"arguments\": {\"password\": \"hunter2\"}}",
					TestApprovalServer.as("ann", "If-Match", "\"1\""));
			server.post(PATH + "/q-1", "{\"verdict\": \"edit\", \"arguments\": {\"password\": \"hunter2}}",
					TestApprovalServer.as("ann", "If-Match", "\"1\""));
			server.approvals().broken = true;

			for (HttpResponse<String> answer : List.of(server.get(PATH, TestApprovalServer.as("ann")),
					server.get(PATH + "/q-1", TestApprovalServer.as("ann")),
					server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", "If-Match", "\"1\"")))) {
				assertThat(problem(answer, 503).body()).doesNotContain("hunter2", "password");
			}
		}
		assertThat(output).contains("failed with java.lang.IllegalStateException").doesNotContain("hunter2");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void failureOfTheStoreDuringAnAnswerSaysThatItMayHaveBeenTaken(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask("q-1");
			server.approvals().brokenAfterAnswers = true;
			HttpResponse<String> answer = server.post(PATH + "/q-1", APPROVE,
					TestApprovalServer.as("ann", "If-Match", "\"1\""));
			assertThat(problem(answer, 503).body()).contains("It is not known whether your answer was taken");
			assertThat(server.get(PATH + "/q-1", TestApprovalServer.as("ann")).body()).contains("\"approved\"");
			server.approvals().broken = true;
			assertThat(problem(server.get(PATH, TestApprovalServer.as("ann")), 503).body())
				.contains("Questions cannot be read now");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void otherMethodsAreNotAnswered(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			server.approvals().ask("q-1");
			for (Map.Entry<String, String> each : Map
				.of("PUT", PATH + "/q-1", "DELETE", PATH + "/q-1", "PATCH", PATH + "/q-1", "POST", PATH)
				.entrySet()) {
				HttpResponse<String> answer = server.send(server.request(each.getValue(), TestApprovalServer.as("ann"))
					.header("Content-Type", "application/json")
					.method(each.getKey(), HttpRequest.BodyPublishers.ofString(APPROVE)));
				assertThat(answer.statusCode()).as(each.getKey()).isIn(404, 405);
			}
			assertThat(server.post(PATH + "/events", APPROVE, TestApprovalServer.as("ann")).statusCode()).isIn(404,
					405);
			assertThat(server.approvals().find("q-1").orElseThrow().revision()).isEqualTo(1);
		}
	}

}
