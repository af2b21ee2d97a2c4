package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.binding.InvalidFeatureException;
import io.agenthooks.spring.outcome.ToolSwitch.Switched;
import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.SharedStates;

/**
 * The tools that are off on all nodes that share a switch. A store that lost it gets it
 * back from any node that knows it, so that nothing is switched on by a loss.
 */
final class SharedSwitch {

	private static final String KEY = "-";

	/** In microseconds: longer than any application runs. */
	private static final long FOR_EVER = 36_500L * 24 * 60 * 60 * 1_000_000;

	/** Meanwhile a node that knows more than nothing has written it. */
	private static final int MAX_EMPTY = 3;

	private final KeyedState<OffParts> state;

	private volatile @Nullable OffParts known;

	private int empty;

	SharedSwitch(KeyedState<OffParts> state) {
		this.state = state;
	}

	static SharedSwitch open(@Nullable SharedStates states) {
		KeyedState<OffParts> state = (states != null) ? states.open("kill switch", new OffParts.Codec()) : null;
		if (state == null) {
			throw new UnsharedSwitchException();
		}
		return new SharedSwitch(state);
	}

	/** Ask the store. If it fails, everything stays as it is. */
	synchronized void read() {
		Found found = this.state.look(KEY, Found.NOTHING,
				(kept, now) -> new Found(kept.state(), kept.lostUntil() > now));
		OffParts stored = found.parts();
		OffParts known = this.known;
		if (stored != null && (known == null || known.isFollowedBy(stored))) {
			this.known = stored;
		}
		else if (known != null || (!found.lost() && ++this.empty >= MAX_EMPTY)) {
			change(UnaryOperator.identity());
		}
	}

	/** The parts that are off, or {@code null} as long as nobody knows. */
	@Nullable List<Switched> known() {
		OffParts known = this.known;
		return (known != null) ? known.parts() : null;
	}

	/** Change what is off, for all nodes. Throws if the store fails. */
	synchronized void change(UnaryOperator<List<Switched>> change) {
		OffParts before = this.known;
		this.known = this.state.change(KEY, OffParts.none(), (kept, now) -> change(kept, before, now, change));
	}

	private static OffParts change(Kept<OffParts> kept, @Nullable OffParts known, long now,
			UnaryOperator<List<Switched>> change) {
		OffParts stored = kept.state();
		boolean lost = known != null && (stored == null || !known.isFollowedBy(stored));
		OffParts base = (stored != null) ? stored : OffParts.none();
		List<Switched> parts = change
			.apply((lost) ? OffParts.union(base.parts(), Objects.requireNonNull(known).parts()) : base.parts());
		if (stored != null && parts.equals(stored.parts())) {
			return stored;
		}
		OffParts next = base.with(parts);
		kept.keep(next, now + FOR_EVER);
		return next;
	}

	private static final class UnsharedSwitchException extends InvalidFeatureException {

		private static final long serialVersionUID = 1L;

		UnsharedSwitchException() {
			super("'hooks.tool_call.share_kill_switch' is true, but nodes share no store.",
					"Write 'hooks.limit.store: redis' or 'jdbc', with its dependency, or remove 'share_kill_switch'.",
					null);
		}

	}

	/**
	 * The content of the store.
	 *
	 * @param parts what is off, or {@code null} if it has nothing
	 * @param lost whether it knows that it has lost it
	 */
	private record Found(@Nullable OffParts parts, boolean lost) {

		static final Found NOTHING = new Found(null, true);

	}

}
