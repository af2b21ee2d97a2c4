package io.agenthooks.spring.webhook;

import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.web.reactive.function.client.WebClientRequestException;

import io.agenthooks.spring.external.NoVerdictException;

/**
 * There is no verdict: because of an <em>outage</em>, the one thing that
 * {@code fail_open} covers, or of anything else, which denies. The message is safe to
 * show: it quotes neither the address nor what was sent or received.
 */
final class WebhookException extends RuntimeException {

	private static final String BROKE = "its connection broke";

	private final Reach reach;

	private final boolean timeout;

	private final boolean besideOthers;

	private final @Nullable String word;

	private WebhookException(String message, Reach reach, boolean timeout, boolean besideOthers, @Nullable String word,
			@Nullable Throwable cause) {
		super(message, cause, false, false);
		this.reach = reach;
		this.timeout = timeout;
		this.besideOthers = besideOthers;
		this.word = word;
	}

	private WebhookException(String message, Reach reach, boolean timeout, @Nullable Throwable cause) {
		this(message, reach, timeout, false, null, cause);
	}

	/** The endpoint answered that it is out. */
	static WebhookException outage(String message) {
		return new WebhookException(message, Reach.FAILED, false, null);
	}

	/** Not asked, since it is out. */
	static WebhookException unreached(String message) {
		return new WebhookException(message, Reach.UNREACHED, false, null);
	}

	static WebhookException timeout() {
		return new WebhookException("The webhook did not answer in time", Reach.BROKEN, true, null);
	}

	/**
	 * The endpoint had others of our questions to answer: how many there are is up to the
	 * agent.
	 */
	WebhookException besideOthers() {
		return notBelieved(getMessage() + ", but had others to answer");
	}

	/** An agent may have brought it about. */
	WebhookException notBelieved(String message) {
		return new WebhookException(message, Reach.ANSWERED, this.timeout, true, null, null);
	}

	/** The endpoint gave no valid verdict, or the failure is our own. */
	static WebhookException refusal(String message) {
		return refusal(message, null);
	}

	static WebhookException refusal(String message, @Nullable String word) {
		return new WebhookException(message, Reach.ANSWERED, false, false, word, null);
	}

	/** An outage only if it is known to be one. */
	static WebhookException of(Throwable failure) {
		if (failure instanceof WebhookException known) {
			return known;
		}
		Throwable cause = ((failure instanceof WebClientRequestException || failure instanceof CompletionException)
				&& failure.getCause() != null) ? failure.getCause() : failure;
		if (isNamed(cause, "SslHandshakeTimeoutException")) {
			return new WebhookException("The webhook did not answer in time", Reach.UNREACHED, true, failure);
		}
		if (cause instanceof DataBufferLimitException) {
			return new WebhookException("The answer of the webhook is too large", Reach.ANSWERED, false, failure);
		}
		if (isTlsFailure(cause)) {
			return new WebhookException("The webhook cannot be trusted: its TLS connection failed", Reach.ANSWERED,
					false, failure);
		}
		if (isOverload(cause)) {
			return new WebhookException("The application cannot open so many connections", Reach.ANSWERED, false,
					failure);
		}
		if (isConnectionFailure(cause)) {
			String how = describe(cause);
			return new WebhookException("The webhook cannot be reached: " + how,
					(how.equals(BROKE)) ? Reach.BROKEN : Reach.UNREACHED, isTimeout(cause), failure);
		}
		return new WebhookException("The webhook cannot be asked (" + cause.getClass().getSimpleName() + ")",
				Reach.ANSWERED, false, failure);
	}

	/** An attacker who can tamper with the connection could provoke it: no outage. */
	private static boolean isTlsFailure(Throwable failure) {
		for (Throwable ex = failure; ex != null; ex = ex.getCause()) {
			if (ex instanceof SSLException || ex instanceof GeneralSecurityException) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Because of how many there are, no place in the pool, port, or file descriptor is
	 * left.
	 */
	private static boolean isOverload(Throwable ex) {
		return ex instanceof BindException || ex.getClass().getSimpleName().startsWith("PoolAcquire")
				|| String.valueOf(ex.getMessage()).contains("Too many open files");
	}

	/**
	 * A plain {@code IOException} is the operating system's: a connection reset by the
	 * other side, a broken pipe.
	 */
	private static boolean isConnectionFailure(Throwable ex) {
		return ex instanceof SocketException || ex instanceof UnknownHostException
				|| ex instanceof ClosedChannelException || ex instanceof TimeoutException
				|| ex instanceof HttpTimeoutException || (ex.getClass() == IOException.class && !isOfParser(ex))
				|| isNamed(ex, "PrematureChannelClosureException", "PrematureCloseException", "AbortedException");
	}

	/**
	 * The client of the JDK read what is no HTTP, which it tells by the type of failures
	 * of the operating system. That nothing was there to read is none.
	 */
	private static boolean isOfParser(Throwable ex) {
		Throwable root = NestedExceptionUtils.getMostSpecificCause(ex);
		StackTraceElement[] trace = root.getStackTrace();
		return !(root instanceof EOFException) && trace.length > 0
				&& trace[0].getClassName().startsWith("jdk.internal.net.http.");
	}

	/** The application may not have Reactor Netty. */
	private static boolean isNamed(Throwable ex, String... simpleNames) {
		for (Class<?> type = ex.getClass(); type != null; type = type.getSuperclass()) {
			if (List.of(simpleNames).contains(type.getSimpleName())) {
				return true;
			}
		}
		return false;
	}

	private static boolean isTimeout(Throwable connectionFailure) {
		return connectionFailure instanceof TimeoutException || connectionFailure instanceof HttpTimeoutException
				|| isNamed(connectionFailure, "ConnectTimeoutException");
	}

	private static String describe(Throwable connectionFailure) {
		if (connectionFailure instanceof UnknownHostException
				|| NestedExceptionUtils.getMostSpecificCause(connectionFailure) instanceof UnresolvedAddressException) {
			return "its host is unknown";
		}
		if (isTimeout(connectionFailure)) {
			return "it did not take the connection in time";
		}
		return (connectionFailure instanceof ConnectException || connectionFailure instanceof NoRouteToHostException)
				? "it takes no connections" : BROKE;
	}

	boolean isOutage() {
		return this.reach != Reach.ANSWERED;
	}

	NoVerdictException toNoVerdict(boolean mayPass) {
		if (!mayPass || !isOutage()) {
			return (this.timeout) ? NoVerdictException.timeout(getMessage(), false)
					: NoVerdictException.refusal(getMessage(), this.word);
		}
		return switch (this.reach) {
			case UNREACHED -> (this.timeout) ? NoVerdictException.unreachedInTime(getMessage(), true)
					: NoVerdictException.unreached(getMessage());
			case BROKEN -> (this.timeout) ? NoVerdictException.timeout(getMessage(), true)
					: NoVerdictException.breakdown(getMessage());
			default -> NoVerdictException.failure(getMessage());
		};
	}

	boolean isTimeout() {
		return this.timeout;
	}

	boolean isBesideOthers() {
		return this.besideOthers;
	}

	@Override
	public String getMessage() {
		return String.valueOf(super.getMessage());
	}

	private enum Reach {

		/** Or it does not matter: no outage. */
		ANSWERED,

		/** It did not get the question. */
		UNREACHED,

		/** It answered that it is out. */
		FAILED,

		/** It broke off with the question in its hands, or did not answer. */
		BROKEN

	}

}
