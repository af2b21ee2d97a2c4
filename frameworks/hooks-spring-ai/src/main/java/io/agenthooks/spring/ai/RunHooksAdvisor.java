package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientMessageAggregator;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AdditionalContext;
import io.agenthooks.CallContext;
import io.agenthooks.chain.Probe;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.external.AskedByHook;

/**
 * Asks the hooks around runs about each call of a {@code ChatClient}, before any other
 * advisor does something for it: one that is blocked is not even remembered.
 *
 * @since 0.1.0
 */
public final class RunHooksAdvisor implements CallAdvisor, StreamAdvisor {

	/**
	 * Before memory, which is 200 behind the highest precedence, with room for others.
	 */
	private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private static final ChatClientMessageAggregator aggregator = new ChatClientMessageAggregator();

	private final ClientRuns runs;

	private final Supplier<RunHookChain> hooks;

	private final BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender;

	private final Supplier<List<CallContextCustomizer>> customizers;

	/**
	 * Create the advisor.
	 * @param hooks the hooks around runs
	 * @param abortedRuns the runs that hooks have aborted, which are forgotten when they
	 * end
	 */
	public RunHooksAdvisor(RunHookChain hooks, AbortedRuns abortedRuns) {
		this(hooks, abortedRuns, List::of);
	}

	RunHooksAdvisor(RunHookChain hooks, AbortedRuns abortedRuns, Supplier<List<CallContextCustomizer>> customizers) {
		this(() -> hooks, () -> abortedRuns, customizers, CurrentUser.ofSpringSecurity());
		Objects.requireNonNull(hooks, "'hooks' must not be null");
		Objects.requireNonNull(abortedRuns, "'abortedRuns' must not be null");
	}

	RunHooksAdvisor(Supplier<RunHookChain> hooks, Supplier<AbortedRuns> abortedRuns,
			Supplier<List<CallContextCustomizer>> customizers, CurrentUser user) {
		this.runs = new ClientRuns(user);
		this.hooks = hooks;
		this.ender = (run, heir) -> abortedRuns.get().endRun(run, heir);
		this.customizers = customizers;
	}

	boolean isProved(RunHookChain chain) {
		return Probe.isDenied(chain,
				() -> this.hooks.get().begin(new AgentRun("agent-hooks-probe", "", CallContext.empty())));
	}

	@Override
	public String getName() {
		return "Agent Hooks of runs";
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		if (isSpare(chain.getCallAdvisors())) {
			return chain.nextCall(request);
		}
		CallAdvisorChain rest = RepeatableChain.behind(this, chain);
		return this.runs.call(request, (run, known) -> call(known, run, rest));
	}

	/**
	 * Whether there is nobody to ask, another of these is behind, or a hook calls the
	 * client.
	 */
	private boolean isSpare(List<? extends Advisor> advisors) {
		return this.hooks.get().isIdle() || AskedByHook.isActive()
				|| advisors.subList(advisors.indexOf(this) + 1, advisors.size())
					.stream()
					.anyMatch(RunHooksAdvisor.class::isInstance);
	}

	private ChatClientResponse call(ChatClientRequest request, ClientRun run, CallAdvisorChain chain) {
		RunInProgress progress = begin(request, run);
		ChatClientResponse response;
		try {
			response = chain.nextCall(hook(request, run, progress));
		}
		catch (Throwable ex) {
			AskedByHook.failing(progress::fail).accept(ex);
			throw ex;
		}
		finish(progress, response.chatResponse());
		return response;
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		if (isSpare(chain.getStreamAdvisors())) {
			return chain.nextStream(request);
		}
		StreamAdvisorChain rest = RepeatableChain.behind(this, chain);
		return this.runs.stream(request, (run, known) -> stream(known, run, rest));
	}

	private Flux<ChatClientResponse> stream(ChatClientRequest request, ClientRun run, StreamAdvisorChain chain) {
		AtomicReference<@Nullable ChatResponse> answer = new AtomicReference<>();
		StreamedPassage<RunInProgress> passage = new StreamedPassage<>(() -> run.execute(() -> begin(request, run)),
				RunInProgress::cancel);
		return passage.begin()
			.flatMapMany((progress) -> aggregator
				.aggregateChatClientResponse(Flux.defer(() -> chain.nextStream(hook(request, run, progress))),
						(response) -> answer.set(response.chatResponse()))
				.onErrorResume((ex) -> StreamedPassage.failing(AskedByHook.failing(progress::fail), ex))
				.concatWith(StreamedPassage.blocking(() -> finish(progress, answer.get())).then(Mono.empty())))
			.doOnCancel(passage::cancel);
	}

	private RunInProgress begin(ChatClientRequest request, ClientRun run) {
		run.atEnd(this.ender);
		String prompt = request.prompt().getUserMessage().getText();
		AgentRun begun = new AgentRun(run.takeId(), Objects.requireNonNullElse(prompt, ""),
				run.customize(request, this.customizers.get()));
		return AskedByHook.execute(() -> this.hooks.get().begin(begun));
	}

	private static ChatClientRequest hook(ChatClientRequest request, ClientRun run, RunInProgress progress) {
		String additional = progress.additionalContext();
		if (additional == null) {
			return request;
		}
		Prompt hooked = withContext(request.prompt(), additional);
		List<String> before = ReadTurns.usersTexts(request.prompt().getInstructions());
		List<String> after = ReadTurns.usersTexts(hooked.getInstructions());
		run.texts()
			.given()
			.replace((before.isEmpty()) ? null : before.get(before.size() - 1), after.get(after.size() - 1));
		return ChatClientRequest.builder().prompt(hooked).context(request.context()).build();
	}

	private static Prompt withContext(Prompt prompt, String additional) {
		if (!prompt.getUserMessages().isEmpty()) {
			return prompt.augmentUserMessage((user) -> user.mutate()
				.text(AdditionalContext.neutralize(Objects.requireNonNullElse(user.getText(), "")) + "\n\n"
						+ additional)
				.build());
		}
		List<Message> messages = new ArrayList<>(prompt.getInstructions());
		messages.add(new UserMessage(additional));
		return new Prompt(messages, prompt.getOptions());
	}

	private static boolean finish(RunInProgress progress, @Nullable ChatResponse answer) {
		return AskedByHook.execute(() -> {
			progress.finish((answer != null) ? ModelResponses.textOf(answer) : "",
					(answer != null) ? ModelResponses.usageOf(answer) : null);
			return true;
		});
	}

}
