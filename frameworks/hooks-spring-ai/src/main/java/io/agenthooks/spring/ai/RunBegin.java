package io.agenthooks.spring.ai;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.context.i18n.LocaleContextHolder;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.UniqueId;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.RunState;

/** The begin of the run of a call of a client, and whether it is over. */
final class RunBegin {

	private final ChatClientRequest request;

	/** All advisors of the request, once they are known. */
	private volatile List<? extends Advisor> advisors = List.of();

	/** The same if the call is made again. */
	private final Map<String, @Nullable Object> given;

	private final RunTexts texts;

	private final Around around;

	private final Login login;

	/** Whether the caller was found in what is there each time. */
	private final boolean found;

	private final String runId;

	private final boolean ownsId;

	private final Locale locale;

	private final AtomicBoolean idTaken = new AtomicBoolean();

	private final Set<BiConsumer<String, Consumer<AbortedRuns.Abortion>>> enders = Collections
		.synchronizedSet(new LinkedHashSet<>());

	private final RunState state = new RunState();

	private volatile @Nullable Map<String, @Nullable Object> handedOn;

	private volatile boolean succeeded;

	RunBegin(ChatClientRequest request, AdvisorParameters given, RunTexts texts, Around around, Login login,
			boolean found) {
		this.request = request;
		String run = given.text(AgentHooks.RUN_ID);
		this.given = given.given();
		this.texts = texts;
		this.around = around;
		this.login = login;
		this.found = found;
		this.runId = (run != null) ? run : UniqueId.next();
		this.ownsId = (run == null);
		this.locale = LocaleContextHolder.getLocale();
	}

	Locale locale() {
		return this.locale;
	}

	ChatClientRequest request() {
		return this.request;
	}

	List<? extends Advisor> advisors() {
		return this.advisors;
	}

	void isAskedWith(List<? extends Advisor> advisors) {
		this.advisors = List.copyOf(advisors);
	}

	RunTexts texts() {
		return this.texts;
	}

	Around around() {
		return this.around;
	}

	Login login() {
		return this.login;
	}

	String runId() {
		return this.runId;
	}

	void handOn(Map<String, @Nullable Object> given) {
		this.handedOn = given;
	}

	/** Whether parameters are the very ones that were handed on. */
	@SuppressWarnings("ReferenceEquality") // parameters that were copied may be equal
	boolean isHandedOn(Map<String, @Nullable Object> given) {
		return this.handedOn == given;
	}

	@SuppressWarnings("ReferenceEquality") // parameters of another call may be equal
	boolean isRetried(Map<String, @Nullable Object> given) {
		return this.given == given && this.state.isOver() && !this.succeeded && !this.found;
	}

	/** Its own id, if nobody gave it one and it has not begun before, as with a retry. */
	String takeId(@Nullable String run) {
		return (this.runId.equals(run) && this.ownsId && this.idTaken.compareAndSet(false, true)) ? this.runId
				: UniqueId.next();
	}

	/** A run that somebody else gave an id goes on until they end it. */
	void atEnd(BiConsumer<String, Consumer<AbortedRuns.Abortion>> ender) {
		this.enders.add(ender);
	}

	void succeed() {
		this.succeeded = true;
	}

	void end() {
		this.state.end();
		forget();
	}

	void cancel() {
		this.state.cancel();
		forget();
	}

	boolean isOver() {
		return this.state.isOver();
	}

	/** One that comes late is forgotten at once. */
	void abort(AgentAbortedException abortion) {
		if (this.state.abort(abortion)) {
			forget();
		}
	}

	@Nullable AgentAbortedException abortedBy() {
		return this.state.abortedBy();
	}

	/** A run that somebody else gave an id is theirs to end. */
	private void forget() {
		if (this.ownsId) {
			List.copyOf(this.enders).forEach((ender) -> ender.accept(this.runId, this.state::inherit));
		}
	}

}
