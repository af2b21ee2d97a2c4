package io.agenthooks.spring.limit;

import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * What Redis does about a call in one step, by its own clock. It counts as
 * {@link SharedKey} does. It reads first and then writes, beginning with what a Redis
 * without memory refuses, so that nothing is given back that was not counted.
 * <p>
 * Keys: what is kept of the key, its places, all keys of the hook, and what is there if
 * the call was counted before, unless it cannot have been. Arguments: what to do (take,
 * enter, look or leave), the time or nothing to use that of Redis, the lease of a place,
 * how long after its last call a key is kept or 0, how many keys are kept at most, the id
 * of the place, whether the call that leaves counts; then of each limit the numbers of
 * its pace. Answers a list that begins with enough, counted, full, used or gone; behind
 * used are the time to wait or -1, whether calls that run have the last places, and the
 * numbers of the limits.
 */
final class RedisLimitScript {

	static final RedisScript<List<Object>> SCRIPT = RedisScripts.list("""
			local op, now, lease, forget = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
			if not now then
				local time = redis.call('TIME')
				now = tonumber(time[1]) * 1000000 + tonumber(time[2])
			end
			if KEYS[4] and redis.call(op == 'look' and 'EXISTS' or 'DEL', KEYS[4]) == 1 then
				return { 'counted' }
			end
			local function digits(number)
				return string.format('%.0f', number)
			end
			local paces, fields, longest = {}, { 'forget' }, forget
			for i = 8, #ARGV, 6 do
				local pace = {}
				for n = 0, 5 do
					pace[n + 1] = tonumber(ARGV[i + n])
				end
				table.insert(paces, pace)
				table.insert(fields, 'at' .. #paces)
				table.insert(fields, 'rest' .. #paces)
				longest = math.max(longest, pace[5] + 1)
			end

			-- What is known of the key.
			local over = tonumber(redis.call('ZSCORE', KEYS[3], KEYS[1]) or '0')
			local known = over > now
			local forgetAt, at, rest, places, ended = 0, {}, {}, 0, 0
			for i = 1, #paces do
				at[i], rest[i] = 0, 0
			end
			if known then
				local kept = redis.call('HMGET', KEYS[1], unpack(fields))
				forgetAt = tonumber(kept[1] or '0')
				ended = redis.call('ZCOUNT', KEYS[2], '-inf', digits(now))
				places = redis.call('ZCARD', KEYS[2]) - ended
				local forgotten = forget > 0 and forgetAt <= now and places + ended == 0
				for i, pace in ipairs(paces) do
					if pace[3] >= 0 or not forgotten then
						at[i], rest[i] = tonumber(kept[2 * i] or '0'), tonumber(kept[2 * i + 1] or '0')
					end
				end
			elseif op == 'enter' or op == 'take' then
				redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', digits(now))
				redis.call('DEL', KEYS[1], KEYS[2])
			end
			if not known and op ~= 'leave'
					and redis.call('ZCOUNT', KEYS[3], '(' .. digits(now), '+inf') >= tonumber(ARGV[5]) then
				return { 'full' }
			end

			local function count()
				forgetAt = math.max(forgetAt, now + forget)
				for i, pace in ipairs(paces) do
					if pace[3] < 0 then
						at[i] = at[i] + 1
					else
						local more = pace[4]
						if at[i] >= now then
							more = more + rest[i]
						end
						at[i] = math.max(at[i], now) + pace[3] + math.floor(more / pace[1])
						rest[i] = more % pace[1]
					end
				end
			end
			for i = 1, ended do
				-- Nobody knows how these calls ended.
				count()
			end

			local function wait(calls, i)
				local pace = paces[i]
				if calls > pace[2] or (pace[3] < 0 and at[i] + calls > pace[1]) then
					return -1
				elseif pace[3] < 0 then
					return 0
				end
				local more = calls * pace[4]
				if at[i] >= now then
					more = more + rest[i]
				end
				local late = math.max(at[i], now) - now + calls * pace[3] + math.floor(more / pace[1]) - pace[5]
				if more % pace[1] > pace[6] then
					late = late + 1
				end
				return math.max(0, late)
			end

			local function save()
				local written = { 'forget', digits(forgetAt) }
				over = forgetAt
				for i, pace in ipairs(paces) do
					table.insert(written, 'at' .. i)
					table.insert(written, digits(at[i]))
					table.insert(written, 'rest' .. i)
					table.insert(written, digits(rest[i]))
					if pace[3] >= 0 then
						over = math.max(over, at[i] + 1)
					end
				end
				redis.call('HSET', KEYS[1], unpack(written))
				if ended > 0 then
					redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', digits(now))
				end
				if op == 'leave' then
					redis.call('ZREM', KEYS[2], ARGV[6])
				end
				local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')
				if last[2] then
					over = math.max(over, tonumber(last[2]) + longest)
				end
				if over <= now then
					redis.call('DEL', KEYS[1])
					redis.call('ZREM', KEYS[3], KEYS[1])
					return
				end
				local kept = math.ceil((over - now) / 1000)
				redis.call('ZADD', KEYS[3], digits(over), KEYS[1])
				redis.call('PEXPIRE', KEYS[1], digits(kept))
				redis.call('PEXPIRE', KEYS[2], digits(kept))
				if redis.call('PTTL', KEYS[3]) < kept then
					redis.call('PEXPIRE', KEYS[3], digits(kept))
				end
			end

			if op == 'leave' then
				local till = redis.call('ZSCORE', KEYS[2], ARGV[6])
				if not known or not till or tonumber(till) <= now then
					return { 'gone' }
				end
				if ARGV[7] == '1' then
					count()
				end
				save()
				return { 'enough' }
			end

			if known and op == 'enter' and redis.call('ZSCORE', KEYS[2], ARGV[6]) then
				-- The connection broke behind the first try.
				return { 'enough' }
			end
			local used, never, running, longestWait = {}, false, true, 0
			for i = 1, #paces do
				local waits = wait(places + 1, i)
				if waits ~= 0 then
					table.insert(used, tostring(i - 1))
					never = never or waits < 0
					running = running and wait(1, i) == 0
					longestWait = math.max(longestWait, waits)
				end
			end
			if #used > 0 then
				if op ~= 'look' and (forget > 0 or ended > 0) then
					forgetAt = math.max(forgetAt, now + forget)
					save()
				end
				return { 'used', never and '-1' or digits(longestWait), running and '1' or '0', unpack(used) }
			end
			if op == 'take' then
				count()
				save()
			elseif op == 'enter' then
				forgetAt = math.max(forgetAt, now + forget)
				redis.call('ZADD', KEYS[2], digits(now + lease), ARGV[6])
				save()
			end
			return { 'enough' }
			""");

	/**
	 * Remembers a call that was counted, by its key, for some milliseconds.
	 */
	static final RedisScript<List<Object>> REMEMBER = RedisScripts
		.list("redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) return {}");

	private RedisLimitScript() {
	}

}
