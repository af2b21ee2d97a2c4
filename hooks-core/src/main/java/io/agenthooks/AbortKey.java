package io.agenthooks;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** The target of an abort: a run, or a session of one user and agent. */
sealed interface AbortKey {

	/** Longer ids stand here as a digest, so that a key has a bounded size. */
	int MAX_ID_LENGTH = 128;

	static @Nullable AbortKey of(CallContext context) {
		AbortKey run = Run.of(context);
		return (run != null) ? run : Session.of(context);
	}

	static String ownerOf(CallContext context) {
		return (context.user() != null) ? "of " + bounded(context.user()) : "";
	}

	/** An id, or its digest, which is too long to be an id. */
	private static String bounded(String id) {
		if (id.length() <= MAX_ID_LENGTH) {
			return id;
		}
		try {
			byte[] digest = MessageDigest.getInstance("SHA-512").digest(id.getBytes(StandardCharsets.UTF_16LE));
			return "#" + HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-512", ex);
		}
	}

	/** A run, whatever its session, user and agent. */
	record Run(String id) implements AbortKey {

		static Run of(String id) {
			return new Run(bounded(Objects.requireNonNull(id, "'run' must not be null")));
		}

		static @Nullable Run of(CallContext context) {
			return (context.runId() != null) ? of(context.runId()) : null;
		}

	}

	record Session(String id, @Nullable String user, @Nullable String agent) implements AbortKey {

		static Session of(String id, @Nullable String user, @Nullable String agent) {
			return new Session(bounded(Objects.requireNonNull(id, "'session' must not be null")),
					(user != null) ? bounded(user) : null, (agent != null) ? bounded(agent) : null);
		}

		static @Nullable Session of(CallContext context) {
			return (context.sessionId() != null) ? of(context.sessionId(), context.user(), context.agent()) : null;
		}

	}

}
