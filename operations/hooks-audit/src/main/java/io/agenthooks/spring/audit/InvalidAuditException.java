package io.agenthooks.spring.audit;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.binding.InvalidFeatureException;

final class InvalidAuditException extends InvalidFeatureException {

	static final String KEEP_IT = "Find out who changed it: verify the audit, and keep its files.";

	private static final String KEEP = KEEP_IT + " To start without that chain, move them elsewhere together with the "
			+ "file of 'hooks.audit.anchor.file', or write another 'hooks.audit.node'.";

	InvalidAuditException(String description, String action) {
		this(description, action, null);
	}

	InvalidAuditException(String description, String action, @Nullable Throwable cause) {
		super(description, action, cause);
	}

	static InvalidAuditException unwritable(String what, String place, String option, Exception ex) {
		return new InvalidAuditException("The %s cannot be written to '%s': %s.".formatted(what, place, describe(ex)),
				"Let the application write there, or set '%s' to a place where it may.".formatted(option), ex);
	}

	static InvalidAuditException unreadable(AuditSink sink, Exception ex) {
		if (ex instanceof InvalidAuditException invalid) {
			return invalid;
		}
		String description = "The audit cannot be continued in %s: %s.";
		if (sink instanceof FileSink) {
			return new InvalidAuditException(description.formatted(sink, describe(ex)),
					"Let the application read and write these files, or set 'hooks.audit.file.path' to another directory.",
					ex);
		}
		if (sink instanceof JdbcSink) {
			return unreachable("The audit cannot be continued in %s".formatted(sink), ex);
		}
		return new InvalidAuditException(description.formatted(sink, describe(ex)),
				"Correct the AuditSink bean, or remove it.", ex);
	}

	static InvalidAuditException unreachable(String what, Exception ex) {
		return new InvalidAuditException(what + ": " + describe(ex) + ".",
				"Check that the database answers at 'spring.datasource' and that its user may read and fill the table "
						+ "'hooks_audit'. If the table is missing, write 'hooks.audit.jdbc.initialize_schema: always', or "
						+ "make it yourself. To do without a database, set 'hooks.audit.store' to 'file'.",
				ex);
	}

	/**
	 * It is none of this chain, or has another hash; {@code null} if it cannot be read.
	 */
	static InvalidAuditException changed(AuditSink sink, String node, @Nullable SealedLine last,
			@Nullable String keyId) {
		String place = placeOf(sink, last);
		if (last == null) {
			return new InvalidAuditException(
					"The last line of node '%s' in %s is not a record of the audit: it was changed.".formatted(node,
							place),
					KEEP);
		}
		if (!last.node().equals(node)) {
			return new InvalidAuditException("The last record of node '%s' in %s is one of node '%s': it was changed."
				.formatted(node, place, last.node()), KEEP);
		}
		if (!last.isKeyed() || !Objects.equals(last.key(), keyId)) {
			return new InvalidAuditException("The last record of node '%s' in %s was changed.".formatted(node, place),
					KEEP);
		}
		return new InvalidAuditException(
				("The last record of node '%s' in %s was changed, or was written with another secret of the key '%s' "
						+ "than 'hooks.audit.key.secret'.")
					.formatted(node, place, last.key()),
				"If the key got a new secret: write the old one again, or give the new one a name of its own in "
						+ "'hooks.audit.key.id'. If it did not, the record was changed. " + KEEP);
	}

	static InvalidAuditException cut(AuditSink sink, String node, @Nullable SealedLine last, AuditCut cut,
			AuditAnchor anchor) {
		String what = (cut.noted() > cut.found()) ? "cut off" : "made again";
		String action = KEEP_IT + " To go on with what is there, set 'hooks.audit.strict' to false for one start, "
				+ "which records the cut.";
		return new InvalidAuditException(
				("The end of the audit of node '%s' was %s: the last record in %s is not the one that '%s' notes, "
						+ "record %d.")
					.formatted(node, what, placeOf(sink, last), anchor, cut.noted()),
				action);
	}

	static InvalidAuditException unreadable(AuditAnchor anchor, IOException ex) {
		return new InvalidAuditException(
				"The notes of the audit in '%s' cannot be read, so a cut would not be noticed: %s.".formatted(anchor,
						describe(ex)),
				"Let the application read that file, or set 'hooks.audit.anchor.file' to another one.", ex);
	}

	private static String placeOf(AuditSink sink, @Nullable SealedLine last) {
		Path file = (sink instanceof FileSink files) ? files.file() : null;
		String place = (file != null) ? "'" + file + "'" : sink.toString();
		return (last != null) ? "%s (record %d)".formatted(place, last.number()) : place;
	}

	/** Without messages of others: that of a driver may quote a URL with a password. */
	private static String describe(Throwable ex) {
		StringBuilder description = new StringBuilder(nameOf(ex));
		for (Throwable cause = ex.getCause(); cause != null; cause = cause.getCause()) {
			description.append(", ").append(nameOf(cause));
		}
		return description.toString();
	}

	private static String nameOf(Throwable ex) {
		String name = ex.getClass().getSimpleName();
		if (ex instanceof SQLException sql && sql.getSQLState() != null) {
			return name + " with SQLState " + sql.getSQLState();
		}
		return (ex instanceof FileSystemException || ex instanceof InvalidPathException
				|| ex instanceof AuditFiles.InvalidAuditFileException) ? name + " (" + ex.getMessage() + ")" : name;
	}

}
