package io.agenthooks.spring.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.slf4j.spi.NOPLoggingEventBuilder;

/**
 * Gives records to a logger, which cannot be read. So each start begins a chain of its
 * own, under a name of its own, whose anchors show when it is cut or not there at all.
 */
final class LogSink implements AuditSink {

	static final String LOGGER = "io.agenthooks.audit";

	/** The characters of the name of a chain that are the time of the start. */
	static final int START_LENGTH = 20;

	private static final DateTimeFormatter START = DateTimeFormatter.ofPattern("'.'uuuuMMdd'T'HHmmss.SSS")
		.withZone(ZoneOffset.UTC);

	private static final Logger records = LoggerFactory.getLogger(LOGGER);

	private long lastNumber;

	static String chainOf(String node, Instant start) {
		return node + START.format(start);
	}

	@Override
	public @Nullable String lastLine(String node) {
		// Nothing is to be written yet, but a logger that is off stops the start.
		entry();
		return null;
	}

	@Override
	public void write(List<AuditRecord> records) {
		for (AuditRecord record : records) {
			if (record.number() > this.lastNumber) {
				entry().log("{}", record.line());
				this.lastNumber = record.number();
			}
		}
	}

	/**
	 * It is written also if the logger is switched off meanwhile: otherwise it would drop
	 * the record, and nobody would know.
	 */
	private static LoggingEventBuilder entry() {
		LoggingEventBuilder entry = records.atInfo();
		if (entry instanceof NOPLoggingEventBuilder) {
			throw new InvalidAuditException(
					"The audit cannot be written: the logger '%s' is off for INFO.".formatted(LOGGER),
					"Set 'logging.level.%s' to 'info'.".formatted(LOGGER));
		}
		return entry;
	}

	@Override
	public String toString() {
		return "the logger " + LOGGER;
	}

}
