package io.agenthooks.spring.ai;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for tools behind Spring's method security.
 */
class SecuredToolsTests {

	private final ApplicationContextRunner runner = Application.runner((call) -> ToolDecision.approve())
		.withUserConfiguration(Secured.class);

	@BeforeEach
	void logIn() {
		// Streams call tools on threads of their own.
		SecurityContextHolder.setStrategyName(SecurityContextHolder.MODE_GLOBAL);
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken("alice", "", "ROLE_SUPPORT"));
	}

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
		SecurityContextHolder.setStrategyName(SecurityContextHolder.MODE_THREADLOCAL);
	}

	@ParameterizedTest
	@EnumSource
	void methodThatMayNotBeCalledIsDenied(Way way) {
		Application.run(this.runner, (application) -> {
			application.model().calls("refund", "{}").says("done");
			way.ask(application.client().prompt().user("Go").tools(application.context().getBean(Tools.class)));
			assertThat(application.context().getBean(Ran.class).methods).isEmpty();
			assertThat(application.model().replies()).singleElement()
				.asString()
				.contains("denied by hook 'method-security': The user is not authorized for this call")
				.doesNotContain("ADMIN");
			ToolOutcome outcome = application.outcome();
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(outcome.decidedBy()).isEqualTo("method-security");
			assertThat(outcome.failure()).isNull();
		});
	}

	@ParameterizedTest
	@CsvSource({ "afterwards, afterwards", "itself, itself", "inside, inside", "allowed, allowed",
			"later, 'later ledger'" })
	void methodThatRanIsNotDenied(String tool, String ran) {
		Application.run(this.runner, (application) -> {
			application.model().calls(tool, "{}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(application.context().getBean(Tools.class)));
			assertThat(application.context().getBean(Ran.class).methods).containsExactly(ran.split(" "));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.FAILED);
			assertThat(application.outcome().decidedBy()).isNull();
		});
	}

	@Test
	void methodThatMayBeCalledRuns() {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("root", "", "ROLE_ADMIN"));
		Application.run(this.runner, (application) -> {
			application.model().calls("refund", "{}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(application.context().getBean(Tools.class)));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.SUCCEEDED);
		});
	}

	@Test
	void methodIsDeniedWithoutHooks() {
		Application.run(Application.runner().withUserConfiguration(Secured.class), (application) -> {
			application.model().calls("refund", "{}").says("done");
			Way.CALL.ask(application.client().prompt().user("Go").tools(application.context().getBean(Tools.class)));
			assertThat(application.model().replies()).singleElement().asString().contains("method-security");
		});
	}

	static class Ran {

		final List<String> methods = new CopyOnWriteArrayList<>();

	}

	public static class Ledger {

		private final Ran ran;

		Ledger(Ran ran) {
			this.ran = ran;
		}

		@PreAuthorize("hasRole('ADMIN')")
		public void delete() {
			this.ran.methods.add("deleted");
		}

		@PreAuthorize("permitAll()")
		public void open() {
			this.ran.methods.add("ledger");
			throw new AccessDeniedException("The ledger is closed");
		}

	}

	public static class Tools {

		private final Ran ran;

		private final Ledger ledger;

		Tools(Ran ran, Ledger ledger) {
			this.ran = ran;
			this.ledger = ledger;
		}

		@Tool(description = "Refund")
		@PreAuthorize("hasRole('ADMIN')")
		public String refund() {
			this.ran.methods.add("refund");
			return "done";
		}

		@Tool(description = "Denied when it has run")
		@PostAuthorize("hasRole('ADMIN')")
		public String afterwards() {
			this.ran.methods.add("afterwards");
			return "done";
		}

		@Tool(description = "Denies by itself")
		public String itself() {
			this.ran.methods.add("itself");
			throw new AccessDeniedException("Not on Sundays");
		}

		@Tool(description = "Calls what is denied")
		public String inside() {
			this.ran.methods.add("inside");
			this.ledger.delete();
			return "done";
		}

		@Tool(description = "Is allowed, and denies by itself")
		@PreAuthorize("hasRole('SUPPORT')")
		public String allowed() {
			this.ran.methods.add("allowed");
			throw new AccessDeniedException("Not on Sundays");
		}

		@Tool(description = "Is allowed, and calls what is allowed and denies by itself")
		@PreAuthorize("hasRole('SUPPORT')")
		public String later() {
			this.ran.methods.add("later");
			this.ledger.open();
			return "done";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	static class Secured {

		@Bean
		Ran ran() {
			return new Ran();
		}

		@Bean
		Ledger ledger(Ran ran) {
			return new Ledger(ran);
		}

		@Bean
		Tools tools(Ran ran, Ledger ledger) {
			return new Tools(ran, ledger);
		}

	}

}
