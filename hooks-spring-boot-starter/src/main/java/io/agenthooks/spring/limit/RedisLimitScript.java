package io.agenthooks.spring.limit;

import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * What Redis does about a call in one step, by its own clock. It counts as
 * {@link SharedKey} does. It reads first and then writes, beginning with what a Redis
 * without memory refuses, so that nothing is given back that was not counted.
 * <p>
 * Keys of each group: what is kept of its key, the places of this, all keys of the group,
 * and what is there if the call was counted before, unless it cannot have been.
 * Arguments: what to do (take, enter, look or leave), the time or nothing to use that of
 * Redis, the lease of a place, how many keys of a group are kept at most, the id of the
 * place, whether the call that leaves counts, how many keys a group has here; then of
 * each group how long after its last call a key is kept or 0, the number of its first
 * limit, how many there are, and of each of these the numbers of its pace. Answers a list
 * that begins with enough, counted, full, used, gone or lost; behind used are the time to
 * wait or -1, whether calls that run have the last places, and the numbers of the limits;
 * behind lost are the first three keys of the group of which Redis dropped one.
 */
final class RedisLimitScript {

	static final RedisScript<List<Object>> SCRIPT = RedisScripts
		.list("""
				local op, now, lease, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
				local id, counts, size = ARGV[5], ARGV[6] == '1', tonumber(ARGV[7])
				if not now then
					local time = redis.call('TIME')
					now = tonumber(time[1]) * 1000000 + tonumber(time[2])
				end
				local function digits(number)
					return string.format('%.0f', number)
				end

				local groups, counted, position = {}, {}, 8
				for k = 1, #KEYS, size do
					local group = { name = KEYS[k], places = KEYS[k + 1], keys = KEYS[k + 2], paces = {},
							fields = { 'forget', 'over', 'held' }, forget = tonumber(ARGV[position]), first = tonumber(ARGV[position + 1]) }
					group.longest = group.forget
					local last = position + 2 + 6 * tonumber(ARGV[position + 2])
					for i = position + 3, last, 6 do
						local pace = {}
						for n = 0, 5 do
							pace[n + 1] = tonumber(ARGV[i + n])
						end
						table.insert(group.paces, pace)
						table.insert(group.fields, 'at' .. #group.paces)
						table.insert(group.fields, 'rest' .. #group.paces)
						group.longest = math.max(group.longest, pace[5] + 1)
					end
					position = last + 1
					if size > 3 and redis.call('EXISTS', KEYS[k + 3]) == 1 then
						table.insert(counted, KEYS[k + 3])
					else
						table.insert(groups, group)
					end
				end

				local function count(group)
					group.forgetAt = math.max(group.forgetAt, now + group.forget)
					local at, rest = group.at, group.rest
					for i, pace in ipairs(group.paces) do
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

				-- What is known of the keys.
				for _, group in ipairs(groups) do
					local over = tonumber(redis.call('ZSCORE', group.keys, group.name) or '0')
					local kept = redis.call('HMGET', group.name, unpack(group.fields))
					group.known = math.max(over, tonumber(kept[2] or '0')) > now
					group.forgetAt, group.at, group.rest, group.running, group.ended = 0, {}, {}, 0, 0
					for i = 1, #group.paces do
						group.at[i], group.rest[i] = 0, 0
					end
					if group.known then
						if not kept[2] or redis.call('ZCARD', group.places) ~= tonumber(kept[3]) then
							-- Redis dropped a part of it: nobody knows what was counted.
							return { 'lost', group.name, group.places, group.keys }
						end
						group.forgetAt = tonumber(kept[1])
						group.ended = redis.call('ZCOUNT', group.places, '-inf', digits(now))
						group.running = redis.call('ZCARD', group.places) - group.ended
						local forgotten = group.forget > 0 and group.forgetAt <= now and group.running + group.ended == 0
						for i, pace in ipairs(group.paces) do
							if pace[3] >= 0 or not forgotten then
								group.at[i], group.rest[i] = tonumber(kept[2 * i + 2]), tonumber(kept[2 * i + 3])
							end
						end
					elseif op ~= 'leave'
							and redis.call('ZCOUNT', group.keys, '(' .. digits(now), '+inf') >= most then
						return { 'full' }
					end
					for i = 1, group.ended do
						-- Nobody knows how these calls ended.
						count(group)
					end
				end

				local function wait(group, calls, i)
					local pace, at, rest = group.paces[i], group.at[i], group.rest[i]
					if calls > pace[2] or (pace[3] < 0 and at + calls > pace[1]) then
						return -1
					elseif pace[3] < 0 then
						return 0
					end
					local more = calls * pace[4]
					if at >= now then
						more = more + rest
					end
					local late = math.max(at, now) - now + calls * pace[3] + math.floor(more / pace[1]) - pace[5]
					if more % pace[1] > pace[6] then
						late = late + 1
					end
					return math.max(0, late)
				end

				local function save(group)
					if not group.known then
						redis.call('DEL', group.name, group.places)
						redis.call('ZREMRANGEBYSCORE', group.keys, '-inf', digits(now))
					end
					if op == 'enter' and group.entered then
						redis.call('ZADD', group.places, digits(now + lease), id)
					end
					local written, over = { 'forget', digits(group.forgetAt) }, group.forgetAt
					for i, pace in ipairs(group.paces) do
						table.insert(written, 'at' .. i)
						table.insert(written, digits(group.at[i]))
						table.insert(written, 'rest' .. i)
						table.insert(written, digits(group.rest[i]))
						if pace[3] >= 0 then
							over = math.max(over, group.at[i] + 1)
						end
					end
					redis.call('HSET', group.name, unpack(written))
					if group.ended > 0 then
						redis.call('ZREMRANGEBYSCORE', group.places, '-inf', digits(now))
					end
					if op == 'leave' then
						redis.call('ZREM', group.places, id)
					end
					local last = redis.call('ZREVRANGE', group.places, 0, 0, 'WITHSCORES')
					if last[2] then
						over = math.max(over, tonumber(last[2]) + group.longest)
					end
					if over <= now then
						redis.call('DEL', group.name)
						redis.call('ZREM', group.keys, group.name)
						return
					end
					local kept = math.ceil((over - now) / 1000)
					redis.call('HSET', group.name, 'over', digits(over), 'held', redis.call('ZCARD', group.places))
					redis.call('ZADD', group.keys, digits(over), group.name)
					redis.call('PEXPIRE', group.name, digits(kept))
					redis.call('PEXPIRE', group.places, digits(kept))
					if redis.call('PTTL', group.keys) < kept then
						redis.call('PEXPIRE', group.keys, digits(kept))
					end
				end

				if op == 'leave' then
					local answer = 'gone'
					for _, group in ipairs(groups) do
						local till = redis.call('ZSCORE', group.places, id)
						if group.known and till and tonumber(till) > now then
							if counts then
								count(group)
							end
							save(group)
							answer = 'enough'
						end
					end
					return { answer }
				end

				local used, never, running, longestWait = {}, false, true, 0
				for _, group in ipairs(groups) do
					if group.known and op == 'enter' and redis.call('ZSCORE', group.places, id) then
						-- The connection broke behind the first try.
						return { 'enough' }
					end
					for i = 1, #group.paces do
						local waits = wait(group, group.running + 1, i)
						if waits ~= 0 then
							table.insert(used, tostring(group.first + i - 1))
							never = never or waits < 0
							running = running and wait(group, 1, i) == 0
							longestWait = math.max(longestWait, waits)
						end
					end
				end
				if op == 'look' and #used == 0 then
					return { 'enough' }
				end
				for _, group in ipairs(groups) do
					group.forgetAt = math.max(group.forgetAt, now + group.forget)
					if #used == 0 then
						group.entered = true
						if op == 'take' then
							count(group)
						end
						save(group)
					elseif op ~= 'look' and group.known and (group.forget > 0 or group.ended > 0) then
						save(group)
					end
				end
				if #used > 0 then
					return { 'used', never and '-1' or digits(longestWait), running and '1' or '0', unpack(used) }
				end
				if #counted > 0 then
					redis.call('DEL', unpack(counted))
				end
				return { #groups > 0 and 'enough' or 'counted' }
				""");

	/**
	 * Remembers a call that was counted, by its keys, for some milliseconds.
	 */
	static final RedisScript<List<Object>> REMEMBER = RedisScripts
		.list("for _, key in ipairs(KEYS) do redis.call('SET', key, '', 'PX', ARGV[1]) end return {}");

	private RedisLimitScript() {
	}

}
