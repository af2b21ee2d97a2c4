package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.util.backoff.ExponentialBackOff;

import io.agenthooks.WarningThrottle;

/**
 * Learns which question another node changed; the scripts publish that. Nothing depends
 * on it: what is not heard is found by polling.
 */
final class RedisSignals {

	static final String THREAD = "hooks-approval-listen-";

	private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(RedisSignals.class);

	private final RedisMessageListenerContainer container;

	private final WarningThrottle warnings;

	private final ApprovalWaits waits;

	private boolean closed;

	private RedisSignals(RedisMessageListenerContainer container, WarningThrottle warnings, ApprovalWaits waits) {
		this.container = container;
		this.warnings = warnings;
		this.waits = waits;
	}

	/**
	 * Listen on one connection, which the client of Redis keeps. Who begins that does not
	 * wait until the connection is there.
	 */
	static RedisSignals listen(RedisConnectionFactory factory, String channel, ApprovalWaits waits) {
		WarningThrottle warnings = new WarningThrottle(logger);
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(THREAD);
		executor.setDaemon(true);
		RedisMessageListenerContainer container = new RedisMessageListenerContainer();
		container.setConnectionFactory(factory);
		container.setSubscriptionExecutor(executor);
		// Nobody waits in a listener.
		container.setTaskExecutor(Runnable::run);
		container.setErrorHandler((ex) -> warnings.warn(warning(ex)));
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE.toMillis(), 2);
		backOff.setMaxInterval(LONGEST_PAUSE.toMillis());
		container.setRecoveryBackoff(backOff);
		container.addMessageListener((message, pattern) -> waits.signal(text(message.getBody())),
				ChannelTopic.of(channel));
		container.afterPropertiesSet();
		RedisSignals signals = new RedisSignals(container, warnings, waits);
		executor.execute(signals::start);
		return signals;
	}

	private void start() {
		synchronized (this) {
			if (this.closed) {
				return;
			}
		}
		try {
			this.container.start();
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
		synchronized (this) {
			if (this.closed) {
				destroy();
			}
		}
		// Something may have been told before.
		this.waits.signalAll();
	}

	private synchronized void failed(RuntimeException ex) {
		if (!this.closed) {
			this.warnings.warn(warning(ex));
		}
	}

	private static String text(byte[] id) {
		return new String(id, StandardCharsets.UTF_8);
	}

	private static String warning(Throwable ex) {
		return "Decisions of other nodes are found only by polling, because Redis cannot be listened to (SUBSCRIBE): "
				+ ex.getClass().getName();
	}

	synchronized void close() {
		this.closed = true;
		destroy();
	}

	private void destroy() {
		try {
			this.container.destroy();
		}
		catch (Exception ex) {
			logger.debug("No thread listens for decisions of other nodes any more: {}", ex.getClass().getName());
		}
	}

}
