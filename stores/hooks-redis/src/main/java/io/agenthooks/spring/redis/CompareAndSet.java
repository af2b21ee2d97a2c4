package io.agenthooks.spring.redis;

import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * The script by which Redis replaces what is kept of keys in one step, if it is still
 * what the node knows. It reads first and then writes, beginning with what a Redis
 * without memory refuses.
 * <p>
 * Redis keys: of each key its entry and the list of all keys of its space; who has a
 * turn. Arguments: change or look; the time, or nothing to use that of Redis; the time
 * that the change goes by, or nothing; the version that is written; who writes; whether
 * it wants a turn, and for how long; how many keys a space has at most; whether the
 * oldest ones are forgotten then; whether what was lost may be restored. Of each key: the
 * version that is to be replaced, or nothing; what to do (keep, write or remove); the
 * text; when it is over; the epoch of its list that the node knows, and when the last key
 * of that list is over, as far as it knows.
 * <p>
 * The list of a space has the time at which each key is over. An entry that is listed and
 * not there was lost. So was all that a list knew of which the epoch is gone before its
 * time: the list was dropped, and whatever it had is lost until then. The marks for that
 * are in the list, behind all times, so that they are dropped with it.
 * <p>
 * Answers what came of it (done, late, look, wait, full, lost, wrong), the time, and of
 * each key: version (lost, if so), end, text (unless it is done), whether there is room
 * for it, until when it is lost, epoch, end of the last one. Behind lost, full and wrong
 * is the number of the key, and behind that of a lost one the mark of the loss.
 */
final class CompareAndSet {

	/** The number of elements of an answer about each key. */
	static final int ANSWERED = 7;

	static final RedisScript<List<Object>> SCRIPT = RedisScripts
		.list("""
				local writes, clock, asOf = ARGV[1] == 'change', tonumber(ARGV[2]), tonumber(ARGV[3])
				local next, writer, max = ARGV[4], ARGV[5], tonumber(ARGV[8])
				local forgets, restores = ARGV[9] == '1', ARGV[10] == '1'
				local turnKey, count = KEYS[#KEYS], (#KEYS - 1) / 2
				local function digits(number)
					return string.format('%.0f', number)
				end
				if not clock then
					local time = redis.call('TIME')
					clock = tonumber(time[1]) * 1000000 + tonumber(time[2])
				end
				local now, late = clock, false
				if writes then
					if asOf > clock or clock - asOf > 1000000 then
						late = true
					else
						now = asOf
					end
				end
				local turn = writes and redis.call('GET', turnKey)

				local all, repeated = {}, false
				for i = 1, count do
					local at = 10 + 6 * (i - 1)
					local key = { name = KEYS[2 * i - 1], list = KEYS[2 * i], expected = ARGV[at + 1], action = ARGV[at + 2],
							text = ARGV[at + 3], over = ARGV[at + 4], epoch = '', lost = 0, lostHere = 0, room = true }
					local found = redis.call('HMGET', key.name, 'version', 'over', 'state')
					if found[1] and not (found[2] and found[3]) then
						return { 'wrong', tostring(i) }
					end
					if found[1] and found[1] == next then
						repeated = true
					end
					key.known = found[1] and tonumber(found[2]) > now
					local remembered, till, gone = ARGV[at + 5], tonumber(ARGV[at + 6]), false
					for _, mark in ipairs(redis.call('ZRANGEBYSCORE', key.list, 'inf', 'inf')) do
						if string.sub(mark, 1, 6) == 'epoch:' then
							key.epoch = string.sub(mark, 7)
						elseif string.sub(mark, 1, 5) == 'lost:' then
							key.lost, key.mark = tonumber(string.sub(mark, 6)), mark
						elseif mark == 'gone:' .. remembered then
							gone = true
						end
					end
					-- Once somebody removed the mark of the loss, it is over.
					if remembered ~= '' and remembered ~= key.epoch and till > now and till > key.lost
							and (key.mark or not gone) then
						key.lost, key.gone = till, 'gone:' .. remembered
					end
					if key.known then
						key.version, key.till, key.state = found[1], found[2], found[3]
					else
						key.version, key.till, key.state = '', '', ''
						if not found[1] then
							key.lostHere = tonumber(redis.call('ZSCORE', key.list, key.name) or '0')
							if key.lost > key.lostHere then
								key.lostHere = key.lost
							end
							if key.lostHere <= clock then
								key.lostHere = 0
							else
								key.version = 'lost'
							end
						end
						key.size = redis.call('ZCOUNT', key.list, '(' .. digits(now), '(inf')
						key.room = forgets or key.size < max
					end
					late = late or (writes and key.version ~= key.expected)
					all[i] = key
				end

				local function answer(what)
					local said = { what, digits(clock) }
					for _, key in ipairs(all) do
						local last = redis.call('ZREVRANGEBYSCORE', key.list, '(inf', '-inf', 'WITHSCORES', 'LIMIT', 0, 1)
						for _, part in ipairs({ key.version, key.till, what == 'done' and '' or key.state, key.room and '1' or '0',
								digits(key.lostHere), key.epoch, last[2] and digits(tonumber(last[2])) or '0' }) do
							table.insert(said, part)
						end
					end
					return said
				end
				-- The connection may have broken behind the first try.
				if repeated then
					return answer('done')
				end
				if turn and turn ~= writer then
					return { 'wait' }
				end
				if writes then
					for _, key in ipairs(all) do
						if key.gone then
							local before = key.mark
							key.mark = 'lost:' .. digits(key.lost)
							redis.call('ZADD', key.list, 'inf', key.mark, 'inf', key.gone)
							if before then
								redis.call('ZREM', key.list, before)
							end
							redis.call('PEXPIRE', key.list, digits(math.max(redis.call('PTTL', key.list),
									math.ceil((key.lost - now) / 1000) + 2000)))
						end
					end
				end
				for i, key in ipairs(all) do
					if key.lostHere > 0 and not restores then
						return { 'lost', tostring(i), key.mark or '' }
					end
				end
				if not writes then
					return answer('look')
				end
				if late then
					if ARGV[6] == '1' then
						redis.call('SET', turnKey, writer, 'PX', ARGV[7])
					end
					return answer('late')
				end
				for i, key in ipairs(all) do
					if key.action == 'write' and not key.room then
						return { 'full', tostring(i) }
					end
				end
				for _, key in ipairs(all) do
					if key.action == 'write' then
						-- Longer than a change may go by an earlier time.
						local kept = math.max(0, math.ceil((tonumber(key.over) - now) / 1000)) + 2000
						redis.call('HSET', key.name, 'version', next, 'over', key.over, 'state', key.text)
						redis.call('PEXPIRE', key.name, digits(kept))
						if not key.known then
							redis.call('ZREMRANGEBYSCORE', key.list, '-inf', digits(now))
							for _ = 1, math.min(100, forgets and key.size + 1 - max or 0) do
								local oldest = redis.call('ZRANGE', key.list, 0, 0)
								redis.call('ZREM', key.list, oldest[1])
								redis.call('DEL', oldest[1])
							end
						end
						redis.call('ZADD', key.list, key.over, key.name)
						if key.epoch == '' then
							key.epoch = next
							redis.call('ZADD', key.list, 'inf', 'epoch:' .. next)
						end
						if redis.call('PTTL', key.list) < kept then
							redis.call('PEXPIRE', key.list, digits(kept))
						end
						key.version = next
					elseif key.action == 'remove' then
						redis.call('DEL', key.name)
						redis.call('ZREM', key.list, key.name)
						key.version = ''
					end
				end
				if turn then
					redis.call('DEL', turnKey)
				end
				return answer('done')
				""");

	private CompareAndSet() {
	}

}
