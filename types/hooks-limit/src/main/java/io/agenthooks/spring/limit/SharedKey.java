package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Sha256;
import io.agenthooks.spring.state.UnusableAnswerException;

final class SharedKey {

	/** Most that is forgotten was never approved; the others are counted twice. */
	static final int MAX_REMEMBERED = 200;

	private static final int MAX_SAME = 20;

	private static final int DIGEST_LENGTH = 32;

	private static final String VERSION = "1";

	private final SharedLimits limits;

	/** When all has come back; of a limit that does not, the calls that were counted. */
	private final long[] counted;

	private final long[] rests;

	/** The latest end of each. Most keys never have one. */
	private Map<String, Long> places = Map.of();

	/** Till when each call is known that was counted and waits for people. */
	private Map<String, Long> remembered = Map.of();

	private long forgetAt;

	private boolean changed;

	private SharedKey(SharedLimits limits) {
		this.limits = limits;
		this.counted = new long[limits.paces().size()];
		this.rests = new long[limits.paces().size()];
	}

	static SharedKey fresh(SharedLimits limits) {
		return new SharedKey(limits);
	}

	static SharedKey read(SharedLimits limits, String text) {
		SharedKey key = new SharedKey(limits);
		String[] parts = text.split(";", -1);
		if (parts.length != 5 || !parts[0].equals(VERSION)) {
			throw unreadable();
		}
		try {
			key.forgetAt = Long.parseLong(parts[1]);
			String[] numbers = parts[2].split(",", -1);
			for (int i = 0; i < key.counted.length; i++) {
				key.counted[i] = Long.parseLong(numbers[2 * i]);
				key.rests[i] = Long.parseLong(numbers[2 * i + 1]);
			}
			key.places = readTimes(parts[3]);
			key.remembered = readTimes(parts[4]);
		}
		catch (NumberFormatException | ArrayIndexOutOfBoundsException ex) {
			throw unreadable();
		}
		return key;
	}

	private static Map<String, Long> readTimes(String text) {
		if (text.isEmpty()) {
			return Map.of();
		}
		Map<String, Long> times = new LinkedHashMap<>();
		for (String time : text.split(",", -1)) {
			int end = time.indexOf('=');
			if (end > 0) {
				times.put(time.substring(0, end), Long.valueOf(time.substring(end + 1)));
			}
		}
		return times;
	}

	private static UnusableAnswerException unreadable() {
		return new UnusableAnswerException("What is kept of a limit cannot be read");
	}

	String write() {
		StringBuilder text = new StringBuilder(VERSION).append(';').append(this.forgetAt).append(';');
		for (int i = 0; i < this.counted.length; i++) {
			text.append((i > 0) ? "," : "").append(this.counted[i]).append(',').append(this.rests[i]);
		}
		text.append(';');
		this.places.forEach((id, until) -> text.append(id).append('=').append(until).append(','));
		text.append(';');
		this.remembered.forEach((call, until) -> text.append(call).append('=').append(until).append(','));
		return text.toString();
	}

	boolean isChanged() {
		return this.changed;
	}

	/** Count the calls of which nobody knows how they ended, and forget what is over. */
	void advance(long now) {
		boolean forgotten = this.limits.forgetAfter() > 0 && this.forgetAt <= now && this.places.isEmpty();
		for (int i = 0; forgotten && i < this.counted.length; i++) {
			this.counted[i] = (this.limits.paces().get(i).comesBack()) ? this.counted[i] : 0;
		}
		if (!this.remembered.isEmpty()) {
			this.remembered.values().removeIf((until) -> until <= now);
		}
		if (!this.places.isEmpty()) {
			int before = this.places.size();
			this.places.values().removeIf((until) -> until <= now);
			for (int i = this.places.size(); i < before; i++) {
				count(now);
			}
		}
	}

	/** The key is forgotten later, since there is a call. */
	void use(long now) {
		this.forgetAt = Math.max(this.forgetAt, now + this.limits.forgetAfter());
		this.changed |= this.limits.forgetAfter() > 0;
	}

	void count(long now) {
		use(now);
		this.changed = true;
		for (int i = 0; i < this.counted.length; i++) {
			SharedLimits.Pace pace = this.limits.paces().get(i);
			if (!pace.comesBack()) {
				this.counted[i]++;
				continue;
			}
			long rest = ((this.counted[i] < now) ? 0 : this.rests[i]) + pace.rest();
			this.counted[i] = Math.max(this.counted[i], now) + pace.micros() + rest / pace.calls();
			this.rests[i] = rest % pace.calls();
		}
	}

	void enter(String id, long now) {
		this.places = (this.places.isEmpty()) ? new LinkedHashMap<>() : this.places;
		this.places.put(id, now + this.limits.lease());
		this.changed = true;
	}

	boolean leave(String id) {
		boolean there = !this.places.isEmpty() && this.places.remove(id) != null;
		this.changed |= there;
		return there;
	}

	void remember(String call, long now) {
		if (this.remembered.isEmpty()) {
			this.remembered = new LinkedHashMap<>();
		}
		else if (this.remembered.size() >= MAX_REMEMBERED) {
			this.remembered.remove(this.remembered.keySet().iterator().next());
		}
		int times = timesRemembered(call);
		this.remembered.put(digestOf(call, Math.min(times, MAX_SAME - 1)),
				now + SharedLimits.micros(SharedLimits.REMEMBERED));
		this.changed = true;
	}

	boolean remembers(String call) {
		return timesRemembered(call) > 0;
	}

	/** Not every model gives each call an id of its own. */
	private int timesRemembered(String call) {
		int times = 0;
		while (!this.remembered.isEmpty() && times < MAX_SAME && this.remembered.containsKey(digestOf(call, times))) {
			times++;
		}
		return times;
	}

	/** It has a bound. */
	static String digestOf(String call, int before) {
		return Sha256.hex((before == 0) ? call : call + "\n" + before).substring(0, DIGEST_LENGTH);
	}

	void forget(String call) {
		int times = timesRemembered(call);
		this.changed |= times > 0 && this.remembered.remove(digestOf(call, times - 1)) != null;
	}

	LimitStore.@Nullable UsedUp usedUp(long now) {
		long wanted = this.places.size() + 1L;
		List<WrittenLimit> usedUp = new ArrayList<>();
		boolean never = false;
		boolean running = true;
		long wait = 0;
		for (int i = 0; i < this.counted.length; i++) {
			SharedLimits.Pace pace = this.limits.paces().get(i);
			if (wanted > Math.min(pace.burst(), this.limits.maxPlaces())) {
				usedUp.add(this.limits.written().get(i));
				never = true;
				running &= waitFor(1, i, now) == 0;
				continue;
			}
			long waitHere = waitFor(wanted, i, now);
			if (waitHere != 0) {
				usedUp.add(this.limits.written().get(i));
				never |= waitHere < 0;
				running &= waitFor(1, i, now) == 0;
				wait = Math.max(wait, waitHere);
			}
		}
		return (usedUp.isEmpty()) ? null
				: new LimitStore.UsedUp(usedUp, (never) ? null : Duration.of(wait, ChronoUnit.MICROS), running);
	}

	/** Below zero if they never can. */
	private long waitFor(long calls, int index, long now) {
		SharedLimits.Pace pace = this.limits.paces().get(index);
		if (!pace.comesBack()) {
			return (this.counted[index] + calls > pace.calls()) ? -1 : 0;
		}
		long rest = ((this.counted[index] < now) ? 0 : this.rests[index]) + calls * pace.rest();
		long micros = Math.max(this.counted[index], now) - now + calls * pace.micros() + rest / pace.calls();
		long tooMuch = micros - pace.fullMicros();
		// What is left of a microsecond is waited for as one.
		return Math.max(0, tooMuch + ((rest % pace.calls() > pace.fullRest()) ? 1 : 0));
	}

	long left(long now) {
		long left = this.limits.maxPlaces();
		for (int i = 0; i < this.counted.length; i++) {
			SharedLimits.Pace pace = this.limits.paces().get(i);
			left = Math.min(left, (pace.comesBack()) ? comingBack(pace, i, now) : pace.calls() - this.counted[i]);
		}
		return Math.max(0, left - this.places.size());
	}

	/** About, and then exactly. */
	private long comingBack(SharedLimits.Pace pace, int index, long now) {
		double one = pace.micros() + (double) pace.rest() / pace.calls();
		double free = pace.fullMicros() - (double) Math.max(0, this.counted[index] - now);
		long calls = Math.min(pace.burst(), Math.max(0, (long) (free / one)));
		while (calls < pace.burst() && waitFor(calls + 1, index, now) == 0) {
			calls++;
		}
		while (calls > 0 && waitFor(calls, index, now) > 0) {
			calls--;
		}
		return calls;
	}

	/** {@code null} if they are, or if that is never. */
	@Nullable Duration newIn(long now) {
		long longest = 0;
		for (int i = 0; i < this.counted.length; i++) {
			if (!this.limits.paces().get(i).comesBack()) {
				return null;
			}
			long rest = (this.counted[i] < now || this.rests[i] == 0) ? 0 : 1;
			longest = Math.max(longest, this.counted[i] + rest - now);
		}
		return (longest > 0) ? Duration.of(longest, ChronoUnit.MICROS) : null;
	}

	long overAt() {
		long over = this.forgetAt;
		for (int i = 0; i < this.counted.length; i++) {
			if (this.limits.paces().get(i).comesBack()) {
				over = Math.max(over, this.counted[i] + ((this.rests[i] > 0) ? 1 : 0));
			}
		}
		for (long until : this.places.values()) {
			over = Math.max(over, until + this.limits.longest());
		}
		for (long until : this.remembered.values()) {
			over = Math.max(over, until);
		}
		return over;
	}

}
