package io.agenthooks.flow;

import java.security.SecureRandom;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

import io.agenthooks.flow.FlowState.Seen;
import io.agenthooks.flow.FlowStore.Known;
import io.agenthooks.flow.FlowStore.Note;
import io.agenthooks.flow.FlowStore.Sent;

/** This node's knowledge of what the store knows of a session. */
final class FlowLink {

	private static final SecureRandom random = new SecureRandom();

	private static final int ID_BYTES = 9;

	/** Tells the writings of this node, for as long as it remembers the session. */
	private final String id = newId();

	private final boolean goesOn;

	private String born = "";

	private int sent;

	private int count;

	private String untrusted = "";

	private String secret = "";

	FlowLink(boolean goesOn) {
		this.goesOn = goesOn;
	}

	private static String newId() {
		byte[] bytes = new byte[ID_BYTES];
		random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	synchronized boolean isMet() {
		return !this.born.isEmpty();
	}

	/**
	 * Whether it has read anything that is not known here, if the store does not know it.
	 */
	synchronized boolean isDoubtful() {
		return this.goesOn || !this.born.isEmpty();
	}

	synchronized boolean isUntold(boolean untrusted, boolean secret) {
		return (untrusted && this.untrusted.isEmpty()) || (secret && this.secret.isEmpty());
	}

	/** The result is {@code null} if it need not be told. */
	synchronized Sent say(FlowState state, boolean untrusted, boolean secret, @Nullable Seen seen) {
		FlowState.View view = state.view();
		return new Sent(true, this.goesOn, this.id + "-" + this.sent++, this.born, this.count,
				(view.isUntrusted()) ? FlowStore.ALL : (untrusted) ? this.id : "",
				(view.isSecret()) ? FlowStore.ALL : (secret) ? this.id : "",
				(seen != null) ? NoteText.write(this.id, seen) : null);
	}

	synchronized Sent ask() {
		return new Sent(false, this.goesOn, "", this.born, this.count, "", "", null);
	}

	/**
	 * This node has not read yet what it is about to read itself. Answers may come in
	 * another order than they were given.
	 */
	synchronized void hear(Known known, FlowState state) {
		if (!known.born().equals(this.born)) {
			boolean forgotten = !this.born.isEmpty();
			this.born = known.born();
			this.count = 0;
			this.untrusted = "";
			this.secret = "";
			state.lose(forgotten, forgotten);
		}
		this.untrusted = FlowStore.join(this.untrusted, known.untrusted());
		this.secret = FlowStore.join(this.secret, known.secret());
		for (Note note : known.notes()) {
			if (note.number() > this.count && !NoteText.writer(note.text()).equals(this.id)) {
				Seen seen = NoteText.read(note.text());
				if (seen != null) {
					state.learn(seen);
				}
				else {
					state.lose();
				}
			}
		}
		this.count = Math.max(this.count, known.count());
		state.lose(isOfOthers(known.untrusted()), isOfOthers(known.secret()));
	}

	private boolean isOfOthers(String who) {
		return !who.isEmpty() && !who.equals(this.id);
	}

}
