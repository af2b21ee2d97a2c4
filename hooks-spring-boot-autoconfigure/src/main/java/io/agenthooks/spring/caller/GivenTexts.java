package io.agenthooks.spring.caller;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.flow.Conversation.Speaker;
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

	/** Whether what is not known to be the user's is not. */
	private final boolean resumed;

	/**
	 * Create the texts of a run.
	 * @param earlier the texts of earlier runs
	 * @param caller whose run it is; without a session no text is remembered as the
	 * user's
	 * @param inner whether an agent inside of a tool is asked: the model of another one
	 * wrote its texts
	 * @param given the texts of the user, in order
	 */
	public GivenTexts(EarlierTexts earlier, CallContext caller, boolean inner, List<String> given) {
		this(earlier, EarlierTexts.sessionOf(caller), inner, false, given);
	}

	private GivenTexts(EarlierTexts earlier, @Nullable String session, boolean inner, boolean resumed,
			List<String> given) {
		this.earlier = earlier;
		this.session = session;
		this.inner = inner;
		this.resumed = resumed;
		this.given = new LinkedHashSet<>(given);
		this.last = (given.isEmpty()) ? null : given.get(given.size() - 1);
		// Before anything else of the run can pass them on.
		if (this.last != null && this.session != null) {
			this.earlier.putIfUnknown(this.session, this.last, !inner);
		}
	}

	/**
	 * Create the texts of a run that goes on with a turn which was kept.
	 * @param earlier the texts of earlier runs, which learn those of the turn
	 * @param caller whose run it is
	 * @param owner what {@link #owner()} said when the turn was kept, or {@code null} if
	 * it is not known: then the texts are not learned
	 * @param users the texts that the user wrote; others of the run are not the user's
	 * @param texts the texts of the turn that stand for the user
	 * @return the texts
	 */
	public static GivenTexts resumed(EarlierTexts earlier, CallContext caller, @Nullable String owner,
			List<String> users, List<String> texts) {
		earlier.learn(owner, users, texts);
		String known = (owner != null) ? owner : Objects.requireNonNullElse(EarlierTexts.sessionOf(caller), "");
		String session = (!known.isEmpty()) ? known : null;
		return new GivenTexts(earlier, session, false, true, users);
	}

	/**
	 * The owner of the texts, the same for the next run of the same session and user, on
	 * any node, whatever hooks are told about its user.
	 * @return a digest, or an empty text if there is no session
	 */
	public String owner() {
		return Objects.requireNonNullElse(this.session, "");
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
		boolean certain = given && (this.inner || this.session == null);
		return (remembered != null && !certain) ? remembered : given;
	}

	/**
	 * The user's words to keep with a turn that will be resumed.
	 * @param texts the texts of the turn that stand for the user, in order
	 * @return those that the user wrote, the latest one last; none of an agent inside of
	 * a tool
	 */
	public List<String> users(List<String> texts) {
		return (this.inner) ? List.of()
				: Stream
					.concat(read(texts).stream().flatMap(List::stream).filter((turn) -> turn.speaker() == Speaker.USER),
							Stream.ofNullable((this.last != null && isUsers(this.last)) ? Turn.user(this.last) : null))
					.map(Turn::text)
					.distinct()
					.toList();
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
	 * Assign the texts of a prompt that stand for the user to their speakers.
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
			if (isUsers(text) || (!changed && !this.resumed && this.earlier.isUsers(this.session, text) == null)) {
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

	/** Nothing of it, since it is what people wrote. */
	@Override
	public String toString() {
		return "GivenTexts";
	}

}
