package io.agenthooks.chain;

import java.io.IOException;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureLog}.
 */
class FailureLogTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLogTests.class);

	private final ListAppender<ILoggingEvent> events = new ListAppender<>();

	private final FailureLog log = new FailureLog(this.logger);

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.logger.setAdditive(false);
		this.events.start();
		this.logger.addAppender(this.events);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.events);
	}

	@Test
	void firstFailureOfAHookHasItsStackTraceAndNoMessage() {
		this.log.log("The hook 'a'", new IllegalStateException("s3cret", new IOException("s3cret")),
				"the call is denied");
		assertThat(this.events.list).singleElement().satisfies((event) -> {
			assertThat(event.getFormattedMessage())
				.isEqualTo("The hook 'a' failed with java.lang.IllegalStateException; the call is denied");
			assertThat(ThrowableProxyUtil.asString(event.getThrowableProxy()))
				.contains("FailureLogTests.firstFailureOfAHookHasItsStackTraceAndNoMessage", "Caused by: ",
						"java.io.IOException")
				.doesNotContain("s3cret");
		});
	}

	@Test
	void furtherFailuresOfTheSameHookAndTypeAreLoggedOnceAWhile() {
		for (int i = 0; i < 100; i++) {
			this.log.log("The hook 'a'", new IllegalStateException(), "the call is denied");
		}
		assertThat(this.events.list).hasSize(2).last().satisfies((event) -> {
			assertThat(event.getThrowableProxy()).isNull();
			assertThat(event.getFormattedMessage()).startsWith("The hook 'a' failed with");
		});
	}

	@Test
	void failuresOfOtherHooksAndTypesAreLoggedApart() {
		this.log.log("The hook 'a'", new IllegalStateException(), "the call is denied");
		this.log.log("The hook 'b'", new IllegalStateException(), "the call is denied");
		this.log.log("The hook 'b'", new IOException(), "the call is denied");
		assertThat(this.events.list).hasSize(3).allMatch((event) -> event.getThrowableProxy() != null);
	}

	@Test
	void namesWithoutEndAreNotRememberedWithoutEnd() {
		for (int i = 0; i < 5_000; i++) {
			this.log.log("The hook '" + i + "'", new IllegalStateException(), "the call is denied");
		}
		assertThat(this.events.list).hasSizeLessThan(1_010);
	}

	@Test
	void exceptionThatCannotBePrintedIsSurvived() {
		RuntimeException unprintable = new RuntimeException() {

			@Override
			public String getMessage() {
				throw new IllegalStateException();
			}

			@Override
			public synchronized Throwable getCause() {
				return this;
			}

		};
		this.log.log("The hook 'a'", unprintable, "the call is denied");
		assertThat(this.events.list).hasSize(1);
	}

	@Test
	void interruptionIsKept() {
		this.log.log("The hook 'a'", new InterruptedException(), "the call is denied");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(List.copyOf(this.events.list)).hasSize(1);
	}

}
