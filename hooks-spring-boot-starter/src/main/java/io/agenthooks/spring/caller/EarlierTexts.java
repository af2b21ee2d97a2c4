package io.agenthooks.spring.caller;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.Sha256;

/**
 * Which texts of earlier runs were the user's, and which something was retrieved into. It
 * keeps digests of the last {@value #MAX}, and no text.
 *
 * @since 0.1.0
 */
public final class EarlierTexts {

	private static final int MAX = 10_000;

	private final Map<String, Boolean> texts = lastUsed();

	/** Sessions whose models read what was retrieved. */
	private final Map<String, Boolean> retrieving = lastUsed();

	private static Map<String, Boolean> lastUsed() {
		return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
				return size() > MAX;
			}

		});
	}

	/**
	 * Learn what a turn that was kept, maybe by another node, says of its texts. What was
	 * seen here stays what it was.
	 * @param caller whose turn it is
	 * @param users the texts that the user wrote
	 * @param texts the texts of the turn that stand for the user
	 */
	public void learn(CallContext caller, List<String> users, List<String> texts) {
		String session = sessionOf(caller);
		users.forEach((text) -> putIfUnknown(session, text, true));
		for (String text : texts) {
			if (!users.contains(text)) {
				putIfUnknown(session, text, false);
			}
		}
	}

	/**
	 * The session of a caller, whose texts others do not have; {@code null} if it has
	 * none, so that no text is remembered.
	 */
	static @Nullable String sessionOf(CallContext caller) {
		String session = caller.sessionId();
		return (session != null && !session.isEmpty())
				? session.length() + " " + session + Objects.requireNonNullElse(caller.user(), "") : null;
	}

	/**
	 * Remember a text of a session, unless it is known.
	 */
	void putIfUnknown(@Nullable String session, String text, boolean users) {
		if (isUsers(session, text) == null) {
			put(session, text, users);
		}
	}

	/**
	 * Remember a text of a session. Without a session only what is not the user's is
	 * remembered: somebody else may have the same text, and it does not become theirs.
	 */
	void put(@Nullable String session, String text, boolean users) {
		if (session != null || !users) {
			this.texts.put(key(session, text), users);
		}
	}

	/**
	 * Remember that something was retrieved in a session. Its model may say it again
	 * later, although the memory does not have it.
	 */
	void putRetrieving(@Nullable String session) {
		if (session != null) {
			this.retrieving.put(Sha256.hex(session), true);
		}
	}

	/**
	 * Whether something was retrieved in a session before.
	 */
	boolean isRetrieving(@Nullable String session) {
		return session != null && this.retrieving.get(Sha256.hex(session)) != null;
	}

	/**
	 * Whether a text is the user's, or {@code null} if it is not known.
	 */
	@Nullable Boolean isUsers(@Nullable String session, String text) {
		return this.texts.get(key(session, text));
	}

	private static String key(@Nullable String session, String text) {
		return Sha256.hex((session != null) ? session.length() + " " + session + text : "- " + text);
	}

}
