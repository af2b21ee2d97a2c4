package io.agenthooks.spring.approval;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.web.InvalidEndpointException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests of who sees questions, and of where an application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApprovalWebSecurityTests {

	private static final String PATH = TestApprovalServer.PATH;

	private static final String APPROVE = "{\"verdict\": \"approve\"}";

	private static final String[] SEEN = { "If-Match", "\"1\"" };

	private static final String NO_SECURITY = "spring.autoconfigure.exclude=org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
			+ "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration";

	private static Class<?> other(WebApplicationType type) {
		return (type == WebApplicationType.SERVLET) ? TestApprovalServer.MvcOther.class
				: TestApprovalServer.WebFluxOther.class;
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void withoutAChainForItsPathPeopleNeedAnAuthority(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.start(type, other(type))) {
			server.approvals().ask("q-1");
			for (String path : List.of(PATH, PATH + "/q-1", PATH + "/events")) {
				HttpResponse<String> nobody = server.get(path);
				assertThat(nobody.headers().firstValue("WWW-Authenticate")).as(path).hasValue("Basic realm=\"Realm\"");
				assertProblem(nobody, 401, "Log in first.");
				assertProblem(server.get(path, "Authorization", "Basic YW5uOndyb25n"), 401, "Log in first.");
				HttpResponse<String> script = server.get(path, "X-Requested-With", "XMLHttpRequest");
				assertProblem(script, 401, "Log in first.");
				assertThat(script.headers().firstValue("WWW-Authenticate")).as(path).isEmpty();
				assertProblem(server.get(path, TestApprovalServer.as("eve")), 403,
						"You have none of the authorities that are needed here.");
			}
			assertProblem(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", SEEN)), 403,
					"The CSRF token of this session is missing: send it as a header, with the cookie of the session.");
			assertThat(server.get(PATH, TestApprovalServer.as("ann")).statusCode()).isEqualTo(200);
			assertThat(server.get(PATH + "/q-1", TestApprovalServer.as("ann")).statusCode()).isEqualTo(200);
			assertThat(server.get("/own").statusCode()).isEqualTo(200);
		}
	}

	private static void assertProblem(HttpResponse<String> response, int status, String detail) {
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(response.body()).contains("\"status\":" + status, "\"detail\":\"" + detail + "\"");
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, false", "SERVLET, true", "REACTIVE, false", "REACTIVE, true" })
	void answerWithoutTheTokenIsRefusedAndWithItIsNot(WebApplicationType type, boolean ownChain) throws Exception {
		try (TestApprovalServer server = (ownChain) ? TestApprovalServer.start(type, other(type))
				: TestApprovalServer.start(type)) {
			server.approvals().ask("q-1");

			assertThat(server.post(PATH + "/q-1", APPROVE, TestApprovalServer.as("ann", SEEN)).statusCode()).isIn(401,
					403);
			assertThat(server.approvals().find("q-1").orElseThrow().state()).isEqualTo(ApprovalState.PENDING);
			server.approvals().ask("q-2");
			String[] token = TestApprovalServer.and(server.withToken("ann"), SEEN);
			assertThat(server.post(PATH + "/q-1", APPROVE, token).statusCode()).isEqualTo(200);
			assertThat(server.post(PATH + "/q-2", APPROVE, token).statusCode()).as("with the same token")
				.isEqualTo(200);
			assertThat(server.approvals().find("q-1").orElseThrow().state()).isEqualTo(ApprovalState.APPROVED);
		}
	}

	/**
	 * A path in another spelling is served behind the same chain, or not at all.
	 */
	@ParameterizedTest
	@CsvSource({ "SERVLET, false", "SERVLET, true", "REACTIVE, false", "REACTIVE, true" })
	void noOtherSpellingOfAPathLeadsToQuestions(WebApplicationType type, boolean anyCase) throws Exception {
		Class<?> spelling = (type == WebApplicationType.SERVLET) ? TestApprovalServer.MvcAnyCase.class
				: TestApprovalServer.WebFluxAnyCase.class;
		try (TestApprovalServer server = TestApprovalServer.start(type, other(type),
				(anyCase) ? spelling : Object.class)) {
			server.approvals().ask("q-1");
			assertThat(server.get((anyCase) ? "/OWN" : "/own").statusCode()).isEqualTo(200);
			for (String path : List.of("/hooks/Approvals", "/HOOKS/approvals", "/hooks/approvals/", "/hooks//approvals",
					"//hooks/approvals", "/hooks/%61pprovals", "/hooks/approvals;a=b", "/hooks;a/approvals",
					"/hooks/approvals%2f", "/hooks/approvals%2fq-1", "/hooks/approvals/q-1/", "/hooks/approvals//q-1",
					"/hooks/approvals/%71-1", "/hooks/approvals/q%2d1", "/hooks/approvals/q-1;a=b",
					"/hooks/Approvals/q-1", "/hooks/x/../approvals/q-1", "/hooks/./approvals", "/hooks/approvals/./q-1",
					"/hooks/approvals/x/../q-1", "/hooks/approvals/Events", "/hooks/approvals/%65vents",
					"/hooks/approvals/events/", "/hooks/approvals/events;x", "/HOOKS/APPROVALS/EVENTS")) {
				assertThat(server.get(path).statusCode()).as(path).isIn(400, 401, 403, 404);
				assertThat(server.get(path, TestApprovalServer.as("eve")).statusCode()).as(path)
					.isIn(400, 401, 403, 404);
				assertThat(server.post(path, APPROVE, SEEN).statusCode()).as(path).isIn(400, 401, 403, 404, 405);
			}
			assertThat(server.approvals().find("q-1").orElseThrow().revision()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void chainOfTheApplicationThatLetsAllInDoesNotShowQuestions(WebApplicationType type) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.startWithoutTokens(type)) {
			server.approvals().ask("q-1");
			assertThat(server.get("/own").statusCode()).isEqualTo(200);
			assertThat(server.get(PATH).body()).doesNotContain("q-1");
			assertThat(server.get(PATH, TestApprovalServer.as("eve")).body()).doesNotContain("q-1");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void startIsRefusedWithoutSpringSecurity(WebApplicationType type) {
		Throwable failure = catchThrowable(
				() -> TestApprovalServer.start(type, List.of(TestApprovalServer.Approvers.class), NO_SECURITY).close());
		assertThat(failure).isInstanceOf(InvalidEndpointException.class).hasMessageContaining(PATH);
		assertThat(((InvalidEndpointException) failure).getAction()).contains("'hooks.approval.insecure'");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void insecureMakesEverybodyOnePersonAndWarns(WebApplicationType type, CapturedOutput output) throws Exception {
		try (TestApprovalServer server = TestApprovalServer.start(type, List.of(Insecure.class), NO_SECURITY)) {
			assertThat(output).contains("Everybody who reaches the application decides about calls at " + PATH);
			server.approvals().ask("q-1");
			assertThat(server.get(PATH).body()).contains("\"csrf\":null", "\"may_decide\":true");
			assertThat(server.post(PATH + "/q-1", APPROVE, SEEN).body()).contains("\"person\":\"anonymous\"");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void startIsRefusedIfNobodyCouldDecide(WebApplicationType type) {
		Class<?> users = (type == WebApplicationType.SERVLET) ? TestApprovalServer.MvcUsers.class
				: TestApprovalServer.WebFluxUsers.class;
		Throwable failure = catchThrowable(
				() -> TestApprovalServer.start(type, List.of(Nobody.class, users, other(type))).close());
		assertThat(failure).hasRootCauseInstanceOf(InvalidEndpointException.class)
			.rootCause()
			.hasMessageStartingWith("Nobody could decide about calls at '/hooks/approvals'.");
	}

	@Test
	void withoutAWebApplicationNothingIsServed() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ApprovalWebAutoConfiguration.class))
			.withBean(MemoryApprovals.class)
			.withUserConfiguration(TestApprovalServer.Approvers.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ApprovalStreams.class));
	}

	/**
	 * Everybody may.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Insecure {

		@Bean
		ApprovalWeb approvalWeb() {
			return new ApprovalWeb(PATH, Set.of(MemoryApprovals.APPROVER), true);
		}

	}

	/**
	 * Nobody may.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Nobody {

		@Bean
		ApprovalWeb approvalWeb() {
			return new ApprovalWeb(PATH, Set.of(), true);
		}

	}

}
