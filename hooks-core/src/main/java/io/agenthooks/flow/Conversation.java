package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The texts that a model read before it made calls of tools, as far as they say where
 * values come from: the words of the user, and the results of tools. Frameworks make it
 * known to the hooks around each call; who runs tools by hand does so with
 *
 * <pre class="code">
 * Conversation.ofUser(prompt).execute(() -&gt; chain.execute(call, tool));
 * </pre>
 *
 * @since 0.1.0
 */
public final class Conversation {

	/** A thread keeps its place, which is empty around calls. */
	private static final ThreadLocal<AtomicReference<@Nullable Conversation>> ofThread = ThreadLocal
		.withInitial(AtomicReference::new);

	/** The beginning of what our hooks add to a prompt, which is not the user's. */
	private static final Pattern ADDED = Pattern.compile("<additional_context id=\"");

	private static final String ADDED_END = "</additional_context>";

	private final Supplier<List<Turn>> source;

	private @Nullable List<Turn> turns;

	private final @Nullable CallContext within;

	/** The calls of tools inside of which the agent works, as far as they are known. */
	private final Set<String> inside;

	private final boolean resumed;

	/** The texts that were read, by the hashes that a rule takes. */
	private @Nullable Map<Fingerprint, Map<Speaker, TextIndex>> texts;

	private Conversation(Supplier<List<Turn>> source, @Nullable CallContext within, Set<String> inside,
			boolean resumed) {
		this.source = source;
		this.within = within;
		this.inside = inside;
		this.resumed = resumed;
	}

	/**
	 * A conversation.
	 * @param turns what the model read, in order
	 * @return the conversation
	 */
	public static Conversation of(List<Turn> turns) {
		List<Turn> copy = List.copyOf(turns);
		return new Conversation(() -> copy, null, Set.of(), false);
	}

	/**
	 * A conversation that is read when a hook wants to know it, and then once.
	 * @param turns reads what the model read, in order
	 * @return the conversation
	 */
	public static Conversation of(Supplier<List<Turn>> turns) {
		return new Conversation(Objects.requireNonNull(turns, "'turns' must not be null"), null, Set.of(), false);
	}

	private synchronized List<Turn> turns() {
		List<Turn> turns = this.turns;
		if (turns == null) {
			turns = List.copyOf(this.source.get());
			this.turns = turns;
		}
		return turns;
	}

	/**
	 * A conversation in which nobody but the user has said anything yet.
	 * @param words what the user wrote
	 * @return the conversation
	 */
	public static Conversation ofUser(String words) {
		return of(List.of(Turn.user(words)));
	}

	/**
	 * This conversation as that of an agent which is a tool of another one: its prompt
	 * was written by a model.
	 * @param caller the context of the calls of the outermost agent
	 * @return the conversation
	 */
	public Conversation within(CallContext caller) {
		return within(caller, Set.of());
	}

	/**
	 * This conversation as that of an agent which is a tool of another one, inside of
	 * calls that are known.
	 * @param caller the context of the calls of the outermost agent
	 * @param calls the ids of the calls of tools inside of which the agent works; if
	 * there are none, or one is not known to run, it may be any that runs at the time
	 * @return the conversation
	 */
	public Conversation within(CallContext caller, Set<String> calls) {
		return new Conversation(this::turns, Objects.requireNonNull(caller, "'caller' must not be null"),
				Set.copyOf(calls), this.resumed);
	}

	/**
	 * This conversation as one that goes on, such as a turn that waited for a person. A
	 * session that is not known here, or that has no results and of which the run is not
	 * known, counts as one that has read untrusted and private data.
	 * @return the conversation
	 */
	public Conversation resumed() {
		return new Conversation(this::turns, this.within, this.inside, true);
	}

	/**
	 * Let hooks know the conversation, for calls of this thread.
	 * @param <T> the type of the result
	 * @param calls makes the calls
	 * @return its result
	 */
	public <T extends @Nullable Object> T execute(Supplier<T> calls) {
		Conversation around = setOfThread(this);
		try {
			return calls.get();
		}
		finally {
			setOfThread(around);
		}
	}

	/**
	 * Let hooks know another conversation, for calls of this thread, as {@link #execute}
	 * does, but with one method less on the stack.
	 * @param conversation the conversation, or {@code null} for none
	 * @return the one before, which is to be set again, or {@code null}
	 */
	public static @Nullable Conversation setOfThread(@Nullable Conversation conversation) {
		AtomicReference<@Nullable Conversation> place = ofThread.get();
		Conversation before = place.getPlain();
		place.setPlain(conversation);
		return before;
	}

	static @Nullable Conversation ofThisThread() {
		return ofThread.get().getPlain();
	}

	@Nullable CallContext within() {
		return this.within;
	}

	Set<String> inside() {
		return this.inside;
	}

	TextIndex words(Fingerprint fingerprint) {
		return textOf(Speaker.USER, fingerprint);
	}

	/** They name nothing; people are told that a value is from there. */
	TextIndex others(Fingerprint fingerprint) {
		return textOf(Speaker.OTHER, fingerprint);
	}

	private synchronized TextIndex textOf(Speaker speaker, Fingerprint fingerprint) {
		Map<Fingerprint, Map<Speaker, TextIndex>> texts = this.texts;
		if (texts == null) {
			// Not before a hook wants to know.
			texts = new HashMap<>(2);
			this.texts = texts;
		}
		return texts.computeIfAbsent(fingerprint, (key) -> new EnumMap<>(Speaker.class))
			.computeIfAbsent(speaker, (key) -> read(speaker, fingerprint));
	}

	boolean hasOthers() {
		return turns().stream().anyMatch((turn) -> turn.speaker() == Speaker.OTHER);
	}

	private TextIndex read(Speaker speaker, Fingerprint fingerprint) {
		List<TextIndex> texts = new ArrayList<>();
		int left = FlowState.MAX_WORDS;
		// The latest words come first, if there are too many.
		List<Turn> turns = turns();
		for (int i = turns.size() - 1; i >= 0 && left > 0; i--) {
			if (turns.get(i).speaker() == speaker) {
				TextIndex text = Tokens.read(fingerprint, own(turns.get(i).text()), left);
				texts.add(text);
				left -= text.size();
			}
		}
		return TextIndex.join(texts, FlowState.MAX_WORDS);
	}

	private static String own(String text) {
		Matcher added = ADDED.matcher(text);
		StringBuilder own = new StringBuilder();
		int begin = 0;
		while (begin < text.length() && added.find(begin)) {
			String before = text.substring(begin, added.start());
			own.append(before).append(" \n;\n ");
			int close = text.indexOf(ADDED_END, added.end());
			begin = (close >= 0) ? close + ADDED_END.length() : text.length();
		}
		return own.append(text.substring(begin)).toString();
	}

	/** Whether something was answered before what the user wrote last. */
	boolean hasEarlierTurns() {
		if (this.resumed) {
			return true;
		}
		boolean answered = false;
		for (Turn turn : turns()) {
			if (answered && (turn.speaker() == Speaker.USER || turn.speaker() == Speaker.OTHER)) {
				return true;
			}
			answered = answered || turn.speaker() == Speaker.MODEL || turn.speaker() == Speaker.TOOL;
		}
		return false;
	}

	boolean isResumed() {
		return this.resumed;
	}

	/** They say nothing of the calls, so they name no values. */
	List<Turn> results() {
		return turns().stream().filter((turn) -> turn.tool() != null).toList();
	}

	@Override
	public String toString() {
		return "Conversation";
	}

	/**
	 * The speaker of a turn.
	 *
	 * @since 0.1.0
	 */
	public enum Speaker {

		/** The user. */
		USER,

		/** The model. */
		MODEL,

		/** A tool. */
		TOOL,

		/** Somebody else, such as a document that was retrieved into the prompt. */
		OTHER

	}

	/**
	 * The words of one speaker. What an application tells its model is no turn.
	 *
	 * @param speaker who says it
	 * @param text what; of a model nobody reads it
	 * @param tool the tool that says it, or {@code null} if it is none
	 * @since 0.1.0
	 */
	public record Turn(Speaker speaker, String text, @Nullable ToolIdentity tool) {

		/**
		 * Create a turn.
		 * @throws IllegalArgumentException if it is of a tool and does not say of which,
		 * or the other way round
		 */
		public Turn {
			Objects.requireNonNull(text, "'text' must not be null");
			if ((speaker == Speaker.TOOL) != (tool != null)) {
				throw new IllegalArgumentException("'tool' must be there for what a tool says, and for nothing else");
			}
		}

		/**
		 * Create a turn of the user.
		 * @param text the text
		 * @return the turn
		 */
		public static Turn user(String text) {
			return new Turn(Speaker.USER, text, null);
		}

		/**
		 * Create a turn with a prompt that may be anyone's: something was retrieved into
		 * it. It names no values, and counts as untrusted.
		 * @param text the text
		 * @return the turn
		 */
		public static Turn other(String text) {
			return new Turn(Speaker.OTHER, text, null);
		}

		/**
		 * Create a turn of the model.
		 * @return the turn
		 */
		public static Turn model() {
			return new Turn(Speaker.MODEL, "", null);
		}

		/**
		 * Create a turn with the result of a tool.
		 * @param tool the tool
		 * @param text what the model read of it
		 * @return the turn
		 */
		public static Turn result(ToolIdentity tool, String text) {
			return new Turn(Speaker.TOOL, text, tool);
		}

		/** The turn without its text, which may be secret. */
		@Override
		public String toString() {
			return "Turn[speaker=%s, tool=%s]".formatted(this.speaker, this.tool);
		}

	}

}
