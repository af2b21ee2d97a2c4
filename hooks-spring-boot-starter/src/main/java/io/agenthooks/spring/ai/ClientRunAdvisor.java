package io.agenthooks.spring.ai;

import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import reactor.core.publisher.Flux;

import io.agenthooks.AbortedRuns;
import io.agenthooks.spring.CurrentUser;

/**
 * Makes a run of each call of a {@code ChatClient}: finds out who asks, in which
 * conversation, before another advisor can lead to another thread, and hands that on to
 * all hooks.
 * <p>
 * A call knows who is logged in on the thread that waits for it. A stream knows who the
 * Reactor context says is logged in, or else who is on the thread that subscribes. If
 * neither says anything when a call is tried again, it is for whom it was tried before.
 * Another advisor of this kind in the same client does nothing.
 *
 * @since 0.1.0
 */
public final class ClientRunAdvisor implements CallAdvisor, StreamAdvisor, PriorityOrdered {

	private final CurrentUser user = CurrentUser.ofSpringSecurity();

	private final @Nullable Consumer<String> ender;

	/**
	 * Create the advisor. Others have to forget the runs that hooks abort.
	 */
	public ClientRunAdvisor() {
		this.ender = null;
	}

	/**
	 * Create the advisor.
	 * @param abortedRuns where to find the runs that hooks have aborted, which are
	 * forgotten when they end
	 */
	public ClientRunAdvisor(Supplier<AbortedRuns> abortedRuns) {
		this.ender = (run) -> abortedRuns.get().endRun(run);
	}

	@Override
	public String getName() {
		return "Agent Hooks of callers";
	}

	/**
	 * Before every advisor that is not {@link PriorityOrdered} itself, also before those
	 * with the highest precedence.
	 */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		CallAdvisorChain rest = RepeatableChain.behind(this, chain);
		return ClientRun.beginCall(request, this.user, (run, known) -> rest.nextCall(begun(run, known)));
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		StreamAdvisorChain rest = RepeatableChain.behind(this, chain);
		return ClientRun.beginStream(request, this.user, (run, known) -> rest.nextStream(begun(run, known)));
	}

	private ChatClientRequest begun(ClientRun run, ChatClientRequest known) {
		if (this.ender != null) {
			run.atEnd(this.ender);
		}
		return known;
	}

}
