package io.agenthooks.spring.alert;

import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.external.WebhookSender;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.outcome.EndedCall;
import io.agenthooks.spring.outcome.QuestionChange;
import io.agenthooks.spring.scope.HasConditions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolOutcome;

/** Alerts people to how calls ended, and waits for none of the ways. */
final class AlertToolHook implements PostToolHook, HookCounts, HasConditions, AutoCloseable {

	/** For the configuration of logging; it stays when classes move. */
	private static final Logger alerts = LoggerFactory.getLogger("io.agenthooks.alerts");

	private final String name;

	private final AlertSettings settings;

	private final AlertCounter counter;

	private final Clock clock;

	private final AlertEvents events;

	private final AlertTimer timer;

	private final @Nullable WebhookSender sender;

	private final AtomicLong droppedEvents = new AtomicLong();

	private final AtomicBoolean looking = new AtomicBoolean();

	private volatile boolean closed;

	AlertToolHook(String name, AlertSettings settings, Clock clock, LongSupplier nanos, AlertEvents events,
			AlertTimer timer, @Nullable WebhookSender sender) {
		this.name = name;
		this.settings = settings;
		this.counter = new AlertCounter(name, settings.times(), settings.within(), settings.silence(), nanos);
		this.clock = clock;
		this.events = events;
		this.timer = timer;
		this.sender = sender;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public List<?> conditions() {
		return (this.settings.condition() != null) ? List.of(this.settings.condition()) : List.of();
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		if (!this.settings.matches(outcome)) {
			return;
		}
		add(AlertKey.of(this.settings.key(), outcome.effective(), EndedCall.of(outcome).decidedBy()),
				(silenced) -> ToolAlert.of(this.name, outcome, this.clock.instant(), this.settings.times(), silenced));
	}

	boolean isForExpired() {
		return this.settings.isForExpired() && !this.closed;
	}

	void expired(QuestionChange question) {
		add(AlertKey.of(this.settings.key(), question.call(), question.askedBy()),
				(silenced) -> ToolAlert.of(this.name, question, this.clock.instant(), this.settings.times(), silenced));
	}

	private void add(String key, LongFunction<ToolAlert> alert) {
		OptionalLong silenced = this.counter.add(key, () -> alert.apply(0));
		if (silenced.isPresent()) {
			report(alert.apply(silenced.getAsLong()));
		}
		else {
			lookLater();
		}
	}

	/**
	 * Silenced alerts are reported with the next alert, or on their own if none comes.
	 */
	private void lookLater() {
		if (this.counter.isKeepingBack() && this.looking.compareAndSet(false, true)) {
			this.timer.later(this::reportSummaries, this.counter.grace());
		}
	}

	private void reportSummaries() {
		this.looking.set(false);
		if (!this.closed) {
			this.counter.takeSummaries(this.clock.instant()).forEach(this::report);
			lookLater();
		}
	}

	private void report(ToolAlert alert) {
		alerts.warn(
				"Alert '{}': {} '{}' of the tool '{}' has ended as '{}', decided by '{}' ({} alerts were silenced {})",
				alert.name(), ("expired".equals(alert.status())) ? "the question to people about the call" : "the call",
				alert.callId(), alert.tool(), alert.status(),
				(alert.decidedBy() != null) ? alert.decidedBy() : "nobody", alert.silenced(),
				(alert.summary()) ? "in all, this was the first" : "before");
		if (!this.events.publish(alert)) {
			this.droppedEvents.incrementAndGet();
		}
		if (this.sender == null) {
			return;
		}
		try {
			this.sender.send(StrictJson.write(alert.message()));
		}
		catch (RuntimeException ex) {
			this.sender.drop("it could not be written (%s)".formatted(ex.getClass().getSimpleName()));
		}
	}

	@Override
	public long droppedNotifications() {
		return this.droppedEvents.get() + ((this.sender != null) ? this.sender.droppedNotifications() : 0);
	}

	@Override
	public long failedNotifications() {
		return (this.sender != null) ? this.sender.failedNotifications() : -1;
	}

	@Override
	public void close() {
		this.closed = true;
		if (this.sender != null) {
			this.sender.close();
		}
	}

}
