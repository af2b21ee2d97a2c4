package io.agenthooks.spring.webhook;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Sinks;

import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Asks an HTTP endpoint about a call, and waits for its verdict:
 * <ol>
 * <li>The call waits for a free slot; so many calls at most wait for the endpoint.</li>
 * <li>It is posted, and the answer is read. From the wait for a slot to the last byte all
 * of this has one timeout.</li>
 * <li>A valid verdict is the decision.</li>
 * <li>If there is none because of an outage, {@code fail_open} decides. If there is none
 * because of anything else, or because the waiting thread was interrupted, or because the
 * application is shutting down, the call is denied.</li>
 * </ol>
 */
class WebhookToolHook implements PreToolHook, PreCallWarnings, AutoCloseable {

	/**
	 * The largest question, in bytes, that an outage may let pass.
	 */
	static final int MAX_SIZE_TO_PASS = 256 * 1024;

	private static final Logger logger = LoggerFactory.getLogger(WebhookToolHook.class);

	private final String name;

	private final WebhookSettings settings;

	private final WebhookClient client;

	/** Fair: who waits longest is next. */
	private final Semaphore slots;

	private final Sinks.Empty<byte[]> closing = Sinks.empty();

	private volatile boolean closed;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	WebhookToolHook(String name, WebhookSettings settings, WebhookClient client) {
		this.name = name;
		this.settings = settings;
		this.client = client;
		this.slots = new Semaphore(settings.maxConcurrent(), true);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public List<String> preCallWarnings(ToolHookOptions options) {
		if (!this.settings.failOpen() || !this.settings.failOpenByDefault()) {
			return List.of();
		}
		return List
			.of("Calls pass when the endpoint of '%s' cannot be reached: that is the default. ".formatted(this.name)
					+ "Write 'fail_open: false' to deny them then, or 'fail_open: true' to confirm.");
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		byte[] question = new byte[0];
		try {
			question = WebhookMessage.preCall(call);
			return WebhookReply.decisionOf(ask(question), call);
		}
		catch (WebhookException ex) {
			return withoutVerdict(call, ex, mayPass(ex, question));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return withoutVerdict(call, WebhookException.refusal("The call was interrupted"), false);
		}
		catch (RuntimeException ex) {
			return withoutVerdict(call, WebhookException.of(ex), false);
		}
	}

	private byte[] ask(byte[] question) throws InterruptedException {
		long deadline = System.nanoTime() + this.settings.timeout().toNanos();
		if (!this.slots.tryAcquire(this.settings.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
			throw WebhookException.outage("The webhook is busy with other calls");
		}
		try {
			return WebhookClient.await(this.client.ask(question).takeUntilOther(this.closing.asMono()), deadline);
		}
		finally {
			this.slots.release();
		}
	}

	/**
	 * Whether a call may pass without a verdict. A call of unusual size may not: its size
	 * may be what broke the endpoint, and the agent chooses it.
	 */
	private boolean mayPass(WebhookException ex, byte[] question) {
		return ex.isOutage() && this.settings.failOpen() && question.length <= MAX_SIZE_TO_PASS && !this.closed
				&& !Thread.currentThread().isInterrupted();
	}

	private ToolDecision withoutVerdict(ToolCall call, WebhookException ex, boolean passes) {
		this.warnings.warn("Hook '%s': %s. The call '%s' of the tool '%s' %s".formatted(this.name, ex.getMessage(),
				SafeText.name(call.id()), SafeText.name(call.tool()),
				(passes) ? "passes, because of fail_open" : "is denied"));
		logger.debug("Hook '{}': no verdict", this.name, ex);
		return (passes) ? ToolDecision.failedOpen(ex.getMessage()) : ToolDecision.deny(ex.getMessage());
	}

	/**
	 * Deny the calls that wait, and all that come.
	 */
	void denyAll() {
		this.closed = true;
		this.closing.tryEmitError(WebhookException.refusal("The application is shutting down"));
	}

	@Override
	public void close() {
		denyAll();
		this.client.close();
	}

}
