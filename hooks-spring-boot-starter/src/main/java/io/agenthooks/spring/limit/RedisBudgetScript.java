package io.agenthooks.spring.limit;

import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * What Redis does about a budget in one step, by its own clock. It counts as
 * {@link SharedAccount} does.
 * <p>
 * An amount is a text of {@value #DIGITS} digits, of which the last
 * {@value SharedBudget#SCALE} are behind the point. Redis counts whole numbers exactly up
 * to 2^53 only, so it adds amounts in four parts. A place is named by its id and its
 * amount, and has the time at which it counts, unless somebody says before whether it
 * does. What was taken and is given back leaves a mark for an hour, so that it is not
 * given back again when the connection breaks and the command is repeated.
 * <p>
 * Keys: the account, its places, all accounts of the hook, the mark. Arguments: what to
 * do (reserve, take, look, settle, back, check or add), the time or nothing to use that
 * of Redis, the lease of a place, how long after its last call an account is kept or 0,
 * how many accounts are kept at most, the limit, what must be left so that the model need
 * not know it or nothing, the name of the place, the amount, whether it counts, which
 * account it is given back to, and, if budgets are of the calendar, when its times begin.
 * Answers a list that begins with enough, used, full, gone, or clock with the time of
 * Redis if it is in none of these times. Behind enough: what is left, whether the model
 * is to know it, whether that is so for the first time, and which account it is. Behind
 * used: what is left or nothing, the time until the budget is new or -1, and whether
 * calls that run hold the rest.
 */
final class RedisBudgetScript {

	static final int DIGITS = 56;

	static final RedisScript<List<Object>> SCRIPT = RedisScripts.list("""
			local op, now, lease, forget = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
			if not now then
				local time = redis.call('TIME')
				now = tonumber(time[1]) * 1000000 + tonumber(time[2])
			end
			local function digits(number)
				return string.format('%.0f', number)
			end
			local function amount(text)
				local parts = {}
				for i = 1, 4 do
					parts[i] = tonumber(string.sub(text, 14 * i - 13, 14 * i))
				end
				return parts
			end
			local function text(parts)
				return string.format('%014.0f%014.0f%014.0f%014.0f', unpack(parts))
			end
			-- Adds or, with -1, subtracts; below zero the second value is.
			local function plus(one, other, sign)
				local sum, carry = {}, 0
				for i = 4, 1, -1 do
					local part = one[i] + sign * other[i] + carry
					carry = math.floor(part / 100000000000000)
					sum[i] = part - carry * 100000000000000
				end
				return sum, carry
			end
			local function less(one, other)
				local _, carry = plus(one, other, -1)
				return carry < 0
			end
			local zero, most = amount(string.rep('0', 56)), amount('1' .. string.rep('0', 55))

			-- What is known of the account.
			local over = tonumber(redis.call('ZSCORE', KEYS[3], KEYS[1]) or '0')
			local known = over > now
			local till, born, forgetAt, used, reserved, warned = 0, now, 0, zero, zero, '0'
			local ended = {}
			if known then
				local kept = redis.call('HMGET', KEYS[1], 'till', 'born', 'forget', 'used', 'reserved', 'warned')
				if not kept[6] then
					return { 'lost' }
				end
				till, born, forgetAt = tonumber(kept[1]), tonumber(kept[2]), tonumber(kept[3])
				used, reserved, warned = amount(kept[4]), amount(kept[5]), kept[6]
				ended = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', digits(now))
			elseif op == 'settle' or op == 'back' then
				return { 'gone' }
			else
				if redis.call('ZCOUNT', KEYS[3], '(' .. digits(now), '+inf') >= tonumber(ARGV[5]) then
					return { 'full' }
				end
				if #ARGV > 11 then
					if tonumber(ARGV[12]) > now then
						return { 'clock', digits(now) }
					end
					for i = #ARGV, 13, -1 do
						if tonumber(ARGV[i]) > now then
							till = tonumber(ARGV[i])
						end
					end
					if till == 0 then
						return { 'clock', digits(now) }
					end
				end
				if op ~= 'look' then
					redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', digits(now))
					redis.call('DEL', KEYS[1], KEYS[2])
				end
			end
			local function amountOf(place)
				return amount(string.sub(place, -56))
			end
			local function count(more)
				used = plus(used, more, 1)
				if less(most, used) then
					used = most
				end
			end
			if known and text(reserved) ~= text(zero) and redis.call('EXISTS', KEYS[2]) == 0 then
				-- Redis dropped the places: nobody can say any more whether they count.
				count(reserved)
				reserved = zero
			end
			for _, place in ipairs(ended) do
				-- Nobody said whether they count.
				reserved = plus(reserved, amountOf(place), -1)
				count(amountOf(place))
			end

			local function save()
				forgetAt = math.max(forgetAt, now + forget)
				redis.call('HSET', KEYS[1], 'till', digits(till), 'born', digits(born), 'forget', digits(forgetAt),
						'used', text(used), 'reserved', text(reserved), 'warned', warned)
				if #ended > 0 then
					redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', digits(now))
				end
				over = till
				if till == 0 then
					local last = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')
					over = forgetAt
					if last[2] then
						over = math.max(over, tonumber(last[2]) + forget)
					end
				end
				local kept = math.ceil((over - now) / 1000)
				redis.call('ZADD', KEYS[3], digits(over), KEYS[1])
				redis.call('PEXPIRE', KEYS[1], digits(kept))
				redis.call('PEXPIRE', KEYS[2], digits(kept))
				if redis.call('PTTL', KEYS[3]) < kept then
					redis.call('PEXPIRE', KEYS[3], digits(kept))
				end
			end

			local place = ARGV[8]
			if op == 'settle' then
				local ends = redis.call('ZSCORE', KEYS[2], place)
				if not ends or tonumber(ends) <= now then
					return { 'gone' }
				end
				redis.call('ZREM', KEYS[2], place)
				reserved = plus(reserved, amountOf(place), -1)
				if ARGV[10] == '1' then
					count(amountOf(place))
				end
				save()
				return { 'enough' }
			elseif op == 'back' then
				if digits(born) ~= ARGV[11] or not redis.call('SET', KEYS[4], '', 'NX', 'EX', '3600') then
					return { 'gone' }
				end
				if less(used, amount(ARGV[9])) then
					used = zero
				else
					used = plus(used, amount(ARGV[9]), -1)
				end
				save()
				return { 'enough' }
			elseif op == 'add' then
				count(amount(ARGV[9]))
				save()
				return { 'enough' }
			end

			local limit, wanted = amount(ARGV[6]), amount(ARGV[9])
			local function left()
				local gone = plus(used, reserved, 1)
				if less(limit, gone) then
					return zero, true
				end
				local rest = plus(limit, gone, -1)
				return rest, false
			end
			local function enough(rest)
				local warns, first = '0', '0'
				if ARGV[7] ~= '' and not less(amount(ARGV[7]), rest) then
					warns = '1'
					if warned == '0' and op ~= 'look' then
						warned, first = '1', '1'
					end
				end
				return { 'enough', text(rest), warns, first, digits(born) }
			end
			local rest, beyond = left()
			if op == 'reserve' and redis.call('ZSCORE', KEYS[2], place) then
				-- The connection broke behind the first try.
				return enough(rest)
			end
			local tooLittle = beyond or less(rest, wanted) or (op == 'check' and text(rest) == text(zero))
			local answer
			if tooLittle then
				local running = text(reserved) ~= text(zero) and not less(limit, plus(used, wanted, 1))
				answer = { 'used', text(rest), till > 0 and digits(till - now) or '-1', running and '1' or '0' }
			elseif op == 'check' then
				answer = enough(rest)
			else
				answer = enough(plus(rest, wanted, -1))
				if op == 'reserve' then
					redis.call('ZADD', KEYS[2], digits(now + lease), place)
					reserved = plus(reserved, wanted, 1)
				elseif op == 'take' then
					count(wanted)
				end
			end
			if op ~= 'look' then
				save()
			end
			return answer
			""");

	private RedisBudgetScript() {
	}

}
