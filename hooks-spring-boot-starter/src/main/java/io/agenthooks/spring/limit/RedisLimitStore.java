package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.Sha256;
import io.agenthooks.WarningThrottle;

/**
 * Counts limits in Redis, for all nodes of the application, in one step for each call.
 * Keys expire when there is nothing left to remember.
 */
final class RedisLimitStore implements LimitStore {

	private static final Logger logger = LoggerFactory.getLogger(RedisLimitStore.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final RedisScripts scripts;

	private final List<SharedLimits> groups;

	private final Supplier<String> time;

	/** All limits, as scripts number them. */
	private final List<WrittenLimit> written;

	/** What scripts have to know of each group. */
	private final List<List<String>> numbers = new ArrayList<>();

	/**
	 * Create a store.
	 * @param keyPrefix what the keys of all nodes of the application start with
	 */
	RedisLimitStore(StringRedisTemplate template, String keyPrefix, SharedLimits limits) {
		this(template, keyPrefix, List.of(limits), () -> "");
	}

	/**
	 * Create a store.
	 * @param groups the limits, by what they count
	 * @param time tells the time in microseconds, or nothing to use that of Redis
	 */
	RedisLimitStore(StringRedisTemplate template, String keyPrefix, List<SharedLimits> groups, Supplier<String> time) {
		String entry = (groups.size() == 1) ? groups.get(0).entry()
				: Sha256.hex(groups.stream().map(SharedLimits::entry).collect(Collectors.joining("\n")));
		this.scripts = new RedisScripts(template, keyPrefix, entry);
		this.groups = groups;
		this.time = time;
		this.written = groups.stream().flatMap((group) -> group.written().stream()).toList();
		long first = 0;
		for (SharedLimits group : groups) {
			List<Long> all = new ArrayList<>(List.of(group.forgetAfter(), first, (long) group.paces().size()));
			for (SharedLimits.Pace pace : group.paces()) {
				all.addAll(List.of(pace.calls(), pace.burst(), pace.micros(), pace.rest(), pace.fullMicros(),
						pace.fullRest()));
			}
			this.numbers.add(all.stream().map(String::valueOf).toList());
			first += group.paces().size();
		}
	}

	@Override
	public Answer take(List<String> keys, @Nullable String call) {
		return answer(run("take", keys, "", false, call), null);
	}

	@Override
	public Answer enter(List<String> keys, @Nullable String call) {
		RedisPlace place = new RedisPlace(keys, SharedLimits.newId());
		return answer(run("enter", keys, place.id(), false, call), place);
	}

	@Override
	public Answer look(List<String> keys, @Nullable String call) {
		return answer(run("look", keys, "", false, call), null);
	}

	@Override
	public void remember(List<String> keys, String call) {
		List<String> names = counting(keys).mapToObj((group) -> nameOf(group, keys, call)).toList();
		List<String> unused = this.scripts.run(RedisLimitScript.REMEMBER, names,
				List.of(String.valueOf(SharedLimits.REMEMBERED.toMillis())));
	}

	private static IntStream counting(List<String> keys) {
		return IntStream.range(0, keys.size()).filter((group) -> !keys.get(group).isEmpty());
	}

	private static String nameOf(int group, List<String> keys, String call) {
		return name(group, "counted:" + keys.get(group) + ":" + SharedLimits.digestOf(call));
	}

	private static String name(int group, String name) {
		return (group == 0) ? name : group + ":" + name;
	}

	@Override
	public void leave(Place place, boolean counts) {
		RedisPlace left = (RedisPlace) place;
		List<String> unused = run("leave", left.keys(), left.id(), counts, null);
	}

	private List<String> run(String what, List<String> keys, String id, boolean counts, @Nullable String call) {
		List<String> arguments = new ArrayList<>(List.of(what, this.time.get(),
				String.valueOf(this.groups.get(0).lease()), String.valueOf(this.groups.get(0).maxKeys()), id,
				(counts) ? "1" : "0", (call != null) ? "4" : "3"));
		List<String> names = new ArrayList<>();
		counting(keys).forEach((group) -> {
			arguments.addAll(this.numbers.get(group));
			for (String name : List.of("key:" + keys.get(group), "places:" + keys.get(group), "keys")) {
				names.add(name(group, name));
			}
			if (call != null) {
				names.add(nameOf(group, keys, call));
			}
		});
		return this.scripts.run(RedisLimitScript.SCRIPT, names, arguments);
	}

	private Answer answer(List<String> answer, @Nullable Place place) {
		return switch (answer.get(0)) {
			case "enough" -> new Enough(place);
			case "counted" -> new Enough(null);
			case "full" -> new Full();
			case "used" ->
				SharedLimits.usedUp(answer.stream().skip(3).map(Integer::valueOf).map(this.written::get).toList(),
						Long.parseLong(answer.get(1)), answer.get(2).equals("1"));
			case "lost" -> throw dropped(answer);
			default -> throw new UnusableAnswerException("Redis gave no answer about a limit");
		};
	}

	private UnusableAnswerException dropped(List<String> answer) {
		String message = ("Redis dropped what was counted under '%s', so calls are denied until that limit would be as good "
				+ "as new. Set its 'maxmemory-policy' to 'noeviction', unless somebody deleted the key. To begin the "
				+ "limit anew, run: DEL '%s' '%s' and ZREM '%s' '%s'")
			.formatted(answer.get(1), answer.get(1), answer.get(2), answer.get(3), answer.get(1));
		this.warnings.warn(message);
		return new UnusableAnswerException(message,
				"Redis dropped what was counted of a limit; the log names it, and how it is begun anew");
	}

	/**
	 * The place of a call.
	 *
	 * @param keys among which others
	 * @param id its id
	 */
	private record RedisPlace(List<String> keys, String id) implements Place {
	}

}
