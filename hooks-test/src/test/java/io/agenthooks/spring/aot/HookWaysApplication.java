package io.agenthooks.spring.aot;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * An application whose hooks are declared in many ways.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
		RunHooksAutoConfiguration.class })
public class HookWaysApplication {

	/**
	 * Start it, and say which hooks are asked.
	 */
	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(HookWaysApplication.class, args)) {
			Stream<ActiveHooks<?>> all = context.getBeanProvider(ActiveHooks.class)
				.stream()
				.map((hooks) -> (ActiveHooks<?>) hooks);
			List<String> names = all.flatMap((hooks) -> hooks.list().stream())
				.map(ActiveHooks.Listed::name)
				.sorted()
				.toList();
			System.out.println(AotTests.ANSWER + names);
		}
		System.exit(0);
	}

	@Bean
	PreToolHook declared() {
		return new Guard();
	}

	@Bean
	@Lazy
	Guard ownClass() {
		return new Guard();
	}

	@Bean
	@Scope("prototype")
	PreToolHook prototype() {
		return new Guard();
	}

	@Bean
	PreToolHook jdkProxy() {
		Guard guard = new Guard();
		return (PreToolHook) Proxy.newProxyInstance(Guard.class.getClassLoader(), new Class<?>[] { PreToolHook.class },
				(proxy, method, arguments) -> method.invoke(guard, arguments));
	}

	@Bean
	Factory typedFactory() {
		return new Factory(PreToolHook.class);
	}

	@Bean
	Methods methods() {
		return new Methods();
	}

	@Bean
	PreLlmHook model() {
		return (call) -> LlmDecision.approve();
	}

	@Bean
	PreRunHook run() {
		return (run) -> RunDecision.approve();
	}

	@Bean
	@Lazy
	Object lazyObject() {
		return new Guard();
	}

	@Bean
	@Scope("prototype")
	Object prototypeObject() {
		return new Guard();
	}

	@Bean
	FactoryBean<?> untypedFactory() {
		return new Factory(null);
	}

	@Bean
	Supplier<PreToolHook> supplier() {
		return Guard::new;
	}

	static class Guard implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

	}

	static class Methods {

		@BeforeToolCall
		void check() {
			// It could throw.
		}

	}

	static class Factory implements FactoryBean<Object> {

		private final @Nullable Class<?> type;

		Factory(@Nullable Class<?> type) {
			this.type = type;
		}

		@Override
		public Object getObject() {
			return new Guard();
		}

		@Override
		public @Nullable Class<?> getObjectType() {
			return this.type;
		}

	}

}
