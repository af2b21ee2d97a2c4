package io.agenthooks.spring.flow;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Sha256;
import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.UnusableAnswerException;

/**
 * Keeps by the key of a session what it has read, its notes beside it, which are over
 * before the rest is, and the secret of all nodes.
 *
 * @since 0.1.0
 */
public final class KeyedFlowStore implements FlowStore, HookHealth {

	/** Kept so long if not used: without its notes, results of a session name nothing. */
	static final Duration NOTES = Duration.ofDays(1);

	/**
	 * Kept so long if not used: longer than that it is not known what a session has read.
	 */
	static final Duration SESSIONS = Duration.ofDays(30);

	/** Sessions that are used are kept on so often. */
	private static final Duration TOUCH = Duration.ofHours(1);

	private static final Duration FOR_EVER = Duration.ofDays(36_500);

	private static final List<String> SECRET = List.of("", "", "secret");

	private static final int SECRET_BYTES = 32;

	private static final Result NOTHING = new Result(null, false);

	private static final SecureRandom random = new SecureRandom();

	private final KeyedState<String> state;

	private final String secret;

	/** Tells the secret from others, and does not tell it. */
	private final String seal;

	public KeyedFlowStore(StateStore states, String rule) {
		List<String> spaces = List.of(Sha256.hex("sessions " + rule), Sha256.hex("notes " + rule),
				Sha256.hex("secret " + rule));
		// What a lost session has read is known by who has met it, or by its being old.
		this.state = states
			.open(new StateTerms<>(spaces, Integer.MAX_VALUE, StateTerms.WhenFull.REFUSE, true, new Texts()));
		byte[] bytes = new byte[SECRET_BYTES];
		random.nextBytes(bytes);
		this.secret = keepSecret(HexFormat.of().formatHex(bytes));
		this.seal = Sha256.hex("seal " + this.secret);
	}

	@Override
	public String secret() {
		return this.secret;
	}

	private String keepSecret(String made) {
		return this.state.change(SECRET, "", (kept, now) -> {
			String known = kept.get(0).state();
			if (known == null) {
				kept.get(0).keep(made, now + micros(FOR_EVER));
			}
			return (known != null) ? known : made;
		});
	}

	/**
	 * Each node that begins a session looks whether its secret still is that of all, and
	 * each that goes on with one whether it is that of the node that began it.
	 */
	@Override
	public @Nullable Known exchange(String key, Sent sent) {
		List<String> keys = List.of(key, key, "");
		if (!sent.begins()) {
			return this.state.look(keys, NOTHING, (kept, now) -> exchange(kept, now, sent, false)).known();
		}
		Result result = this.state.change(keys, NOTHING, (kept, now) -> exchange(kept, now, sent, false));
		if (!result.begins()) {
			return result.known();
		}
		if (!keepSecret(this.secret).equals(this.secret)) {
			throw otherSecret();
		}
		return this.state.change(keys, NOTHING, (kept, now) -> exchange(kept, now, sent, true)).known();
	}

	private Result exchange(List<Kept<String>> kept, long now, Sent sent, boolean begins) {
		String known = kept.get(0).state();
		if (known == null && !begins) {
			return new Result(null, sent.begins());
		}
		Session before = (known != null) ? Session.read(known) : new Session(this.seal, sent.id(), 0, 0, "", "", 0);
		if (!before.seal().equals(this.seal)) {
			throw otherSecret();
		}
		boolean lost = sent.isForgotten(before.born()) || (known == null && sent.goesOn());
		Session next = before.with((lost) ? ALL : sent.untrusted(), (lost) ? ALL : sent.secret());
		Notes old = (known != null) ? Notes.read(kept.get(1).state()) : Notes.NONE;
		Notes notes = old;
		boolean due = now - next.keptAt() > micros(TOUCH);
		String note = sent.note();
		if (note != null && next.count() < MAX_NOTES && next.size() + note.length() <= MAX_SIZE) {
			next = next.longer(note.length());
			notes = old.with(next.count(), note);
			due = true;
		}
		if (due) {
			next = next.keptAt(now);
			kept.get(1).keep(notes.write(), (notes.isEmpty()) ? now : now + micros(NOTES));
		}
		if (!next.equals(before)) {
			kept.get(0).keep(next.write(), now + micros(SESSIONS));
		}
		return new Result(new Known(next.born(), next.count(), next.untrusted(), next.secret(),
				old.after((lost) ? 0 : sent.after())), false);
	}

	/** Another node made a secret when that of this one was lost. */
	private static UnusableAnswerException otherSecret() {
		return new UnusableAnswerException(
				"The store has lost the secret of this node and got another one: restart the node",
				"the store has another secret; restart this node");
	}

	private static UnusableAnswerException unreadable() {
		return new UnusableAnswerException("What is kept of a session cannot be read");
	}

	private static long micros(Duration time) {
		return time.toNanos() / 1_000;
	}

	@Override
	public HookHealth.Report health() {
		return this.state.health();
	}

	private record Result(@Nullable Known known, boolean begins) {
	}

	private record Session(String seal, String born, int count, int size, String untrusted, String secret,
			long keptAt) {

		private static final String VERSION = "f2";

		private static final int PARTS = 8;

		static Session read(String text) {
			String[] parts = text.split(";", -1);
			if (parts.length != PARTS || !parts[0].equals(VERSION)) {
				throw unreadable();
			}
			try {
				return new Session(parts[1], parts[2], Integer.parseInt(parts[3]), Integer.parseInt(parts[4]), parts[5],
						parts[6], Long.parseLong(parts[7]));
			}
			catch (NumberFormatException ex) {
				throw unreadable();
			}
		}

		String write() {
			return String.join(";", VERSION, this.seal, this.born, String.valueOf(this.count),
					String.valueOf(this.size), this.untrusted, this.secret, String.valueOf(this.keptAt));
		}

		Session with(String untrusted, String secret) {
			return new Session(this.seal, this.born, this.count, this.size, FlowStore.join(this.untrusted, untrusted),
					FlowStore.join(this.secret, secret), this.keptAt);
		}

		Session longer(int characters) {
			return new Session(this.seal, this.born, this.count + 1, this.size + characters, this.untrusted,
					this.secret, this.keptAt);
		}

		Session keptAt(long now) {
			return new Session(this.seal, this.born, this.count, this.size, this.untrusted, this.secret, now);
		}

	}

	/** A line for each, behind the number of the first. */
	private record Notes(int first, List<String> texts) {

		static final Notes NONE = new Notes(1, List.of());

		static Notes read(@Nullable String text) {
			if (text == null) {
				return NONE;
			}
			List<String> lines = List.of(text.split("\n", -1));
			try {
				return new Notes(Integer.parseInt(lines.get(0)), lines.subList(1, lines.size()));
			}
			catch (NumberFormatException ex) {
				throw unreadable();
			}
		}

		String write() {
			return this.first + "\n" + String.join("\n", this.texts);
		}

		boolean isEmpty() {
			return this.texts.isEmpty();
		}

		Notes with(int number, String text) {
			List<String> more = new ArrayList<>(this.texts);
			more.add(text);
			return new Notes((isEmpty()) ? number : this.first, more);
		}

		List<Note> after(int number) {
			return IntStream.range(Math.max(0, number + 1 - this.first), this.texts.size())
				.mapToObj((i) -> new Note(this.first + i, this.texts.get(i)))
				.toList();
		}

	}

	private static final class Texts implements StateCodec<String> {

		@Override
		public String write(String state) {
			return state;
		}

		@Override
		public String read(int space, String text) {
			return text;
		}

	}

}
