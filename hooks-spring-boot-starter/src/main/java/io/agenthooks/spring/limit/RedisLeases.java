package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Keeps in Redis which calls run, by its clock: those of a key, each with the end of its
 * lease.
 */
final class RedisLeases implements Leases {

	/**
	 * Keys: the calls. Arguments: what to do (enter, renew, leave or look), the lease in
	 * microseconds, how many calls run at most, the id of the place.
	 */
	private static final RedisScript<List<Object>> SCRIPT = RedisScripts.list("""
			local time = redis.call('TIME')
			local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
			local op, lease, max, id = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
			local function digits(number)
				return string.format('%.0f', number)
			end
			if op == 'leave' then
				redis.call('ZREM', KEYS[1], id)
				return { '1' }
			end
			local running = redis.call('ZCOUNT', KEYS[1], '(' .. digits(now), '+inf')
			if op == 'look' then
				return { running < max and '1' or '0' }
			end
			-- The connection may have broken behind the first try.
			local known = redis.call('ZSCORE', KEYS[1], id)
			if op == 'enter' and not known and running >= max then
				return { '0' }
			end
			redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', digits(now))
			redis.call('ZADD', KEYS[1], digits(now + lease), id)
			redis.call('PEXPIRE', KEYS[1], digits(math.ceil(lease / 1000)))
			return { '1' }
			""");

	private final RedisScripts scripts;

	private final String lease;

	private final String max;

	/**
	 * Create leases.
	 * @param keyPrefix what the keys of all nodes of the application start with
	 * @param entry tells these calls from those of other hooks
	 * @param max how many calls of a key run at the same time
	 */
	RedisLeases(StringRedisTemplate template, String keyPrefix, String entry, int max, Duration lease) {
		this.scripts = new RedisScripts(template, keyPrefix, entry);
		this.max = String.valueOf(max);
		this.lease = String.valueOf(SharedLimits.micros(lease));
	}

	@Override
	public boolean enter(String key, String id) {
		return run("enter", key, id);
	}

	@Override
	public void renew(String key, String id) {
		boolean unused = run("renew", key, id);
	}

	@Override
	public void leave(String key, String id) {
		boolean unused = run("leave", key, id);
	}

	@Override
	public boolean hasRoom(String key) {
		return run("look", key, "");
	}

	private boolean run(String what, String key, String id) {
		return this.scripts.run(SCRIPT, List.of("running:" + key), List.of(what, this.lease, this.max, id))
			.get(0)
			.equals("1");
	}

}
