package io.agenthooks.spring.ai;

import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.StreamingChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.ModelResponse;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;

import io.agenthooks.spring.guard.KnownMethods;

/** The methods by which a model is asked, and how to go on with one. */
final class ModelMethods {

	static final KnownMethods KNOWN = KnownMethods.of(ChatModel.class, "call(String)", "call(Message[])",
			"call(Prompt)", "call(ModelRequest)", "getOptions()", "getDefaultOptions()", "stream(String)",
			"stream(Message[])", "stream(Prompt)", "stream(ModelRequest)");

	private ModelMethods() {
	}

	static boolean isModel(Class<?> type) {
		return ChatModel.class.isAssignableFrom(type) || StreamingChatModel.class.isAssignableFrom(type);
	}

	static boolean asks(Method method) {
		return Stream.of(method.getParameterTypes()).anyMatch(Prompt.class::equals) || declared(method) != null;
	}

	/** Whether a method asks a model with a prompt itself. */
	static boolean takesPrompt(Method method) {
		return Stream.of(method.getParameterTypes()).anyMatch(Prompt.class::equals)
				&& (ModelResponse.class.isAssignableFrom(method.getReturnType())
						|| method.getReturnType() == Flux.class);
	}

	static @Nullable Object[] probe(Method method) {
		Class<?>[] types = method.getParameterTypes();
		@Nullable Object[] arguments = new @Nullable Object[types.length];
		for (int i = 0; i < types.length; i++) {
			arguments[i] = (types[i] == Prompt.class) ? new Prompt(ProbeTool.NAME) : null;
		}
		return arguments;
	}

	private static @Nullable Method declared(Method method) {
		String name = method.getName();
		return (name.equals("call") || name.equals("stream"))
				? ClassUtils.getMethodIfAvailable(ChatModel.class, name, method.getParameterTypes()) : null;
	}

	static @Nullable Prompt promptOf(MethodInvocation invocation) {
		for (Object argument : invocation.getArguments()) {
			if (argument instanceof Prompt prompt) {
				return prompt;
			}
		}
		return null;
	}

	/** By the declared type, which is that of any model where generic code asks. */
	static boolean isCall(MethodInvocation invocation) {
		return ModelResponse.class.isAssignableFrom(invocation.getMethod().getReturnType());
	}

	static boolean isStream(MethodInvocation invocation) {
		return invocation.getMethod().getReturnType() == Flux.class;
	}

	/**
	 * A method for convenience is a call of the bean with a prompt, which is guarded,
	 * too.
	 */
	static @Nullable Object proceedInFull(MethodInvocation invocation) throws Throwable {
		Method method = declared(invocation.getMethod());
		if (method == null || !(invocation instanceof ProxyMethodInvocation proxied) || promptOf(invocation) != null
				|| method.getParameterTypes()[0].isAssignableFrom(Prompt.class)) {
			return invocation.proceed();
		}
		return AopUtils.invokeJoinpointUsingReflection(new Bean(proxied.getProxy()), method, invocation.getArguments());
	}

	/** Ask the model itself. May be done more than once. */
	static @Nullable Object proceed(MethodInvocation invocation, Prompt prompt) {
		@Nullable Object[] arguments = invocation.getArguments().clone();
		for (int i = 0; i < arguments.length; i++) {
			if (arguments[i] instanceof Prompt) {
				arguments[i] = prompt;
			}
		}
		try {
			return ((ProxyMethodInvocation) invocation).invocableClone(arguments).proceed();
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new UndeclaredThrowableException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	static Flux<ChatResponse> proceedStreaming(MethodInvocation invocation, Prompt prompt) {
		return (Flux<ChatResponse>) Objects.requireNonNull(proceed(invocation, prompt), "The model gave no stream");
	}

	static @Nullable ChatOptions optionsOf(Prompt prompt, MethodInvocation invocation) {
		return (prompt.getOptions() == null && invocation.getThis() instanceof ChatModel model) ? model.getOptions()
				: prompt.getOptions();
	}

	private record Bean(Object model) implements ChatModel {

		@Override
		public ChatResponse call(Prompt prompt) {
			return ((ChatModel) this.model).call(prompt);
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return ((StreamingChatModel) this.model).stream(prompt);
		}

	}

}
