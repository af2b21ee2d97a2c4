package io.agenthooks.spring.approval;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of questions to people in an application that has the console, too.
 */
class QuestionsBesideConsoleTests {

	private static final String PATH = TestApprovalServer.PATH;

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void consoleKeepsItsOwnAuthority(WebApplicationType type) throws Exception {
		List<Class<?>> beans = (type == WebApplicationType.SERVLET)
				? List.of(TestApprovalServer.MvcUsers.class, TestApprovalServer.MvcOther.class,
						TestApprovalServer.Approvers.class)
				: List.of(TestApprovalServer.WebFluxUsers.class, TestApprovalServer.WebFluxOther.class,
						TestApprovalServer.Approvers.class);
		try (TestApprovalServer server = TestApprovalServer.start(type, beans, "hooks.console.enabled=true",
				"hooks.console.authority=ROLE_GUEST")) {
			assertThat(server.get("/hooks", TestApprovalServer.as("ann")).statusCode()).isEqualTo(403);
			assertThat(server.get("/hooks", TestApprovalServer.as("eve")).statusCode()).isEqualTo(200);
			assertThat(server.get(PATH, TestApprovalServer.as("ann")).statusCode()).isEqualTo(200);
			assertThat(server.get(PATH, TestApprovalServer.as("eve")).statusCode()).isEqualTo(403);
		}
	}

}
