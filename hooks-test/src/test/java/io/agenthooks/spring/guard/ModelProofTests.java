package io.agenthooks.spring.guard;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.ai.Guards;
import io.agenthooks.spring.ai.SpringAiModelCallsAutoConfiguration;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.ModelGuard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The start proves that models ask the hooks around model calls.
 */
class ModelProofTests {

	private static final LlmHookChain OTHERS = new LlmHookChain(List.of(), List.of(), List.of());

	private final List<Object> seen = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ToolCallHooksAutoConfiguration.class,
				LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
				SpringAiModelCallsAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class))
		.withBean(PreLlmHook.class, () -> (call) -> {
			this.seen.add(call);
			return LlmDecision.approve();
		})
		.withBean(PostLlmHook.class, () -> this.seen::add)
		.withBean(CallContextCustomizer.class, () -> (context, given) -> {
			this.seen.add(context);
			return context;
		})
		.withBean(Listener.class, () -> new Listener(this.seen));

	static Stream<Arguments> models() {
		BeanGuard springAi = Guards.ofModels(OTHERS);
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("others", OTHERS);
		BeanGuard langChain4j = new ModelGuard(beans.getBeanProvider(LlmHookChain.class),
				CurrentUser.ofSpringSecurity());
		return Stream.of(Arguments.of(springAi, new SpringAiModel()), Arguments.of(springAi, new FinalModel()),
				Arguments.of(langChain4j, new LangChain4jModel()), Arguments.of(langChain4j, new StreamingModel()));
	}

	@ParameterizedTest
	@MethodSource("models")
	void startFailsIfAModelPassesAnotherChain(BeanGuard other, Object model) {
		for (String toolCalls : List.of("true", "false")) {
			runner(() -> other.postProcessAfterInitialization(model, "model"))
				.withPropertyValues("hooks.tool_call.enabled=" + toolCalls)
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(UnprovedGuardException.class)
					.hasMessageContaining("bean 'model'"));
		}
	}

	@ParameterizedTest
	@MethodSource("models")
	void modelThatIsMadeLaterIsProvedThen(BeanGuard other, Object model) {
		this.contextRunner
			.withBean("model", Object.class, () -> other.postProcessAfterInitialization(model, "model"),
					(definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> context.getBean("model"))
					.satisfies((ex) -> assertThat(ex).hasStackTraceContaining("bean 'model'"));
			});
	}

	@ParameterizedTest
	@MethodSource("models")
	void nobodySeesTheProof(BeanGuard other, Object model) {
		runner(() -> model).withBean(Around.class, () -> new Around(this.seen)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(this.seen).isEmpty();
		});
	}

	@Test
	void realQuestionIsSeen() {
		runner(SpringAiModel::new).withBean(Around.class, () -> new Around(this.seen)).run((context) -> {
			context.getBean(ChatModel.class).call(new Prompt("Weather?"));
			assertThat(this.seen).hasSizeGreaterThan(3).contains("call");
		});
	}

	private ApplicationContextRunner runner(Supplier<Object> model) {
		return this.contextRunner.withBean("model", Object.class, model);
	}

	static class SpringAiModel implements ChatModel {

		@Override
		public ChatResponse call(Prompt prompt) {
			return new ChatResponse(List.of());
		}

	}

	/**
	 * One that is known by its interface only.
	 */
	static final class FinalModel extends SpringAiModel {

	}

	static class LangChain4jModel implements dev.langchain4j.model.chat.ChatModel {

	}

	static class StreamingModel implements StreamingChatModel {

		@Override
		public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
			throw new UnsupportedOperationException();
		}

	}

	record Listener(List<Object> seen) {

		@EventListener
		void on(LlmCallEvent event) {
			this.seen.add(event);
		}

	}

	/**
	 * An aspect of the application.
	 */
	record Around(List<Object> seen) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (!beanName.equals("model")) {
				return bean;
			}
			ProxyFactory factory = new ProxyFactory(bean);
			factory.addAdvice((MethodInterceptor) (invocation) -> {
				String method = invocation.getMethod().getName();
				if (!method.equals("toString") && !method.equals("hashCode") && !method.equals("equals")) {
					this.seen.add(method);
				}
				return invocation.proceed();
			});
			return factory.getProxy();
		}

	}

}
