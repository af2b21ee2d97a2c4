package io.agenthooks.flow;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.Sha256;
import io.agenthooks.WarningThrottle;
import io.agenthooks.flow.FlowState.Seen;
import io.agenthooks.flow.FlowStore.Known;
import io.agenthooks.flow.FlowStore.Sent;

/**
 * Tells other nodes what sessions have read, and learns it from them. A tool whose result
 * is untrusted or private must not run before the others know of it, since one of them
 * might let a call pass that comes after. What is not told behind that only names nothing
 * there.
 */
final class FlowSharing {

	private static final Logger logger = LoggerFactory.getLogger(FlowSharing.class);

	private final @Nullable FlowStore store;

	private final Fingerprint fingerprint;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	FlowSharing(@Nullable FlowStore store) {
		this.store = store;
		this.fingerprint = (store != null)
				? new Fingerprint(Long.parseUnsignedLong(Sha256.hex("place " + store.secret()).substring(0, 16), 16))
				: Fingerprint.OF_PROCESS;
	}

	Fingerprint fingerprint() {
		return this.fingerprint;
	}

	FlowState begin(boolean goesOn, boolean forgotten) {
		FlowState begun = new FlowState((this.store != null) ? new FlowLink(goesOn || forgotten) : null);
		boolean lost = this.store == null && (goesOn || forgotten);
		begun.lose(lost || forgotten, lost);
		return begun;
	}

	Standing before(String key, FlowState state, boolean decided, boolean untrusted, boolean secret) {
		FlowLink link = state.link();
		if (link == null) {
			return Standing.CURRENT;
		}
		FlowState.View view = state.view();
		boolean untold = link.isUntold(untrusted, secret);
		if (!decided && link.isMet() && !untold && !link.isUntold(view.isUntrusted(), view.isSecret())) {
			return Standing.CURRENT;
		}
		if (exchange(key, state, link, link.say(state, untrusted, secret, null))) {
			return Standing.CURRENT;
		}
		return (untold) ? Standing.UNTOLD : Standing.UNKNOWN;
	}

	/**
	 * Of one that is neither untrusted nor private, nor names anything, others need not
	 * know.
	 */
	boolean after(String key, FlowState state, Seen seen) {
		FlowLink link = state.link();
		return link != null && (seen.label() != FlowRules.Label.NEUTRAL || seen.secret())
				&& exchange(key, state, link, link.say(state, false, false, seen));
	}

	/** For a call that nobody makes; {@code null} if nothing is known. */
	@Nullable FlowState look(String key, @Nullable FlowState state) throws UnknownException {
		if (this.store == null) {
			return state;
		}
		FlowState seen = (state != null) ? state : new FlowState(new FlowLink(false));
		FlowLink link = seen.link();
		if (link != null) {
			try {
				Known known = this.store.exchange(keyOf(key), link.ask());
				if (known != null) {
					link.hear(known, seen);
					return seen;
				}
			}
			catch (RuntimeException ex) {
				warn(ex);
				throw new UnknownException();
			}
			if (link.isDoubtful()) {
				throw new UnknownException();
			}
		}
		return state;
	}

	private boolean exchange(String key, FlowState state, FlowLink link, Sent sent) {
		FlowStore store = this.store;
		if (store == null) {
			return true;
		}
		try {
			Known known = store.exchange(keyOf(key), sent);
			if (known == null) {
				return false;
			}
			link.hear(known, state);
			return true;
		}
		catch (RuntimeException ex) {
			warn(ex);
			return false;
		}
	}

	/** Without its message, which may quote what is kept. */
	private void warn(RuntimeException ex) {
		this.warnings.warn("The store does not say what other nodes have read, so sessions count as tainted: "
				+ ex.getClass().getName());
	}

	/**
	 * Sessions and users are not readable in the store. Nodes with different secrets are
	 * to meet and notice it, so none goes in here.
	 */
	private static String keyOf(String key) {
		return Sha256.hex("key " + key);
	}

	enum Standing {

		/** All that they told. */
		CURRENT,

		/** Not all of it. */
		UNKNOWN,

		/** Nor are they told that something is read that they have to know of. */
		UNTOLD

	}

	static final class UnknownException extends Exception {

		private static final long serialVersionUID = 1L;

	}

}
