package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.client.ChatClientMessageAggregator;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.external.AskedByHook;

/**
 * Lets the model calls of a {@code ChatClient} pass the hooks: each one, also those after
 * calls of tools, as close to the model as an advisor can be.
 * <p>
 * A streamed response is shown as it comes, unless a hook may replace it: then it is
 * collected first.
 *
 * @since 0.1.0
 */
public final class LlmHooksAdvisor implements CallAdvisor, StreamAdvisor {

	/** Behind every other advisor but the one that asks the model. */
	private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1;

	private static final ChatClientMessageAggregator aggregator = new ChatClientMessageAggregator();

	private final ClientRuns runs;

	private final Supplier<LlmHookChain> hooks;

	private final Supplier<List<CallContextCustomizer>> customizers;

	/**
	 * Create the advisor.
	 * @param hooks the hooks around model calls
	 */
	public LlmHooksAdvisor(LlmHookChain hooks) {
		this(hooks, List::of);
	}

	LlmHooksAdvisor(LlmHookChain hooks, Supplier<List<CallContextCustomizer>> customizers) {
		this(() -> hooks, customizers, CurrentUser.ofSpringSecurity());
		Objects.requireNonNull(hooks, "'hooks' must not be null");
	}

	LlmHooksAdvisor(Supplier<LlmHookChain> hooks, Supplier<List<CallContextCustomizer>> customizers, CurrentUser user) {
		this.runs = new ClientRuns(user);
		this.hooks = hooks;
		this.customizers = customizers;
	}

	@Override
	public String getName() {
		return "Agent Hooks of model calls";
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		LlmHookChain hooks = this.hooks.get();
		if (hooks.isIdle() || isSpare(chain.getCallAdvisors())) {
			return chain.nextCall(request);
		}
		CallAdvisorChain rest = RepeatableChain.behind(this, chain);
		return this.runs.call(request, (run, known) -> call(hooks, known, run, rest));
	}

	private ChatClientResponse call(LlmHookChain hooks, ChatClientRequest request, ClientRun run,
			CallAdvisorChain rest) {
		run.texts().read(request.prompt(), true);
		ModelExchange exchange = ModelExchange.of(request, run, this.customizers.get(), hooks);
		try {
			return exchange.replyOf(AskedByHook.execute(() -> hooks.execute(exchange.call(),
					(call) -> AskedByHook.leave(() -> ask(hooks, exchange, call, rest)))));
		}
		catch (LlmCallAbortedException ex) {
			run.abort(ex);
			return exchange.replyOf(ex);
		}
	}

	private static LlmResponse ask(LlmHookChain hooks, ModelExchange exchange, LlmCall call, CallAdvisorChain chain) {
		ChatClientRequest request = exchange.requestOf(call);
		return exchange.receive(decided(hooks, request).ask(() -> chain.nextCall(request)));
	}

	private static DecidedPrompt decided(LlmHookChain hooks, ChatClientRequest request) {
		return new DecidedPrompt(hooks, request.prompt(),
				(String) request.context().get(ChatClientAttributes.OUTPUT_FORMAT.getKey()));
	}

	/** Whether another of these is behind this one, or a hook asks the model. */
	private boolean isSpare(List<? extends Advisor> advisors) {
		return AskedByHook.isActive() || advisors.subList(advisors.indexOf(this) + 1, advisors.size())
			.stream()
			.anyMatch(LlmHooksAdvisor.class::isInstance);
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		LlmHookChain hooks = this.hooks.get();
		if (hooks.isIdle() || isSpare(chain.getStreamAdvisors())) {
			return chain.nextStream(request);
		}
		StreamAdvisorChain rest = RepeatableChain.behind(this, chain);
		return this.runs.stream(request, (run, known) -> stream(hooks, known, run, rest));
	}

	private Flux<ChatClientResponse> stream(LlmHookChain hooks, ChatClientRequest request, ClientRun run,
			StreamAdvisorChain rest) {
		run.texts().read(request.prompt(), true);
		ModelExchange exchange = ModelExchange.of(request, run, this.customizers.get(), hooks);
		StreamedPassage<LlmCallInProgress> passage = new StreamedPassage<>(
				() -> run.execute(() -> AskedByHook.execute(() -> hooks.begin(exchange.call()))),
				LlmCallInProgress::cancel);
		return passage.begin()
			.flatMapMany((progress) -> stream(hooks, progress, exchange, rest))
			.onErrorResume(LlmCallAbortedException.class, (ex) -> Mono.fromSupplier(() -> {
				run.abort(ex);
				return exchange.replyOf(ex);
			}))
			.doOnCancel(passage::cancel);
	}

	private static Flux<ChatClientResponse> stream(LlmHookChain hooks, LlmCallInProgress progress,
			ModelExchange exchange, StreamAdvisorChain chain) {
		LlmResponse settled = progress.settled();
		if (settled != null) {
			return Flux.just(exchange.replyOf(settled));
		}
		Flux<ChatClientResponse> parts = aggregator.aggregateChatClientResponse(Flux.defer(() -> {
			ChatClientRequest request = exchange.requestOf(progress.call());
			return decided(hooks, request).ask(chain.nextStream(request));
		}), exchange::receive);
		return exchange.show(parts, progress);
	}

}
