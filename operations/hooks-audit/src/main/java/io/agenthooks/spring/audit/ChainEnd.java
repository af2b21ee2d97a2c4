package io.agenthooks.spring.audit;

import java.io.IOException;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the chain of a node goes on at a start; the cut is {@code null} if nothing is
 * known to be missing.
 */
record ChainEnd(long number, String hash, String ending, @Nullable AuditCut cut) {

	private static final Logger logger = LoggerFactory.getLogger(AuditLog.class);

	static ChainEnd find(AuditSink sink, AuditAnchor anchor, AuditLog.Settings settings) {
		SealedLine last = last(sink, settings);
		AuditCut cut = cut(last, anchor, settings);
		if (cut != null) {
			InvalidAuditException ex = InvalidAuditException.cut(sink, settings.node(), last, cut, anchor);
			if (settings.strict()) {
				throw ex;
			}
			logger.error(
					"{} The chain goes on with a record of that, and the audit is DOWN in the health of the "
							+ "application until its next start. {}",
					ex.getDescription(), InvalidAuditException.KEEP_IT);
		}
		long found = (last != null) ? last.number() : 0;
		// What is missing keeps its numbers: nothing else may take its place.
		return new ChainEnd((cut != null) ? cut.noted() : found,
				(last != null) ? last.hash() : SealedLine.NOTHING_BEFORE, ending(last), cut);
	}

	private static @Nullable SealedLine last(AuditSink sink, AuditLog.Settings settings) {
		String line;
		try {
			line = sink.lastLine(settings.node());
		}
		catch (Exception ex) {
			throw InvalidAuditException.unreadable(sink, ex);
		}
		if (line == null) {
			return null;
		}
		SealedLine last = SealedLine.read(line);
		if (last == null || !last.node().equals(settings.node()) || isForged(last, settings.key())) {
			throw InvalidAuditException.changed(sink, settings.node(), last, settings.key().id());
		}
		return last;
	}

	/** As far as this can be told: it may have been written with an earlier key. */
	private static boolean isForged(SealedLine line, AuditKey active) {
		AuditKey key = (line.isKeyed()) ? active : AuditKey.none();
		return Objects.equals(line.key(), key.id()) && !line.hasHashOf(key);
	}

	private static @Nullable AuditCut cut(@Nullable SealedLine last, AuditAnchor anchor, AuditLog.Settings settings) {
		try {
			return anchor.cutOf(settings.node(), last);
		}
		catch (IOException ex) {
			InvalidAuditException unreadable = InvalidAuditException.unreadable(anchor, ex);
			if (settings.strict()) {
				throw unreadable;
			}
			logger.warn("{} {}", unreadable.getDescription(), unreadable.getAction());
			return null;
		}
	}

	private static String ending(@Nullable SealedLine last) {
		if (last == null) {
			return "none";
		}
		return (last.kind().equals("stop")) ? "stopped" : "not_stopped";
	}

}
