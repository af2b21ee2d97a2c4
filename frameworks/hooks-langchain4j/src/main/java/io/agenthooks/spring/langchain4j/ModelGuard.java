package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.chain.Probe;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.guard.BeanGuard;
import io.agenthooks.spring.guard.KnownMethods;

/**
 * Puts the hooks around model calls in front of every bean that is a model of
 * LangChain4j, and of every other model that a guarded AI service asks. A bean keeps its
 * class, so that it can be injected by it, unless that cannot be extended.
 * <p>
 * The chain is found at the first call, so nothing that the hooks need is made too early.
 *
 * @since 0.1.0
 */
public final class ModelGuard extends BeanGuard {

	private static final String[] METHODS = { "chat", "doChat" };

	private static final List<KnownMethods> KNOWN = List.of(
			known(ChatModel.class, "chat(ChatRequest)", "chat(ChatRequest, ChatRequestOptions)", "doChat(ChatRequest)",
					"chat(String)", "chat(ChatMessage[])", "chat(List)"),
			known(StreamingChatModel.class, "chat(ChatRequest, StreamingChatResponseHandler)",
					"chat(ChatRequest, ChatRequestOptions, StreamingChatResponseHandler)",
					"doChat(ChatRequest, StreamingChatResponseHandler)", "chat(String, StreamingChatResponseHandler)",
					"chat(List, StreamingChatResponseHandler)"));

	/**
	 * Create the guard.
	 * @param chain where to find the hooks; asked when the first model is
	 * @param user finds who is logged in
	 */
	public ModelGuard(ObjectProvider<LlmHookChain> chain, CurrentUser user) {
		this(chain::getObject, user);
	}

	ModelGuard(Supplier<LlmHookChain> chain, CurrentUser user) {
		super(advisor(SingletonSupplier.of(chain), user));
		KNOWN.forEach(KnownMethods::warn);
	}

	private static KnownMethods known(Class<?> model, String... asking) {
		return KnownMethods.of(model,
				Stream
					.concat(Stream.of("defaultRequestParameters()", "listeners()", "provider()",
							"supportedCapabilities()"), Stream.of(asking))
					.toArray(String[]::new));
	}

	private static DefaultPointcutAdvisor advisor(Supplier<LlmHookChain> chain, CurrentUser user) {
		NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
		pointcut.setMappedNames(Stream.concat(Stream.of(METHODS), KNOWN.stream().flatMap(KnownMethods::otherNames))
			.toArray(String[]::new));
		pointcut.setClassFilter(ModelGuard::isModel);
		return new DefaultPointcutAdvisor(pointcut, new GuardInterceptor(chain, user));
	}

	private static boolean isModel(Class<?> type) {
		return ChatModel.class.isAssignableFrom(type) || StreamingChatModel.class.isAssignableFrom(type);
	}

	/**
	 * Whether calls of a model pass hooks.
	 * @param bean the model
	 * @return whether it is guarded
	 */
	public static boolean isGuarded(Object bean) {
		return isAdvised(bean, GuardInterceptor.class::isInstance);
	}

	/**
	 * Prove that calls of a guarded model pass a chain, by such that it has to deny.
	 * Neither the model nor anybody else learns of them.
	 * @param bean the model
	 * @param chain the chain
	 * @return whether the chain denied all of them
	 */
	public static boolean isProved(Object bean, LlmHookChain chain) {
		return isProved(bean, chain, GuardInterceptor.class::isInstance,
				(method) -> declared(method) != null && method.getParameterTypes()[0] == ChatRequest.class,
				(method) -> new @Nullable Object[method.getParameterCount()]);
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return isModel(targetClass);
	}

	@Override
	protected boolean mustBeGuarded(Method method) {
		return declared(method) != null;
	}

	private static @Nullable Method declared(Method method) {
		if (!Stream.of(METHODS).anyMatch(method.getName()::equals)) {
			return null;
		}
		Method declared = ClassUtils.getMethodIfAvailable(ChatModel.class, method.getName(),
				method.getParameterTypes());
		return (declared != null) ? declared : ClassUtils.getMethodIfAvailable(StreamingChatModel.class,
				method.getName(), method.getParameterTypes());
	}

	private record GuardInterceptor(Supplier<LlmHookChain> chain, CurrentUser user) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			KNOWN.forEach((known) -> known.check(invocation.getMethod()));
			Method declared = declared(invocation.getMethod());
			if (declared != null && Probe.isUnderWay()) {
				this.chain.get().begin(LlmCall.of());
				throw new IllegalStateException("A call that must be denied reached a model");
			}
			if (declared == null || this.chain.get().isIdle()) {
				return invocation.proceed();
			}
			ModelCall call = new ModelCall(this.chain.get(), (ProxyMethodInvocation) invocation, this.user);
			Class<?>[] types = declared.getParameterTypes();
			boolean streaming = types[types.length - 1] == StreamingChatResponseHandler.class;
			if (types[0] != ChatRequest.class) {
				return call.inFull(declared, streaming);
			}
			if (DecidedRequest.isOfThread(call.chain(), invocation.getArguments()[0])) {
				return invocation.proceed();
			}
			if (streaming) {
				call.stream();
				return null;
			}
			return call.execute();
		}

	}

	private record ModelCall(LlmHookChain chain, ProxyMethodInvocation invocation, CurrentUser user) {

		/** A method for convenience: what it stands for is a call of the bean, too. */
		@Nullable Object inFull(Method method, boolean streaming) throws Throwable {
			Object bean = this.invocation.getProxy();
			Object model = (streaming) ? new StreamingChatModel() {

				@Override
				public void chat(ChatRequest prompt, StreamingChatResponseHandler listener) {
					((StreamingChatModel) bean).chat(prompt, listener);
				}

			} : new ChatModel() {

				@Override
				public ChatResponse chat(ChatRequest prompt) {
					return ((ChatModel) bean).chat(prompt);
				}

			};
			return AopUtils.invokeJoinpointUsingReflection(model, method, this.invocation.getArguments());
		}

		ChatResponse execute() {
			ChatRequest prompt = prompt();
			ChatModel model = (ChatModel) Objects.requireNonNull(this.invocation.getThis());
			AiServiceInvocation caller = IssuedPrompt.invocationOf(prompt);
			LlmCall call = ChatRequests.forHooks(prompt, model.defaultRequestParameters(), contextOf(caller));
			try {
				return ChatResponses.fromHooks(
						this.chain.execute(call,
								(decided) -> ChatResponses
									.forHooks((ChatResponse) ask(ChatRequests.fromHooks(prompt, call, decided)))),
						refusalFor(caller));
			}
			catch (LlmCallAbortedException ex) {
				if (ex.getScope() == AbortScope.TURN) {
					return ChatResponses.aborted(refusalFor(caller).get());
				}
				throw ex;
			}
		}

		private Object ask(ChatRequest prompt) {
			return Objects.requireNonNull(proceed(prompt), "The model gave no response");
		}

		void stream() {
			ChatRequest prompt = prompt();
			int last = this.invocation.getArguments().length - 1;
			StreamingChatResponseHandler listener = (StreamingChatResponseHandler) Objects
				.requireNonNull(this.invocation.getArguments()[last], "'handler' must not be null");
			StreamingChatModel model = (StreamingChatModel) Objects.requireNonNull(this.invocation.getThis());
			AiServiceInvocation caller = IssuedPrompt.invocationOf(prompt);
			LlmCall call = ChatRequests.forHooks(prompt, model.defaultRequestParameters(), contextOf(caller));
			LlmCallInProgress progress;
			try {
				progress = this.chain.begin(call);
			}
			catch (LlmCallAbortedException ex) {
				GuardedStream.abort(ex, refusalFor(caller), listener);
				return;
			}
			LlmResponse settled = progress.settled();
			if (settled != null) {
				GuardedStream.deliver(ChatResponses.fromHooks(settled, refusalFor(caller)), listener);
				return;
			}
			try {
				this.invocation.getArguments()[last] = new GuardedStream(progress, progress.hasResponseHooks(),
						listener, caller, refusalFor(caller));
				proceed(ChatRequests.fromHooks(prompt, call, progress.call()));
			}
			catch (Throwable ex) {
				progress.fail(ex);
				throw ex;
			}
		}

		private ChatRequest prompt() {
			return (ChatRequest) Objects.requireNonNull(this.invocation.getArguments()[0],
					"'chatRequest' must not be null");
		}

		private Supplier<String> refusalFor(@Nullable AiServiceInvocation caller) {
			// Now, since a stream ends on another thread.
			Locale locale = (caller != null) ? caller.caller().locale() : LocaleContextHolder.getLocale();
			return () -> this.chain.getRefusalText().in(locale);
		}

		private CallContext contextOf(@Nullable AiServiceInvocation caller) {
			if (caller != null) {
				return caller.caller().context();
			}
			Caller around = Caller.ofThread();
			return (around != null) ? around.context() : this.user.ofThread().in(CallContext.empty());
		}

		private @Nullable Object proceed(ChatRequest decided) {
			this.invocation.getArguments()[0] = decided;
			return new DecidedRequest(this.chain, decided).<@Nullable Object>ask(this::proceed);
		}

		private @Nullable Object proceed() {
			try {
				return this.invocation.proceed();
			}
			catch (RuntimeException | Error ex) {
				throw ex;
			}
			catch (Throwable ex) {
				throw new UndeclaredThrowableException(ex);
			}
		}

	}

}
