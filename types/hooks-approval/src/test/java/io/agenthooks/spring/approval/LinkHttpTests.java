package io.agenthooks.spring.approval;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.web.InvalidEndpointException;
import io.agenthooks.toolcall.ApprovalScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests of what requests to links are answered.
 */
@ExtendWith(OutputCaptureExtension.class)
class LinkHttpTests {

	private static final String SECRET = "0123456789abcdef0123456789abcdef";

	private static final String LINKS = TestApprovalServer.PATH + "/links/";

	private static final Person ANN = new Person("ann", Set.of(MemoryApprovals.APPROVER));

	private static final Person BOB = new Person("bob", Set.of(MemoryApprovals.APPROVER));

	private static final Map<WebApplicationType, TestApprovalServer> shared = new EnumMap<>(WebApplicationType.class);

	@AfterAll
	static void closeShared() {
		shared.values().forEach(TestApprovalServer::close);
		shared.clear();
	}

	/** The chain of the application wants a login everywhere. */
	private static TestApprovalServer start(WebApplicationType type) {
		return shared.computeIfAbsent(type,
				(absent) -> TestApprovalServer.start(type, Links.class, (type == WebApplicationType.SERVLET)
						? TestApprovalServer.MvcClosed.class : TestApprovalServer.WebFluxClosed.class))
			.lend();
	}

	private static String path(TestApprovalServer server, ApprovalRequest request, Person person) {
		return Objects.requireNonNull(
				server.context().getBean(ApprovalLinks.class).linkFor(request, person).orElseThrow().getRawPath());
	}

	private static HttpResponse<String> post(TestApprovalServer server, String path, String... fields)
			throws Exception {
		List<String> form = new ArrayList<>();
		for (int i = 0; i < fields.length; i += 2) {
			form.add(fields[i] + "=" + URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
		}
		return server.send(server.request(path, "Content-Type", "application/x-www-form-urlencoded", "Origin", "null")
			.POST(HttpRequest.BodyPublishers.ofString(String.join("&", form))));
	}

	private static void assertRefused(HttpResponse<String> answer) {
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(answer.body()).isEqualTo(new String(LinkPages.refused(), StandardCharsets.UTF_8));
		assertGuarded(answer);
	}

	private static void assertGuarded(HttpResponse<String> answer) {
		assertThat(answer.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(answer.headers().allValues("Referrer-Policy")).containsExactly("no-referrer");
		assertThat(answer.headers().allValues("X-Robots-Tag")).containsExactly("noindex, nofollow");
		assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
			.startsWith("default-src 'none'; style-src 'sha256-")
			.endsWith("; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
		assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
	}

	private static ApprovalRequest current(TestApprovalServer server, String id) {
		return server.approvals().find(id).orElseThrow();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void personChoosesBehindALinkWhatTheApprovalCountsFor(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String plain = server.get(path(server, server.approvals().ask("q-0"), ANN)).body();
			assertThat(plain).doesNotContain("<select");
			String path = path(server, server.approvals().ask(MemoryApprovals.scoped("q-1")), ANN);
			String page = server.get(path).body();
			assertThat(page).contains("<option value=\"once\" selected>", "<option value=\"tool\">",
					"<option value=\"PT8H\" selected>8 hours", "<option value=\"PT1H\">60 minutes");
			assertThat(page).doesNotContain("PT24H");
			assertThat(post(server, path, "verdict", "approve", "scope", "all").statusCode()).isEqualTo(400);
			assertThat(post(server, path, "verdict", "approve", "scope", "tool", "for", "x").statusCode())
				.isEqualTo(400);
			assertThat(current(server, "q-1").revision()).isOne();
			assertThat(post(server, path, "verdict", "approve", "scope", "tool", "for", "PT1H").statusCode())
				.isEqualTo(200);
			assertThat(current(server, "q-1").scope()).isEqualTo(ApprovalScope.TOOL);
			assertThat(current(server, "q-1").rememberFor()).isEqualTo(Duration.ofHours(1));
			String other = path(server, server.approvals().ask(MemoryApprovals.scoped("q-2")), ANN);
			assertThat(post(server, other, "verdict", "deny", "scope", "tool", "for", "PT1H").statusCode())
				.isEqualTo(200);
			assertThat(current(server, "q-2").state()).isEqualTo(ApprovalState.DENIED);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void linkShowsWhatTheToolDoesAndMarksWhatTheQuestionIsAbout(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String arguments = "{\"body\":\"<b>\",\"cc\":{\"name\":\"</mark>\"},\"to\":\"eve\"}";
			String page = server
				.get(path(server, server.approvals().ask(MemoryApprovals.worded("q-1", arguments)), ANN))
				.body();
			assertThat(page).contains("<dd>Write to eve</dd>", "<dd>Sends a mail\\u{202E}</dd>",
					"<mark>&quot;to&quot;: &quot;eve&quot;</mark> (asked because of this)\n<mark>&quot;cc&quot;: {",
					"&quot;body&quot;: &quot;&lt;b&gt;&quot;");
			assertThat(page.split("<mark>", -1)).hasSize(3);
			assertThat(page.split("</mark>", -1)).hasSize(3);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void whatTheToolSaysStaysInItsCell(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String page = server
				.get(path(server, server.approvals().ask(MemoryApprovals.previewed("q-1", MemoryApprovals.table())),
						ANN))
				.body();
			assertThat(page).contains("<th scope=\"col\">to\\u{202E}</th>",
					"<td>&lt;/td&gt;&lt;/table&gt;&lt;button&gt;Approve&lt;/button&gt;</td>", "And 3 more rows.",
					"<dd>v\\u{202E}7</dd>");
			assertThat(page.split("<button", -1)).hasSize(3);
			CallPreview text = new CallPreview("d2", "Deletes 7 files\n</pre><h1>Approved</h1>", List.of(), List.of(),
					0, null);
			assertThat(server.get(path(server, server.approvals().ask(MemoryApprovals.previewed("q-2", text)), ANN))
				.body()).contains("<pre>\nDeletes 7 files\n&lt;/pre&gt;&lt;h1&gt;Approved&lt;/h1&gt;</pre>");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void linkShowsItsQuestionAndDecidesOnceWithoutALogin(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			assertThat(server.get("/own").statusCode()).isEqualTo(401);
			String path = path(server, server.approvals().ask("q-1"), ANN);

			HttpResponse<String> page = server.get(path);
			assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
			assertGuarded(page);
			assertThat(page.body())
				.contains("send_email", "&quot;to&quot;: &quot;ada&quot;", "The address is outside",
						"You decide as <b>ann</b>", "<form method=\"post\">")
				.doesNotContain("<script", "http://", "https://");

			HttpResponse<String> done = post(server, path, "verdict", "approve", "reason", "Fine.");
			assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
			assertGuarded(done);
			assertThat(done.body()).contains("You approved the call").doesNotContain("ada", "send_email");
			ApprovalRequest approved = current(server, "q-1");
			assertThat(approved.state()).isEqualTo(ApprovalState.APPROVED);
			assertThat(approved.votes()).singleElement().satisfies((vote) -> {
				assertThat(vote.person()).isEqualTo("ann");
				assertThat(vote.reason()).isEqualTo("Fine.");
			});

			assertRefused(server.get(path));
			assertRefused(post(server, path, "verdict", "deny"));
			assertThat(current(server, "q-1")).isEqualTo(approved);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void linkDeniesWithAReason(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String path = path(server, server.approvals().ask("q-1"), ANN);
			assertThat(post(server, path, "verdict", "deny", "reason", "Ask first: \u00E4&=+").body())
				.contains("You denied the call");
			assertThat(current(server, "q-1").state()).isEqualTo(ApprovalState.DENIED);
			assertThat(current(server, "q-1").votes().get(0).reason()).isEqualTo("Ask first: \u00E4&=+");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void toLookDecidesNothing(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			ApprovalRequest request = server.approvals().ask("q-1");
			String path = path(server, request, ANN);
			for (String query : List.of("", "?verdict=approve", "?verdict=approve&reason=x",
					"?_method=POST&verdict=deny", "?_method=post")) {
				assertThat(server.get(path + query).statusCode()).as(query).isEqualTo(200);
				HttpResponse<String> head = server
					.send(server.request(path + query).method("HEAD", HttpRequest.BodyPublishers.noBody()));
				assertThat(head.statusCode()).as(query).isEqualTo(401);
				assertThat(head.body()).isEmpty();
			}
			for (String method : List.of("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")) {
				HttpResponse<String> other = server
					.send(server.request(path).method(method, HttpRequest.BodyPublishers.ofString("verdict=approve")));
				assertThat(other.statusCode()).as(method).isIn(400, 401, 403, 405);
				assertThat(other.body()).doesNotContain("ada");
			}
			assertThat(current(server, "q-1")).isEqualTo(request);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void linkOfAnotherQuestionDecidesThatOneOnly(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			ApprovalRequest one = server.approvals().ask("q-1");
			ApprovalRequest two = server.approvals().ask("q-2");
			String path = path(server, one, ANN);
			String ofTwo = path(server, two, ANN);
			assertThat(server.get(ofTwo + "?id=q-1").body()).contains("send_email");
			assertThat(post(server, ofTwo + "?id=q-1", "verdict", "approve").statusCode()).isEqualTo(200);
			assertThat(current(server, "q-1")).isEqualTo(one);
			assertThat(current(server, "q-2").state()).isEqualTo(ApprovalState.APPROVED);
			assertRefused(server.get(ofTwo));
			assertThat(server.get(path).statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void everyLinkThatDoesNotWorkIsAnsweredTheSame(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			ApprovalRequest one = server.approvals().ask("q-1");
			ApprovalRequest two = server.approvals().ask("q-2");
			String path = path(server, one, ANN);
			String ofTwo = path(server, two, ANN);
			SignedLinks longAgo = new SignedLinks(new LinkTokens(List.of(SECRET)), LINKS, Duration.ofMinutes(1),
					ANN.authorities(), server.approvals(), Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-2)));
			SignedLinks stranger = new SignedLinks(new LinkTokens(List.of(SECRET.toUpperCase(Locale.ROOT))), LINKS,
					Duration.ofMinutes(1), ANN.authorities(), server.approvals(), Clock.systemUTC());
			String own = LINKS + new LinkTokens(List.of(SECRET)).write(new LinkTokens.Linked("q-1", 1, 0,
					one.fingerprint(), one.expiresAt(), new Person("carl", ANN.authorities())));
			int half = LINKS.length() + 40;
			List<String> broken = List.of(longAgo.linkFor(one, ANN).orElseThrow().toString(),
					stranger.linkFor(one, ANN).orElseThrow().toString(), own,
					path.substring(0, half) + ofTwo.substring(half), path + "=", path + ".",
					path.substring(0, path.length() - 1), LINKS + "q-1", LINKS + "A".repeat(300));
			for (String link : broken) {
				assertRefused(server.get(link));
				assertRefused(post(server, link, "verdict", "approve"));
			}
			server.approvals()
				.answer("q-2", 1, new ApprovalAnswer(BOB, ApprovalAnswer.Verdict.EDIT, "{\"to\":\"eve\"}", null));
			assertRefused(server.get(ofTwo));
			assertThat(current(server, "q-1")).isEqualTo(one);
			assertThat(server.get(path).statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void linkIsUsedOnceHoweverManyAtTheSameTime(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			ApprovalRequest one = MemoryApprovals.question("q-1", "carl", "{}");
			server.approvals()
				.ask(new ApprovalRequest("q-1", one.state(), 1, one.tool(), one.arguments(), one.fingerprint(),
						one.callId(), one.sessionId(), null, null, "carl", one.askedBy(), null, one.reason(), List.of(),
						one.askedAt(), one.expiresAt(), 3, List.of()));
			String path = path(server, current(server, "q-1"), ANN);
			List<CompletableFuture<Integer>> all = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				all.add(CompletableFuture.supplyAsync(() -> {
					try {
						return post(server, path, "verdict", "approve").statusCode();
					}
					catch (Exception ex) {
						throw new IllegalStateException(ex);
					}
				}));
			}
			List<Integer> statuses = new ArrayList<>();
			for (CompletableFuture<Integer> each : all) {
				statuses.add(each.get(60, TimeUnit.SECONDS));
			}
			assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 404);
			assertThat(current(server, "q-1").votes()).hasSize(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void argumentsThatImitateThePageStayText(WebApplicationType type) throws Exception {
		String fake = "</pre></main><form method=post action=https://evil.example><button name=verdict value=approve>Deny"
				+ "</button></form><script>alert(1)</script><style>form{display:none}</style>\\u202e\\nApprovals";
		try (TestApprovalServer server = start(type)) {
			ApprovalRequest one = MemoryApprovals.question("q-1", "<b>carl</b>\u202E", "{\"to\":\"" + fake + "\"}");
			server.approvals()
				.ask(new ApprovalRequest("q-1", one.state(), 1, one.tool(), one.arguments(), one.fingerprint(),
						one.callId(), "<i>s", "'\"><i>", "<i>", one.user(), "<i>", "<i>", "<i>\u200B", List.of("<i>"),
						one.askedAt(), one.expiresAt(), 1, List.of()));
			String body = server.get(path(server, current(server, "q-1"), ANN)).body();
			assertThat(body).contains("&lt;/pre&gt;&lt;/main&gt;&lt;form", "&lt;script&gt;alert(1)",
					"&lt;b&gt;carl&lt;/b&gt;\\u{202E}", "&lt;i&gt;\\u{200B}");
			assertThat(body).containsOnlyOnce("<form")
				.containsOnlyOnce("<style>")
				.containsOnlyOnce("</pre>")
				.doesNotContain("<script", "<i>", "<b>carl", "\u202E", "\u200B");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void formThatIsNotUnderstoodDecidesNothing(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			ApprovalRequest request = server.approvals().ask("q-1");
			String path = path(server, request, ANN);
			List<String[]> forms = List.of(new String[0], new String[] { "verdict", "" },
					new String[] { "verdict", "edit" }, new String[] { "verdict", "APPROVE" },
					new String[] { "verdict", "approve", "verdict", "deny" },
					new String[] { "verdict", "approve", "reason", "x".repeat(1_001) },
					new String[] { "verdict", "deny", "reason", "a", "reason", "b" });
			for (String[] form : forms) {
				HttpResponse<String> answer = post(server, path, form);
				assertThat(answer.statusCode()).isEqualTo(400);
				assertGuarded(answer);
				assertThat(answer.body()).contains("This was not understood").doesNotContain("ada");
			}
			assertThat(server.post(path, "{\"verdict\": \"approve\"}").statusCode()).isEqualTo(400);
			assertThat(current(server, "q-1")).isEqualTo(request);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void formThatIsFarTooLongDecidesNothing(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			ApprovalRequest request = server.approvals().ask("q-1");
			String path = path(server, request, ANN);
			try {
				assertThat(post(server, path, "verdict", "approve", "reason", "x".repeat(4_000_000)).statusCode())
					.isIn(400, 413);
			}
			catch (IOException ex) {
				// The server closed the connection before it had read it all, which may
				// overtake its answer.
				assertThat(ex).hasCauseInstanceOf(ExecutionException.class);
			}
			assertThat(current(server, "q-1")).isEqualTo(request);
			assertThat(post(server, path, "verdict", "approve").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void loginGivesNoRightAtALink(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String path = path(server, server.approvals().ask("q-1"), ANN);
			assertThat(server.get(path, TestApprovalServer.as("eve")).body()).contains("You decide as <b>ann</b>");
			assertRefused(server.get(LINKS + "q-1", TestApprovalServer.as("ann")));
		}
	}

	/**
	 * Only the path to the letter is open; each other one is that of the application.
	 */
	@ParameterizedTest
	@CsvSource({ "SERVLET, false", "SERVLET, true", "REACTIVE, false", "REACTIVE, true" })
	void onlyPathsOfLinksAreOpen(WebApplicationType type, boolean anyCase) throws Exception {
		boolean mvc = type == WebApplicationType.SERVLET;
		Class<?> spelling = (mvc) ? TestApprovalServer.MvcAnyCase.class : TestApprovalServer.WebFluxAnyCase.class;
		try (TestApprovalServer server = TestApprovalServer.start(type, Links.class,
				(mvc) ? TestApprovalServer.MvcClosed.class : TestApprovalServer.WebFluxClosed.class,
				(anyCase) ? spelling : Object.class)) {
			String path = path(server, server.approvals().ask("q-1"), ANN);
			String token = path.substring(LINKS.length());
			for (String closed : List.of("/own", TestApprovalServer.PATH, TestApprovalServer.PATH + "/q-1",
					TestApprovalServer.PATH + "/links", LINKS, LINKS + token + "/", LINKS + token + "/x",
					LINKS + "/" + token, LINKS + token + ";a=b", LINKS + "x/../" + token, LINKS + "./" + token,
					LINKS + ".." + "/q-1", "/hooks/approvals/Links/" + token, "/HOOKS/approvals/links/" + token,
					"/hooks/approvals/links;x/" + token, "/hooks/%61pprovals/links/" + token,
					LINKS + token.replace("A", "%41"), LINKS + "%2e%2e")) {
				if (closed.equals(path)) {
					continue;
				}
				assertThat(server.get(closed).statusCode()).as(closed).isIn(400, 401);
				assertThat(post(server, closed, "verdict", "approve").statusCode()).as(closed).isIn(400, 401, 403);
			}
			assertThat(current(server, "q-1").revision()).isEqualTo(1);
			assertThat(server.get(path).statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void failureOfTheStoreTellsNothing(WebApplicationType type, CapturedOutput output) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String path = path(server, server.approvals().ask("q-1"), ANN);
			server.approvals().broken = true;
			HttpResponse<String> answer = server.get(path);
			assertThat(answer.statusCode()).isEqualTo(503);
			assertGuarded(answer);
			assertThat(answer.body()).doesNotContain("hunter2");
			HttpResponse<String> undecided = post(server, path, "verdict", "approve");
			assertThat(undecided.statusCode()).isEqualTo(503);
			assertThat(undecided.body()).contains("Nothing was decided");
			server.approvals().broken = false;
			assertThat(current(server, "q-1").revision()).isEqualTo(1);
		}
		assertThat(output).doesNotContain("hunter2");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void failureOfTheStoreAfterTheDecisionDoesNotSayThatNothingWasDecided(WebApplicationType type,
			CapturedOutput output) throws Exception {
		try (TestApprovalServer server = start(type)) {
			String path = path(server, server.approvals().ask("q-1"), ANN);
			server.approvals().brokenAfterAnswers = true;
			HttpResponse<String> answer = post(server, path, "verdict", "approve");
			assertThat(answer.statusCode()).isEqualTo(503);
			assertGuarded(answer);
			assertThat(answer.body()).contains("It is not known whether your answer was taken", "Open the link again")
				.doesNotContain("Nothing was decided", "hunter2");
			assertThat(current(server, "q-1").state()).isEqualTo(ApprovalState.APPROVED);
			assertRefused(server.get(path));
		}
		assertThat(output).doesNotContain("hunter2");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void withoutLinksNothingIsServed(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.start(type, (type == WebApplicationType.SERVLET)
				? TestApprovalServer.MvcClosed.class : TestApprovalServer.WebFluxClosed.class)) {
			server.approvals().ask("q-1");
			assertThat(server.context().containsBean(ApprovalLinksWebAutoConfiguration.CHAIN)).isFalse();
			assertThat(server.get(LINKS + "A".repeat(200)).statusCode()).isEqualTo(401);
			assertThat(server.get(LINKS + "A".repeat(200), TestApprovalServer.as("ann")).statusCode()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void linkWorksBelowThePathOfTheApplication(WebApplicationType type) throws Exception {
		boolean mvc = type == WebApplicationType.SERVLET;
		List<Class<?>> beans = List.of(Links.class, TestApprovalServer.Approvers.class,
				(mvc) ? TestApprovalServer.MvcUsers.class : TestApprovalServer.WebFluxUsers.class,
				(mvc) ? TestApprovalServer.MvcClosed.class : TestApprovalServer.WebFluxClosed.class);
		String[] properties = (mvc)
				? new String[] { "server.servlet.context-path=/app", "spring.mvc.servlet.path=/mvc" }
				: new String[] { "spring.webflux.base-path=/app/mvc" };
		try (TestApprovalServer server = TestApprovalServer.start(type, beans, properties)) {
			String path = path(server, server.approvals().ask("q-1"), ANN);
			assertThat(server.get("/app/mvc" + path).statusCode()).isEqualTo(200);
			assertThat(server.get("/app/mvc" + TestApprovalServer.PATH).statusCode()).isEqualTo(401);
			assertThat(post(server, "/app/mvc" + path, "verdict", "approve").statusCode()).isEqualTo(200);
			assertThat(current(server, "q-1").state()).isEqualTo(ApprovalState.APPROVED);
		}
	}

	/**
	 * Spring Security then protects all paths, and a chain of ours would end that.
	 */
	@ParameterizedTest
	@EnumSource(names = "REACTIVE")
	void linksThatWouldWantALoginStopTheStart(WebApplicationType type) {
		List<Class<?>> beans = List.of(Links.class, TestApprovalServer.WebFluxUsers.class,
				TestApprovalServer.Approvers.class);
		String noOther = "spring.autoconfigure.exclude=org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration";
		Throwable failure = catchThrowable(() -> TestApprovalServer.start(type, beans, noOther).close());
		assertThat(failure).isInstanceOf(InvalidEndpointException.class)
			.hasMessageContaining("Links to questions at '/hooks/approvals/links/' would want a login");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void chainOfSpringBootLetsLinksPassAndNothingElse(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.start(type, Links.class)) {
			assertThat(server.get("/own").statusCode()).isEqualTo(401);
			assertThat(server.get(path(server, server.approvals().ask("q-1"), ANN)).statusCode()).isEqualTo(200);
		}
	}

	/**
	 * Links to the questions of the application.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Links {

		@Bean
		SignedLinks links(MemoryApprovals approvals) {
			return new SignedLinks(new LinkTokens(List.of(SECRET)), "https://agents.example.com" + LINKS,
					Duration.ofHours(1), Set.of(MemoryApprovals.APPROVER), approvals, Clock.systemUTC());
		}

	}

}
