package io.agenthooks.spring.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthenticatedAuthorizationManager;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for beans that are an {@link AuthorizationManager} of tool calls.
 */
@ExtendWith(OutputCaptureExtension.class)
class AuthorizationToolHookTests {

	private static final CallContext ANN = CallContext.empty()
		.withUser("ann")
		.withAuthorities(List.of("ROLE_ADMIN"))
		.withClaims(Map.of("tenant", "acme"));

	private static final CallContext BOB = CallContext.empty().withUser("bob").withAuthorities(List.of("ROLE_USER"));

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, SecurityHooksAutoConfiguration.class));

	@Test
	void managerDecidesByTheUserOfTheCall() {
		this.runner.withUserConfiguration(Admins.class).run((context) -> {
			assertThat(context).hasNotFailed();
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			assertThat(refund(chain, ANN, 1).succeeded()).isTrue();
			for (CallContext other : List.of(BOB, CallContext.empty(), ANN.withUser("ann2"), ANN.withUser(null))) {
				ToolResult denied = refund(chain, other, 1);
				assertThat(denied.succeeded()).isFalse();
				assertThat(denied.content()).contains("'admins' does not authorize this call");
			}
		});
	}

	@Test
	void managerThatAbstainsHasNoObjection() {
		this.runner.withUserConfiguration(Abstaining.class)
			.run((context) -> assertThat(
					refund(context.getBean(ToolHookChain.class), CallContext.empty(), 1).succeeded())
				.isTrue());
	}

	@ParameterizedTest
	@ValueSource(classes = { AccessDeniedException.class, IllegalStateException.class, StackOverflowError.class })
	void managerThatThrowsDenies(Class<? extends Throwable> type) {
		Failing.type = type;
		this.runner.withUserConfiguration(Failing.class).run((context) -> {
			ToolResult denied = refund(context.getBean(ToolHookChain.class), ANN, 1);
			assertThat(denied.succeeded()).isFalse();
			assertThat(denied.content()).doesNotContain("hunter2");
		});
	}

	@Test
	void managerIsAskedAgainAboutTheFinalArguments() {
		this.runner.withUserConfiguration(Raising.class).run((context) -> {
			ToolResult denied = refund(context.getBean(ToolHookChain.class), ANN, 1);
			assertThat(denied.succeeded()).isFalse();
			assertThat(denied.content()).contains("'small'");
			assertThat(context.getBean(Small.class).asked).isGreaterThan(1);
		});
	}

	@Test
	void managerKnowsAnonymousCallsAsAnonymous() {
		this.runner.withUserConfiguration(LoggedIn.class).run((context) -> {
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			assertThat(refund(chain, BOB, 1).succeeded()).isTrue();
			assertThat(refund(chain, CallContext.empty(), 1).succeeded()).isFalse();
		});
	}

	@Test
	void managerSeesNameAuthoritiesAndClaims() {
		this.runner.withBean(Recording.class).run((context) -> {
			refund(context.getBean(ToolHookChain.class), ANN, 1);
			Authentication seen = context.getBean(Recording.class).seen.get(0);
			assertThat(seen.getName()).isEqualTo("ann");
			assertThat(seen.isAuthenticated()).isTrue();
			assertThat(seen.getDetails()).isEqualTo(Map.of("tenant", "acme"));
			assertThat(seen.toString()).doesNotContain("acme");
		});
	}

	@Test
	void managersOfOtherThingsAreNotAsked(CapturedOutput output) {
		this.runner.withUserConfiguration(Others.class).run((context) -> {
			assertThat(refund(context.getBean(ToolHookChain.class), CallContext.empty(), 1).succeeded()).isTrue();
			assertThat(output).contains("The bean 'raw' is an AuthorizationManager, but does not say of what")
				.doesNotContain("The bean 'ofRequests'");
		});
	}

	@Test
	void springSecurityNeedNotBeThere() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("authorizationToolHooks"));
	}

	private static ToolResult refund(ToolHookChain chain, CallContext context, int amount) {
		return chain.execute(ToolCall.of("refund", Map.of("amount", amount), context),
				(call) -> ToolResult.success("done"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Admins {

		@Bean
		AuthorizationManager<ToolCall> admins() {
			return AuthorityAuthorizationManager.hasRole("ADMIN");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Abstaining {

		@Bean
		@SuppressWarnings("NullAway") // that is how a manager abstains
		AuthorizationManager<ToolCall> abstaining() {
			return (user, call) -> null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Failing {

		private static Class<? extends Throwable> type = IllegalStateException.class;

		@Bean
		AuthorizationManager<ToolCall> failing() {
			return (user, call) -> {
				if (type == StackOverflowError.class) {
					throw new StackOverflowError();
				}
				throw (type == AccessDeniedException.class) ? new AccessDeniedException("hunter2")
						: new IllegalStateException("hunter2");
			};
		}

	}

	static class Small implements AuthorizationManager<ToolCall> {

		private int asked;

		@Override
		public @Nullable AuthorizationResult authorize(Supplier<? extends @Nullable Authentication> user,
				ToolCall call) {
			this.asked++;
			return new AuthorizationDecision(Integer.valueOf(1).equals(call.arguments().get("amount")));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Raising {

		@Bean("small")
		@Order(1)
		Small small() {
			return new Small();
		}

		@Bean
		@Order(2)
		PreToolHook raising() {
			return (call) -> ToolDecision.modify(Map.of("amount", 1000));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LoggedIn {

		@Bean
		AuthenticatedAuthorizationManager<ToolCall> loggedIn() {
			return AuthenticatedAuthorizationManager.authenticated();
		}

	}

	static class Recording implements AuthorizationManager<ToolCall> {

		private final List<Authentication> seen = new ArrayList<>();

		@Override
		public @Nullable AuthorizationResult authorize(Supplier<? extends @Nullable Authentication> user,
				ToolCall call) {
			Authentication authentication = user.get();
			if (authentication != null) {
				this.seen.add(authentication);
			}
			return new AuthorizationDecision(true);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Others {

		@Bean
		AuthorizationManager<String> ofRequests() {
			return (user, request) -> new AuthorizationDecision(false);
		}

		@Bean
		@SuppressWarnings("rawtypes") // as somebody may declare it
		AuthorizationManager raw() {
			return (user, object) -> new AuthorizationDecision(false);
		}

	}

}
