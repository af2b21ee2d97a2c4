package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import reactor.util.context.Context;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.toolcall.ToolCall;

/**
 * One call of a {@code ChatClient}, from the question to the answer, and who makes it. It
 * goes from advisor to advisor with the request, and to the threads that run tools by the
 * tools themselves and by the Reactor context.
 */
final class ClientRun implements Caller {

	private final RunBegin begin;

	private final CallContext context;

	private final Login login;

	private final Map<String, @Nullable Object> advisorParameters;

	private final Set<String> inside;

	ClientRun(RunBegin begin, AdvisorParameters given) {
		String run = given.text(AgentHooks.RUN_ID);
		this.begin = begin;
		this.inside = begin.around().inside();
		this.login = begin.login().as(given.text(AgentHooks.USER));
		this.context = this.login.in(CallContext.ofSession(given.session(begin.around().caller())))
			.withRunId((run != null) ? run : begin.runId())
			.withRootRunId(begin.around().rootRun())
			.withAgent(given.text(AgentHooks.AGENT));
		this.advisorParameters = given.withoutRun();
	}

	private ClientRun(ClientRun run, CallContext context, Login login, Set<String> inside) {
		this.begin = run.begin;
		this.advisorParameters = run.advisorParameters;
		this.context = context;
		this.login = login;
		this.inside = inside;
	}

	RunBegin begin() {
		return this.begin;
	}

	@Override
	public CallContext context() {
		return this.context;
	}

	@Override
	public CallContext outermost() {
		CallContext outermost = this.begin.around().outermost();
		return (outermost != null) ? outermost : this.context;
	}

	@Override
	public Set<String> inside() {
		return this.inside;
	}

	@Override
	public ClientRun inTool(ToolCall call) {
		return new ClientRun(this, this.context, this.login, Caller.inside(call.id(), this.inside));
	}

	@Override
	public ClientRun inTool(ToolCall call, CallContext told) {
		return new ClientRun(this, told, this.login.as(told), Caller.inside(call.id(), this.inside));
	}

	/** Whether this is for whom a tool of the run works, and not the run itself. */
	@Override
	public boolean knowsCalls() {
		return this.inside.size() > this.begin.around().inside().size();
	}

	@Override
	public Locale locale() {
		return this.begin.locale();
	}

	@Override
	public Login login() {
		return this.login;
	}

	@Override
	public @Nullable AgentAbortedException abortedBy() {
		return this.begin.abortedBy();
	}

	void abort(AgentAbortedException abortion) {
		this.begin.abort(abortion);
	}

	RunTexts texts() {
		return this.begin.texts();
	}

	Map<String, @Nullable Object> advisorParameters() {
		return this.advisorParameters;
	}

	String takeId() {
		return this.begin.takeId(this.context.runId());
	}

	void atEnd(BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender) {
		this.begin.atEnd(ender);
	}

	Context in(Context context) {
		return context.put(Caller.class, this);
	}

	/** The additions of customizers, which are given the same as for calls of tools. */
	CallContext customize(ChatClientRequest request, List<CallContextCustomizer> customizers) {
		return CallContextCustomizer.customize(customizers, this.context, () -> {
			Map<String, @Nullable Object> given = AdvisorParameters.of(request).withoutRun();
			if (request.prompt().getOptions() instanceof ToolCallingChatOptions options
					&& options.getToolContext() != null) {
				given.putAll(options.getToolContext());
			}
			return given;
		});
	}

	/** Nothing of it: applications log the parameters of advisors. */
	@Override
	public String toString() {
		return "ClientRun";
	}

}
