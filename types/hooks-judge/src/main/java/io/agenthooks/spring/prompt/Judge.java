package io.agenthooks.spring.prompt;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.core.NestedExceptionUtils;

import io.agenthooks.HookDecision;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.spring.external.QuestionsInFlight;
import io.agenthooks.spring.external.RecentOutcomes;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Asks a model what it thinks of a call. Data is put into the question of the operator,
 * in blocks that data cannot end. What would be too long is denied, not cut. A ruling on
 * an equal question holds again, if rulings are kept. The model is asked on a thread of
 * its own: one that ignores interrupts is left alone when the time is over. Who finds
 * none free waits, within the same time. Without a valid ruling {@code fail_open}
 * decides; if the caller was interrupted or the application ends, the call is denied.
 */
final class Judge<C, D extends HookDecision> implements AutoCloseable {

	/** In bytes. */
	static final int MAX_QUESTION = 256 * 1024;

	private static final SecureRandom random = new SecureRandom();

	private static final int NONCE_BYTES = 8;

	private static final int MANY = 1_000_000;

	private final String name;

	private final PromptSettings settings;

	private final Rules rules;

	private final NoVerdictMode<C, D> failMode;

	private final Decisions<D> decisions;

	private final @Nullable JudgementCache cache;

	private final RecentOutcomes recent = new RecentOutcomes();

	/** Fair: who waits longest is next. */
	private final Semaphore slots;

	private final ExecutorService threads;

	private final QuestionsInFlight inFlight = new QuestionsInFlight();

	private final Set<FutureTask<?>> underWay = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	Judge(String name, PromptSettings settings, NoVerdictMode<C, D> failMode, Decisions<D> decisions) {
		this.name = name;
		this.settings = settings;
		this.rules = new Rules(settings.event());
		this.failMode = failMode;
		this.decisions = decisions;
		this.cache = (settings.cache() != null) ? new JudgementCache(settings.cache(), System::nanoTime) : null;
		this.slots = new Semaphore(settings.maxConcurrent(), true);
		this.threads = HooksThreads.unbounded("prompt-hook");
	}

	String name() {
		return this.name;
	}

	/** One of results is not expected to object. */
	long callsWithoutObjection() {
		JudgedEvent event = this.settings.event();
		return (event == JudgedEvent.POST_TOOL_USE || event == JudgedEvent.POST_LLM_CALL) ? -1
				: this.failMode.callsWithoutObjection();
	}

	void writtenAt(@Nullable String place) {
		this.failMode.writtenAt(place);
	}

	D judge(C call, Function<C, Map<String, @Nullable Object>> describing) {
		return this.failMode.decide(call, describing::apply, (asked, data) -> {
			// What is kept says nothing about whether the model is there.
			Judgement ruling = (asked.equals(call)) ? judge(data) : ask(data);
			return switch (ruling.answer()) {
				case ALLOW -> this.decisions.allowing().get();
				case ASK -> this.decisions.asking().apply(ruling.reason());
				case DENY -> this.decisions.denying().apply(ruling.reason());
			};
		});
	}

	private Judgement judge(Map<String, @Nullable Object> data) throws NoVerdictException {
		if (this.closed) {
			throw NoVerdictException.shuttingDown();
		}
		if (this.cache == null) {
			return ask(data);
		}
		// The data is the same only if its text is, so this is as good a key as any.
		String key = JudgementCache.key(write(data, ""));
		Judgement known = this.cache.get(key);
		if (known != null) {
			return known;
		}
		Judgement ruling = ask(data);
		if (ruling.sound()) {
			this.cache.put(key, ruling);
		}
		return ruling;
	}

	private Judgement ask(Map<String, @Nullable Object> data) throws NoVerdictException {
		String nonce = nonce();
		String question = write(data, nonce);
		if (question.getBytes(StandardCharsets.UTF_8).length > MAX_QUESTION) {
			throw tooLong();
		}
		Supplier<@Nullable ChatResponse> model;
		try {
			model = this.settings.model()
				.toAsk(this.rules.text(nonce), question, (this.settings.outputSchema()) ? this.rules.schema() : null);
		}
		catch (RuntimeException ex) {
			// No outage, but a mistake, or the end of the application.
			String message = "The judge is not available (" + ex.getClass().getSimpleName() + ")";
			this.recent.failed(message);
			throw NoVerdictException.refusal(message);
		}
		long deadline = System.nanoTime() + this.settings.timeout().toNanos();
		boolean waited = awaitSlot();
		try {
			Judgement ruling = this.inFlight.ask(this.settings.timeout(),
					() -> JudgeReply.read(call(model, deadline, waited)));
			this.recent.answered();
			return ruling;
		}
		catch (NoVerdictException ex) {
			if (ex.mayPass()) {
				this.recent.failed(ex.getMessage());
			}
			else if (!this.closed && !Thread.currentThread().isInterrupted()) {
				this.recent.refused(ex.getMessage());
			}
			throw ex;
		}
	}

	HookHealth.Report health() {
		return this.recent.report(this.settings.failOpen());
	}

	private String write(Map<String, @Nullable Object> data, String nonce) throws NoVerdictException {
		try {
			return this.settings.question().write(data, nonce, MAX_QUESTION);
		}
		catch (DataWriter.TooMuchDataException ex) {
			throw tooLong();
		}
	}

	private static NoVerdictException tooLong() {
		return NoVerdictException.refusal("The question is too long for the judge");
	}

	private static String nonce() {
		byte[] nonce = new byte[NONCE_BYTES];
		random.nextBytes(nonce);
		return HexFormat.of().formatHex(nonce);
	}

	private @Nullable ChatResponse call(Supplier<@Nullable ChatResponse> model, long deadline, boolean waited)
			throws NoVerdictException {
		FutureTask<@Nullable ChatResponse> task = new FutureTask<>(model::get);
		this.underWay.add(task);
		try {
			start(task);
			return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw late(waited);
		}
		catch (InterruptedException ex) {
			throw NoVerdictException.interrupted();
		}
		catch (CancellationException ex) {
			throw NoVerdictException.shuttingDown();
		}
		catch (ExecutionException ex) {
			throw failure(ex.getCause());
		}
		finally {
			task.cancel(true);
			this.underWay.remove(task);
		}
	}

	private boolean awaitSlot() throws NoVerdictException {
		try {
			boolean waited = !this.slots.tryAcquire(0, TimeUnit.NANOSECONDS);
			if (waited && !this.slots.tryAcquire(this.settings.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
				this.recent.busy();
				throw NoVerdictException.timeout("The judge is busy with other calls", false);
			}
			this.recent.admitted();
			return waited;
		}
		catch (InterruptedException ex) {
			throw NoVerdictException.interrupted();
		}
	}

	/** The slot is free again when the thread is, however long that takes. */
	private void start(FutureTask<?> task) throws NoVerdictException {
		try {
			this.threads.execute(() -> {
				try {
					task.run();
				}
				finally {
					this.slots.release();
				}
			});
		}
		catch (RejectedExecutionException ex) {
			throw NoVerdictException.shuttingDown();
		}
		catch (RuntimeException | Error ex) {
			this.slots.release();
			throw ex;
		}
		if (this.closed) {
			throw NoVerdictException.shuttingDown();
		}
	}

	private NoVerdictException late(boolean waited) {
		Duration timeout = this.settings.timeout();
		return NoVerdictException.timeout("The judge did not answer within %d ms".formatted(timeout.toMillis()),
				!waited);
	}

	/**
	 * The message of a client may quote the question, so only the kind of failure is
	 * reported.
	 */
	private NoVerdictException failure(@Nullable Throwable cause) {
		if (cause instanceof Error error) {
			throw error;
		}
		if (this.closed) {
			return NoVerdictException.shuttingDown();
		}
		String message = "The judge cannot be asked (" + kind(cause) + ")";
		return (RefusedQuestion.isCauseOf(cause)) ? NoVerdictException.refusal(message)
				: NoVerdictException.failure(message);
	}

	private static String kind(@Nullable Throwable failure) {
		if (failure == null) {
			return "unknown";
		}
		Throwable root = NestedExceptionUtils.getRootCause(failure);
		String kind = failure.getClass().getSimpleName();
		return (root != null) ? kind + ", " + root.getClass().getSimpleName() : kind;
	}

	/** Also the calls that wait. */
	@Override
	public void close() {
		this.closed = true;
		this.threads.shutdownNow();
		this.underWay.forEach((task) -> task.cancel(true));
		this.slots.release(MANY);
	}

	record Decisions<D>(Supplier<D> allowing, Function<String, D> asking, Function<String, D> denying) {

		/** No person can be asked about these. */
		static <D> Decisions<D> withoutPerson(Supplier<D> allowing, Function<String, D> denying) {
			return new Decisions<>(allowing, (reason) -> denying
				.apply("The judge wants a person to decide, but none can be asked here: " + reason), denying);
		}

	}

}
