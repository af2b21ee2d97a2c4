package io.agenthooks.spring.ai;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.Probe;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.ReactiveCaller;
import io.agenthooks.spring.external.AskedByHook;
import io.agenthooks.spring.guard.BeanGuard;

/**
 * Puts the hooks around model calls in front of every bean that is a model of Spring AI.
 * The chain is found at the first call, so nothing that the hooks need is made too early.
 */
final class ChatModelGuard extends BeanGuard {

	private final BooleanSupplier useful;

	private final BooleanSupplier wanted;

	ChatModelGuard(Supplier<LlmHookChain> chain, Supplier<List<CallContextCustomizer>> customizers,
			BooleanSupplier useful, BooleanSupplier wanted, Supplier<AbortedRuns> abortedRuns, CurrentUser user) {
		super(new DefaultPointcutAdvisor(new GuardInterceptor(chain, customizers, abortedRuns, user)));
		this.useful = useful;
		this.wanted = wanted;
		ModelMethods.KNOWN.warn();
	}

	static boolean isGuarded(Object model) {
		return isAdvised(model, GuardInterceptor.class::isInstance);
	}

	/**
	 * Prove that questions to a guarded model pass a chain, by such that it has to deny.
	 */
	static boolean isProved(Object model, LlmHookChain chain) {
		return isProved(model, chain, GuardInterceptor.class::isInstance, ModelMethods::takesPrompt,
				ModelMethods::probe);
	}

	boolean isWanted() {
		return this.wanted.getAsBoolean();
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return ModelMethods.isModel(targetClass)
				&& (isWanted() || (this.useful.getAsBoolean() && isExtensible(targetClass)));
	}

	@Override
	protected boolean mustBeGuarded(Method method) {
		return ModelMethods.asks(method);
	}

	private record GuardInterceptor(Supplier<LlmHookChain> chain, Supplier<List<CallContextCustomizer>> customizers,
			Supplier<AbortedRuns> abortedRuns, CurrentUser user) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			ModelMethods.KNOWN.check(invocation.getMethod());
			Prompt prompt = ModelMethods.promptOf(invocation);
			if (prompt == null) {
				return ModelMethods.proceedInFull(invocation);
			}
			if (Probe.isUnderWay()) {
				this.chain.get().begin(LlmCall.of());
				throw new IllegalStateException("A call that must be denied reached a model");
			}
			boolean call = ModelMethods.isCall(invocation);
			if ((!call && !ModelMethods.isStream(invocation)) || AskedByHook.isActive()) {
				return invocation.proceed();
			}
			LlmHookChain hooks = this.chain.get();
			if (hooks.isIdle() || DecidedPrompt.isOfThread(hooks, prompt)) {
				return invocation.proceed();
			}
			Question question = new Question(hooks, invocation, prompt);
			Caller around = Around.callerIn(Context.empty());
			// Now, since a stream may be subscribed to on another thread.
			Login login = this.user.ofThread();
			return (call) ? call(question, (around != null) ? around : begin(login)) : stream(question, around, login);
		}

		/** A run of its own, so that an abort does not end the whole conversation. */
		private static Caller begin(Login login) {
			CallContext context = login.in(CallContext.empty().withRunId(UniqueId.next()));
			return new OwnRun(context, login);
		}

		private @Nullable ChatResponse call(Question question, Caller caller) {
			PromptExchange exchange = question.begin(caller, this.customizers.get());
			try {
				return exchange.replyOf(AskedByHook.execute(() -> question.hooks()
					.execute(exchange.call(), (decided) -> AskedByHook
						.leave(() -> exchange.receive(question.ask(exchange.promptOf(decided)))))));
			}
			catch (LlmCallAbortedException ex) {
				end(caller, ex);
				return exchange.replyOf(ex);
			}
		}

		/** A run of one question is over; any other is ended by who made it. */
		private void end(Caller caller, LlmCallAbortedException abortion) {
			String run = caller.context().runId();
			if (caller instanceof ClientRun around) {
				around.abort(abortion);
			}
			else if (caller instanceof OwnRun && run != null) {
				this.abortedRuns.get().endRun(run);
			}
		}

		private Flux<ChatResponse> stream(Question question, @Nullable Caller aroundCall, Login ofThread) {
			return Flux.deferContextual((context) -> {
				if (DecidedPrompt.isIn(context, question.hooks(), question.prompt())) {
					return ModelMethods.proceedStreaming(question.invocation(), question.prompt());
				}
				Caller aroundStream = Around.callerIn(context);
				Caller around = (aroundStream != null) ? aroundStream : aroundCall;
				Mono<Caller> caller = (around != null) ? Mono.just(around)
						: ReactiveCaller.of(this.user).map((login) -> begin(login.or(() -> ofThread)));
				return caller
					.flatMapMany((known) -> stream(question, question.begin(known, this.customizers.get()), known));
			});
		}

		private Flux<ChatResponse> stream(Question question, PromptExchange exchange, Caller caller) {
			StreamedPassage<LlmCallInProgress> passage = new StreamedPassage<>(
					() -> caller.execute(() -> AskedByHook.execute(() -> question.hooks().begin(exchange.call()))),
					LlmCallInProgress::cancel);
			return passage.begin()
				.flatMapMany((progress) -> stream(question, exchange, progress))
				.onErrorResume(LlmCallAbortedException.class, (ex) -> Mono.fromSupplier(() -> {
					end(caller, ex);
					return exchange.replyOf(ex);
				}))
				.doOnCancel(passage::cancel);
		}

		private static Flux<ChatResponse> stream(Question question, PromptExchange exchange,
				LlmCallInProgress progress) {
			LlmResponse settled = progress.settled();
			if (settled != null) {
				return Mono.justOrEmpty(exchange.replyOf(settled)).flux();
			}
			Flux<ChatResponse> parts = new MessageAggregator()
				.aggregate(Flux.defer(() -> question.stream(exchange.promptOf(progress.call()))), exchange::receive);
			return exchange.show(parts, progress, (response) -> Mono.justOrEmpty(exchange.replyOf(response)).flux());
		}

	}

	private record OwnRun(CallContext context, Login login) implements Caller {
	}

	private record Question(LlmHookChain hooks, MethodInvocation invocation, Prompt prompt) {

		PromptExchange begin(Caller caller, List<CallContextCustomizer> customizers) {
			ChatOptions options = ModelMethods.optionsOf(this.prompt, this.invocation);
			CallContext context = CallContextCustomizer.customize(customizers, caller.context(), () -> {
				Map<String, @Nullable Object> given = new HashMap<>(
						(caller instanceof ClientRun run) ? run.advisorParameters() : Map.of());
				if (options instanceof ToolCallingChatOptions calling && calling.getToolContext() != null) {
					given.putAll(calling.getToolContext());
				}
				return given;
			});
			// Now, since a stream goes on on other threads.
			Locale locale = caller.locale();
			return new PromptExchange(this.prompt, options, context, () -> this.hooks.getRefusalText().in(locale));
		}

		@Nullable ChatResponse ask(Prompt decided) {
			return (ChatResponse) new DecidedPrompt(this.hooks, decided, null)
				.<@Nullable Object>ask(() -> ModelMethods.proceed(this.invocation, decided));
		}

		Flux<ChatResponse> stream(Prompt decided) {
			return new DecidedPrompt(this.hooks, decided, null)
				.ask(ModelMethods.proceedStreaming(this.invocation, decided));
		}

	}

}
