package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Sinks;

import io.agenthooks.HookDecision;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.spring.external.OutageCheck;
import io.agenthooks.spring.external.QuestionsInFlight;
import io.agenthooks.spring.external.RecentOutcomes;

/**
 * Asks an endpoint about a call. The call waits a moment for a slot. Without one it is
 * denied: how many calls there are is up to the agent. From the post to the last byte of
 * the answer there is one timeout. A valid verdict is the decision. An answer that
 * denies, but has the status of an outage or breaks off, denies. With an open circuit
 * breaker the endpoint is not asked: an outage, too. In an outage {@code fail_open}
 * decides. It is believed if a {@linkplain OutageCheck probe} fails, too. An answer that
 * is late or failed while the server had other questions of ours is none, unless one
 * without others failed, too. Without a verdict for another reason the call is denied.
 */
final class WebhookEndpoint implements AutoCloseable {

	/** Then the webhook counts as busy. */
	static final Duration MAX_WAIT_FOR_SLOT = Duration.ofMillis(250);

	private static final Logger logger = LoggerFactory.getLogger(WebhookEndpoint.class);

	private final String name;

	private final WebhookSettings settings;

	private final WebhookClient client;

	private final WebhookWords words;

	private final @Nullable WebhookNotifier notifier;

	/** Fair: who waits longest is next. */
	private final Semaphore slots;

	private final WebhookBreaker breaker;

	private final RecentOutcomes recent = new RecentOutcomes();

	/** With those of all that ask the same server. */
	private final QuestionsInFlight inFlight;

	private final OutageCheck outages = new OutageCheck(true);

	private volatile byte @Nullable [] answered;

	private final Sinks.Empty<byte[]> closing = Sinks.empty();

	private volatile boolean closed;

	WebhookEndpoint(String name, WebhookSettings settings, WebhookClient client, WebhookBreaker breaker,
			QuestionsInFlight inFlight) {
		this.inFlight = inFlight;
		this.breaker = breaker;
		this.name = name;
		this.settings = settings;
		this.client = client;
		this.words = (settings.system() != null)
				? new SystemWords(name, settings.system(), settings.requireDecision(), settings.sent())
				: new OwnWords(settings.sent());
		this.notifier = (settings.notifications()) ? new WebhookNotifier(name, client, settings.timeout()) : null;
		this.slots = new Semaphore(settings.maxConcurrent(), true);
	}

	String name() {
		return this.name;
	}

	List<String> preCallWarnings() {
		if (!this.settings.failOpen() || !this.settings.failOpenByDefault()) {
			return List.of();
		}
		return List
			.of("Calls pass when the endpoint of '%s' cannot be reached: that is the default. ".formatted(this.name)
					+ "Write 'fail_open: false' to deny them then, or 'fail_open: true' to confirm.");
	}

	boolean failOpen() {
		return this.settings.failOpen();
	}

	WebhookWords words() {
		return this.words;
	}

	<C, D extends HookDecision> D ask(C call, NoVerdictMode<C, D> failMode, NoVerdictMode.Writing<C, byte[]> writer,
			Function<byte[], D> reading) {
		return failMode.decide(call, () -> {
			byte[] question = new byte[0];
			try {
				question = writer.write(call);
				return ask(question, () -> probe(writer.write(failMode.probe())), reading);
			}
			catch (WebhookException ex) {
				throw noVerdict(ex, mayPass(question));
			}
			catch (InterruptedException ex) {
				throw NoVerdictException.interrupted();
			}
			catch (RuntimeException ex) {
				throw noVerdict(WebhookException.of(ex), false);
			}
		});
	}

	private NoVerdictException noVerdict(WebhookException ex, boolean mayPass) {
		logger.debug("Hook '{}': no verdict", this.name, ex);
		return ex.toNoVerdict(mayPass);
	}

	private <D> D ask(byte[] question, OutageCheck.Probe probe, Function<byte[], D> reading)
			throws InterruptedException {
		if (this.breaker.isOpen()) {
			throw notAsked();
		}
		long wait = Math.min(this.settings.timeout().toNanos(), MAX_WAIT_FOR_SLOT.toNanos());
		if (!this.slots.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
			if (!this.closed) {
				this.recent.busy();
			}
			// How many calls there are is up to the agent.
			throw WebhookException.refusal("The webhook is busy with other calls");
		}
		this.recent.admitted();
		try {
			// Only now: a wait that others cause takes nothing from the endpoint's time.
			return attempt(question, probe, reading, System.nanoTime() + this.settings.timeout().toNanos());
		}
		finally {
			this.slots.release();
		}
	}

	/** Remember how it ended: an outage, or not. */
	private <D> D attempt(byte[] question, OutageCheck.Probe probe, Function<byte[], D> reading, long deadline)
			throws InterruptedException {
		if (!this.breaker.tryEnter()) {
			throw notAsked();
		}
		WebhookBreaker.Outcome outcome = WebhookBreaker.Outcome.NONE;
		try {
			D decision = reading.apply(answerBesideOthers(question, deadline));
			outcome = WebhookBreaker.Outcome.ANSWERED;
			this.recent.answered();
			return decision;
		}
		catch (WebhookException failure) {
			WebhookException ex = checked(failure, question, probe);
			if (!this.closed) {
				outcome = outcome(ex, question);
				if (ex.isOutage()) {
					this.recent.failed(ex.getMessage());
				}
				else {
					this.recent.refused(ex.getMessage());
				}
			}
			throw ex;
		}
		finally {
			this.breaker.leave(outcome);
		}
	}

	/** Another one in its place if it is not believed to be an outage. */
	private WebhookException checked(WebhookException failure, byte[] question, OutageCheck.Probe probe) {
		if (!failure.isOutage() || !mayPass(question)) {
			return failure;
		}
		NoVerdictException checked = this.outages.check(failure.toNoVerdict(true), probe, again());
		return (checked.mayPass()) ? failure : failure.notBelieved(checked.getMessage());
	}

	private OutageCheck.@Nullable Probe again() {
		byte[] question = this.answered;
		return (question != null) ? () -> probe(question) : null;
	}

	/**
	 * Ask something to see whether the endpoint is well. Whatever it answers, it is
	 * there.
	 */
	private void probe(byte[] question) throws NoVerdictException {
		try {
			byte[] unread = answer(question, System.nanoTime() + this.settings.timeout().toNanos());
			logger.debug("Hook '{}': a probe was answered ({} bytes)", this.name, unread.length);
		}
		catch (WebhookException ex) {
			if (ex.isOutage() || this.closed) {
				throw ex.toNoVerdict(!this.closed);
			}
		}
		catch (InterruptedException ex) {
			throw NoVerdictException.interrupted();
		}
	}

	/**
	 * After a question so large that it may be what broke the endpoint, or beside others,
	 * nothing: else an agent could open the circuit, and with that the gate.
	 */
	private static WebhookBreaker.Outcome outcome(WebhookException ex, byte[] question) {
		if (!ex.isOutage()) {
			return (ex.isBesideOthers()) ? WebhookBreaker.Outcome.NONE : WebhookBreaker.Outcome.ANSWERED;
		}
		return (question.length <= io.agenthooks.chain.FailMode.MAX_SIZE_TO_PASS) ? WebhookBreaker.Outcome.OUTAGE
				: WebhookBreaker.Outcome.NONE;
	}

	private static WebhookException notAsked() {
		return WebhookException.unreached("The webhook is not asked: its circuit breaker is open");
	}

	private byte[] answerBesideOthers(byte[] question, long deadline) throws InterruptedException {
		try (QuestionsInFlight.Question asked = this.inFlight.begin(this.settings.timeout())) {
			try {
				byte[] answer = answer(question, deadline);
				asked.answered();
				this.outages.answered();
				if (question.length <= OutageCheck.MAX_KEPT) {
					this.answered = question;
				}
				return answer;
			}
			catch (WebhookException ex) {
				throw (isBesideOthers(ex, asked)) ? ex.besideOthers() : ex;
			}
		}
	}

	private static boolean isBesideOthers(WebhookException ex, QuestionsInFlight.Question asked) {
		if (!ex.isOutage()) {
			return false;
		}
		return (ex.isTimeout()) ? asked.isLateBesideOthers() : asked.isFailedBesideOthers();
	}

	private byte[] answer(byte[] question, long deadline) throws InterruptedException {
		ArrivedBody arrived = new ArrivedBody(this.settings.maxResponseBytes());
		try {
			return this.client.await(this.client.ask(question, arrived).takeUntilOther(this.closing.asMono()),
					deadline);
		}
		catch (WebhookException ex) {
			throw (ex.isOutage() && arrived.isDenial()) ? WebhookException
				.refusal("The webhook denied the call in an answer that failed (" + ex.getMessage() + ")") : ex;
		}
	}

	HookHealth.Report health() {
		HookHealth.Report asked = this.recent.report(failOpen());
		if (asked.state() == HookHealth.State.UNKNOWN && this.notifier != null) {
			asked = this.notifier.health(failOpen());
		}
		return this.breaker.report(asked);
	}

	private boolean mayPass(byte[] question) {
		return !this.closed && io.agenthooks.chain.FailMode.of(failOpen()).passesWithoutAnswer(question.length);
	}

	/**
	 * The message is written at once: a result may be changed by its owner once the call
	 * is over. {@code null} if there is nothing to tell.
	 */
	void send(Supplier<byte @Nullable []> writer) {
		if (this.notifier == null) {
			return;
		}
		try {
			byte @Nullable [] news = writer.get();
			if (news != null) {
				this.notifier.send(news);
			}
		}
		catch (RuntimeException ex) {
			this.notifier.drop("it cannot be written as JSON (" + ex.getClass().getSimpleName() + ")");
		}
	}

	/** Not delivered; negative if there are none. */
	long dropped() {
		return (this.notifier != null) ? this.notifier.droppedNotifications() : -1;
	}

	/** Sent, and did not arrive. */
	long failed() {
		return (this.notifier != null) ? this.notifier.failedNotifications() : -1;
	}

	/** Deny the calls that wait, and all that come, and send what waits. */
	@Override
	public void close() {
		this.closed = true;
		this.closing.tryEmitError(WebhookException.refusal("The application is shutting down"));
		if (this.notifier != null) {
			this.notifier.close();
		}
		else {
			this.client.close();
		}
	}

}
