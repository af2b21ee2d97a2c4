package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.ToolCallStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for tools of AI services behind Spring's method security.
 */
class SecuredToolsOfServicesTests {

	private final ApplicationContextRunner runner = GuardedApplication.runner().withUserConfiguration(Secured.class);

	@BeforeEach
	void logIn() {
		// Services may call tools on threads of their own.
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
		this.runner.run((context) -> {
			Tools tools = context.getBean(Tools.class);
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("refund", Map.of()));
			assertThat(way.ask(service(way, model, tools, "refund"), "s")).isEqualTo("Done");
			assertThat(ran(context)).isEmpty();
			assertThat(context.getBean(Journal.class).outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(context.getBean(Journal.class).outcome().decidedBy()).isEqualTo("method-security");
		});
	}

	@ParameterizedTest
	@EnumSource
	void methodThatRanIsNotDenied(Way way) {
		this.runner.run((context) -> {
			Tools tools = context.getBean(Tools.class);
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("allowed", Map.of()));
			assertThat(way.ask(service(way, model, tools, "allowed"), "s")).isEqualTo("Done");
			assertThat(ran(context)).containsExactly("allowed");
			assertThat(context.getBean(Journal.class).outcome().status()).isEqualTo(ToolCallStatus.FAILED);
		});
	}

	private static List<String> ran(ApplicationContext context) {
		return context.getBean(Ran.class).methods;
	}

	/** With the proxy as the object whose methods run. */
	private static Way.Assistant service(Way way, ScriptedModel model, Tools tools, String name) {
		Method method = ReflectionUtils.findMethod(Tools.class, name);
		assertThat(method).isNotNull();
		return way.service(model)
			.tools(Map.of(ToolSpecifications.toolSpecificationFrom(method),
					DefaultToolExecutor.builder()
						.object(tools)
						.originalMethod(method)
						.methodToInvoke(method)
						.propagateToolExecutionExceptions(true)
						.build()))
			.build();
	}

	static class Ran {

		final List<String> methods = new CopyOnWriteArrayList<>();

	}

	public static class Tools {

		private final Ran ran;

		Tools(Ran ran) {
			this.ran = ran;
		}

		@Tool("Refund")
		@PreAuthorize("hasRole('ADMIN')")
		public String refund() {
			this.ran.methods.add("refund");
			return "done";
		}

		@Tool("Is allowed, and denies by itself")
		@PreAuthorize("hasRole('SUPPORT')")
		public String allowed() {
			this.ran.methods.add("allowed");
			throw new AccessDeniedException("Not on Sundays");
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
		Tools tools(Ran ran) {
			return new Tools(ran);
		}

	}

}
