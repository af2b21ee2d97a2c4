package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Counts limits in Redis, for all nodes of the application, in one step for each call.
 * Keys expire when there is nothing left to remember.
 */
final class RedisLimitStore implements LimitStore {

	private final RedisScripts scripts;

	private final SharedLimits limits;

	private final Supplier<String> time;

	private final List<String> numbers = new ArrayList<>();

	/**
	 * Create a store.
	 * @param keyPrefix what the keys of all nodes of the application start with
	 */
	RedisLimitStore(StringRedisTemplate template, String keyPrefix, SharedLimits limits) {
		this(template, keyPrefix, limits, () -> "");
	}

	/**
	 * Create a store.
	 * @param time tells the time in microseconds, or nothing to use that of Redis
	 */
	RedisLimitStore(StringRedisTemplate template, String keyPrefix, SharedLimits limits, Supplier<String> time) {
		this.scripts = new RedisScripts(template, keyPrefix, limits.entry());
		this.limits = limits;
		this.time = time;
		for (SharedLimits.Pace pace : limits.paces()) {
			for (long number : new long[] { pace.calls(), pace.burst(), pace.micros(), pace.rest(), pace.fullMicros(),
					pace.fullRest() }) {
				this.numbers.add(String.valueOf(number));
			}
		}
	}

	@Override
	public Answer take(String key, @Nullable String call) {
		return answer(run("take", key, "", false, call), null);
	}

	@Override
	public Answer enter(String key, @Nullable String call) {
		RedisPlace place = new RedisPlace(key, SharedLimits.newId());
		return answer(run("enter", key, place.id(), false, call), place);
	}

	@Override
	public Answer look(String key, @Nullable String call) {
		return answer(run("look", key, "", false, call), null);
	}

	@Override
	public void remember(String key, String call) {
		List<String> unused = this.scripts.run(RedisLimitScript.REMEMBER, List.of(nameOf(key, call)),
				List.of(String.valueOf(SharedLimits.REMEMBERED.toMillis())));
	}

	private static String nameOf(String key, String call) {
		return "counted:" + key + ":" + SharedLimits.digestOf(call);
	}

	@Override
	public void leave(Place place, boolean counts) {
		RedisPlace left = (RedisPlace) place;
		run("leave", left.key(), left.id(), counts, null);
	}

	private List<String> run(String what, String key, String id, boolean counts, @Nullable String call) {
		List<String> arguments = new ArrayList<>(List.of(what, this.time.get(), String.valueOf(this.limits.lease()),
				String.valueOf(this.limits.forgetAfter()), String.valueOf(this.limits.maxKeys()), id,
				(counts) ? "1" : "0"));
		arguments.addAll(this.numbers);
		List<String> keys = new ArrayList<>(List.of("key:" + key, "places:" + key, "keys"));
		if (call != null) {
			keys.add(nameOf(key, call));
		}
		return this.scripts.run(RedisLimitScript.SCRIPT, keys, arguments);
	}

	private Answer answer(List<String> answer, @Nullable Place place) {
		return switch (answer.get(0)) {
			case "enough" -> new Enough(place);
			case "counted" -> new Enough(null);
			case "full" -> new Full();
			case "used" -> this.limits.usedUp(answer.stream().skip(3).map(Integer::valueOf).toList(),
					Long.parseLong(answer.get(1)), answer.get(2).equals("1"));
			default -> throw new UnusableAnswerException("Redis gave no answer about a limit");
		};
	}

	/**
	 * The place of a call.
	 *
	 * @param key among which others
	 * @param id its id
	 */
	private record RedisPlace(String key, String id) implements Place {
	}

}
