package io.agenthooks.spring.caller;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.flow.Conversation.Turn;

/**
 * The texts of the user of one run, as the application gave them to its framework. What
 * else stands in the place of one when the model reads it, such as documents that were
 * retrieved into it, is not the user's.
 * <p>
 * Texts of earlier runs come from a memory. Those that this process saw are what they
 * were then. Of others, a run whose own text was changed takes none for the user's.
 *
 * @since 0.1.0
 */
public final class GivenTexts {

	private final EarlierTexts earlier;

	private final @Nullable String session;

	private final Set<String> given;

	private final @Nullable String last;

	/** Whether an agent that is a tool was asked, so that a model wrote the texts. */
	private final boolean inner;

	/**
	 * Create the texts of a run.
	 * @param earlier the texts of earlier runs
	 * @param caller whose run it is; without a session no text is remembered
	 * @param inner whether an agent inside of a tool is asked: its texts were written by
	 * the model of another one, and are not the user's in a memory that both share
	 * @param given the texts of the user, in order
	 */
	public GivenTexts(EarlierTexts earlier, CallContext caller, boolean inner, List<String> given) {
		this.earlier = earlier;
		String session = caller.sessionId();
		this.session = (session != null)
				? session.length() + " " + session + Objects.requireNonNullElse(caller.user(), "") : null;
		this.inner = inner;
		this.given = new LinkedHashSet<>(given);
		this.last = (given.isEmpty()) ? null : given.get(given.size() - 1);
		// Before anything else of the run can pass them on.
		if (this.last != null && this.earlier.isUsers(this.session, this.last) == null) {
			this.earlier.put(this.session, this.last, !inner);
		}
	}

	/**
	 * Our hooks made another text of one of the user's. What they add is told by its
	 * form.
	 * @param before the text that they got, or {@code null} if there was none
	 * @param after the text that they made of it
	 */
	public synchronized void replace(@Nullable String before, String after) {
		if ((before != null) ? isUsers(before) : this.given.isEmpty()) {
			this.given.add(after);
			this.earlier.put(this.session, after, !this.inner);
		}
	}

	private synchronized boolean isUsers(String text) {
		boolean given = this.given.contains(text);
		Boolean remembered = this.earlier.isUsers(this.session, text);
		return (remembered != null && !(this.inner && given)) ? remembered : given;
	}

	/**
	 * The model reads these texts.
	 * @param texts the texts of a prompt that stand for the user, in order
	 */
	public void remember(List<String> texts) {
		if (isChanged(texts)) {
			this.earlier.put(this.session, texts.get(texts.size() - 1), false);
			this.earlier.putRetrieving(this.session);
		}
	}

	private boolean isChanged(List<String> texts) {
		return !texts.isEmpty() && !isUsers(texts.get(texts.size() - 1));
	}

	/**
	 * Who says what in the texts of a prompt that stand for the user.
	 * @param texts the texts, in order
	 * @return the turns of each of them; behind them one of others, if something was
	 * retrieved in the session before
	 */
	public List<List<Turn>> read(List<String> texts) {
		boolean changed = isChanged(texts);
		List<List<Turn>> read = new ArrayList<>(texts.size());
		for (int i = 0; i < texts.size(); i++) {
			String text = texts.get(i);
			boolean isLast = i == texts.size() - 1;
			if (isUsers(text) || (!changed && this.earlier.isUsers(this.session, text) == null)) {
				read.add(List.of(Turn.user(text)));
			}
			else if (isLast && this.last != null && isUsers(this.last)) {
				read.add(List.of(Turn.other(text), Turn.user(this.last)));
			}
			else {
				read.add(List.of(Turn.other(text)));
			}
		}
		if (this.earlier.isRetrieving(this.session)) {
			// What it was is not known any more, but the model may say it again.
			read.add(List.of(Turn.other("")));
		}
		return read;
	}

	/**
	 * Nothing of it, since it is what people wrote.
	 */
	@Override
	public String toString() {
		return "GivenTexts";
	}

}
