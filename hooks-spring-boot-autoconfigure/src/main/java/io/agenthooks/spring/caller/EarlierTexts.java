package io.agenthooks.spring.caller;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.Sha256;

/**
 * The texts of earlier runs that were the user's, and those that something was retrieved
 * into. It keeps digests of the last {@value #MAX} of each, and no text.
 *
 * @since 0.1.0
 */
public final class EarlierTexts {

	private static final int MAX = 10_000;

	/** The most texts of a turn that was kept that are learned: those that came last. */
	private static final int MAX_OF_TURN = 500;

	/** Texts of users. However many they write, what is not theirs is not forgotten. */
	private final Map<String, Boolean> texts = lastUsed();

	private final Map<String, Boolean> others = lastUsed();

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
	 * @param owner whose texts they are, as {@link GivenTexts#owner()} said when the turn
	 * was kept, or {@code null} if it is not known: then nothing is learned
	 * @param users the texts that the user wrote
	 * @param texts the texts of the turn that stand for the user
	 */
	public void learn(@Nullable String owner, List<String> users, List<String> texts) {
		if (owner == null) {
			return;
		}
		String session = (owner.isEmpty()) ? null : owner;
		Set<String> own = new HashSet<>(users);
		last(texts.stream().filter((text) -> !own.contains(text)).toList())
			.forEach((text) -> putIfUnknown(session, text, false));
		last(users).forEach((text) -> putIfUnknown(session, text, true));
	}

	private static List<String> last(List<String> texts) {
		return texts.subList(Math.max(0, texts.size() - MAX_OF_TURN), texts.size());
	}

	/** A digest of session and user; {@code null} without one: no text is remembered. */
	static @Nullable String sessionOf(CallContext caller) {
		String session = caller.sessionId();
		return (session != null && !session.isEmpty())
				? Sha256.hex(session.length() + " " + session + Objects.requireNonNullElse(caller.user(), "")) : null;
	}

	void putIfUnknown(@Nullable String session, String text, boolean users) {
		if (isUsers(session, text) == null) {
			put(session, text, users);
		}
	}

	/** Without a session no text becomes the user's: others may have the same. */
	void put(@Nullable String session, String text, boolean users) {
		String key = key(session, text);
		if (!users) {
			this.others.put(key, true);
			this.texts.remove(key);
		}
		else if (session != null) {
			this.texts.put(key, true);
			this.others.remove(key);
		}
	}

	/** Its model may say it again later, although the memory does not have it. */
	void putRetrieving(@Nullable String session) {
		if (session != null) {
			this.retrieving.put(session, true);
		}
	}

	boolean isRetrieving(@Nullable String session) {
		return session != null && this.retrieving.get(session) != null;
	}

	/** Whether a text is the user's, or {@code null} if it is not known. */
	@Nullable Boolean isUsers(@Nullable String session, String text) {
		String key = key(session, text);
		if (this.others.get(key) != null) {
			return false;
		}
		return this.texts.get(key);
	}

	private static String key(@Nullable String session, String text) {
		return Sha256.hex((session != null) ? session + " " + text : "- " + text);
	}

}
