package io.agenthooks.flow;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.Nesting;
import io.agenthooks.toolcall.ToolCall;

/**
 * Finds where calls belong: to the session of the outermost agent, or to its run. It
 * remembers calls that have begun, since an agent inside of their tools may make others.
 */
final class FlowPlaces {

	private final LastUsed<Begun, Place> places = new LastUsed<>();

	/**
	 * The place of the calls of this thread inside of which a call is made. The outermost
	 * of them may be one of an agent that works inside of a tool on another thread.
	 */
	Place find(ToolCall call) {
		Conversation conversation = Conversation.ofThisThread();
		CallContext outermost = (conversation != null) ? conversation.within() : null;
		CallContext ofThread = null;
		Place known = null;
		Set<String> inside = (conversation != null) ? conversation.inside() : Set.of();
		for (HookedCall outer : Nesting.ofThisThread().calls()) {
			if (outer instanceof ToolCall around && !isSame(around, call)) {
				ofThread = (ofThread != null) ? ofThread : outer.context();
				known = (known != null) ? known : this.places.get(Begun.of(outer));
				inside = new HashSet<>(inside);
				inside.add(outer.id());
			}
		}
		if (known != null) {
			if (known.inside() != null) {
				inside.addAll(known.inside());
			}
			return new Place(known.key(), known.run(), conversation, inside);
		}
		outermost = (outermost != null) ? outermost : ofThread;
		CallContext context = (outermost != null) ? outermost : call.context();
		String run = context.runId();
		return new Place(keyOf(context), (run != null) ? run : "", conversation, (outermost != null) ? inside : null);
	}

	/**
	 * Whether a call is one that is carried out, as another gate let it pass. A program
	 * may give an id twice, so that of a call inside of another one says nothing.
	 */
	private static boolean isSame(ToolCall carriedOut, ToolCall call) {
		return carriedOut.id().equals(call.id()) && carriedOut.identity().equals(call.identity())
				&& carriedOut.context().equals(call.context());
	}

	void begin(ToolCall call, Place place) {
		this.places.put(Begun.of(call), place.withoutConversation());
	}

	Place end(ToolCall call) {
		Place place = find(call);
		this.places.remove(Begun.of(call));
		return place;
	}

	private static @Nullable String keyOf(CallContext context) {
		String session = context.sessionId();
		if (session != null && !session.isEmpty()) {
			String user = context.user();
			return "session " + session.length() + " " + session + " " + ((user != null) ? user : "");
		}
		String run = context.runId();
		return (run != null && !run.isEmpty()) ? keyOfRun(run) : null;
	}

	static String keyOfRun(String run) {
		return "run " + run;
	}

	/** Two calls of different callers may have the same id. */
	private record Begun(String id, @Nullable String key, String run) {

		static Begun of(HookedCall call) {
			CallContext context = call.context();
			return new Begun(call.id(), keyOf(context), Objects.requireNonNullElse(context.runId(), ""));
		}

	}

	/**
	 * The place of a call. The key is {@code null} if nothing is remembered by it, the
	 * run may be an empty text, the conversation {@code null} if unknown; inside are the
	 * calls inside of which it is made, as far as they are known, or {@code null} for the
	 * outermost agent.
	 */
	record Place(@Nullable String key, String run, @Nullable Conversation conversation, @Nullable Set<String> inside) {

		boolean inner() {
			return this.inside != null;
		}

		private Place withoutConversation() {
			return new Place(this.key, this.run, null, this.inside);
		}

		/** Whether something may have been read before that is not known here. */
		boolean goesOn() {
			return inner() || (this.conversation != null && this.conversation.hasEarlierTurns());
		}

	}

}
