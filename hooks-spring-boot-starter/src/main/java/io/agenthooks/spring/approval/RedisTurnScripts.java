package io.agenthooks.spring.approval;

import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * What Redis does in one step each with turns that wait for people. A turn is a hash with
 * the text of the turn and a field for each question that it waits for, which is empty
 * until the result is known.
 */
final class RedisTurnScripts {

	/**
	 * Keep a turn. Keys: turn, turns, and for each question: the question, its turn until
	 * now. Arguments: id of the turn, its text, the time, and for each question: its id,
	 * the id of its turn until now or nothing. Answers {@code kept}, or the id of a
	 * question that is gone or belongs to yet another turn.
	 */
	static final RedisScript<String> KEEP = RedisScript.of("""
			for i = 3, #KEYS, 2 do
				local kept = redis.call('HMGET', KEYS[i], 'revision', 'turn')
				if not kept[1] or (kept[2] or '') ~= ARGV[i + 2] then
					return ARGV[i + 1]
				end
			end
			redis.call('HSET', KEYS[1], 'turn', ARGV[2])
			redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
			for i = 3, #KEYS, 2 do
				if ARGV[i + 2] ~= '' then
					redis.call('HDEL', KEYS[i + 1], 'call:' .. ARGV[i + 1])
				end
				redis.call('HSET', KEYS[i], 'turn', ARGV[1])
				redis.call('HSET', KEYS[1], 'call:' .. ARGV[i + 1], redis.call('HGET', KEYS[i], 'reply') or '')
			end
			return 'kept'
			""", String.class);

	/**
	 * Read a turn, and keep the result of a call before, unless there is one or none is
	 * given. Keys: question, turns, its turn if it has one. Arguments: id of the
	 * question, id of its turn or nothing, the result or nothing, the time. Answers
	 * {@code gone} or {@code moved} if the question is, or the result, and the fields of
	 * the turn.
	 */
	static final RedisScript<List<Object>> RECORD = RedisApprovalScripts.list("""
			local kept = redis.call('HMGET', KEYS[1], 'revision', 'turn', 'reply')
			if not kept[1] then
				return {'gone'}
			end
			if (kept[2] or '') ~= ARGV[2] then
				return {'moved'}
			end
			local reply = kept[3]
			if ARGV[3] ~= '' then
				if not reply then
					reply = ARGV[3]
					redis.call('HSET', KEYS[1], 'reply', reply)
					if ARGV[2] ~= '' then
						redis.call('HSET', KEYS[3], 'call:' .. ARGV[1], reply)
					end
				end
				if ARGV[2] ~= '' then
					redis.call('ZADD', KEYS[2], ARGV[4], ARGV[2])
				end
			end
			local answer = {'found', reply or ''}
			if ARGV[2] ~= '' then
				for i, value in ipairs(redis.call('HGETALL', KEYS[3])) do
					answer[i + 2] = value
				end
			end
			return answer
			""");

	/**
	 * The fields of a turn. Keys: turn.
	 */
	static final RedisScript<List<Object>> FIELDS = RedisApprovalScripts.list("""
			return redis.call('HKEYS', KEYS[1])
			""");

	/**
	 * Forget a turn, unless it or one of its questions is needed. Keys: turn, turns,
	 * questions. Arguments: id of the turn, before when it changed. Answers whether it is
	 * gone.
	 */
	static final RedisScript<Boolean> FORGET = RedisScript.of("""
			local at = redis.call('ZSCORE', KEYS[2], ARGV[1])
			if not at or tonumber(at) >= tonumber(ARGV[2]) then
				return 0
			end
			for i = 3, #KEYS do
				if redis.call('EXISTS', KEYS[i]) == 1 then
					return 0
				end
			end
			redis.call('DEL', KEYS[1])
			redis.call('ZREM', KEYS[2], ARGV[1])
			return 1
			""", Boolean.class);

	private RedisTurnScripts() {
	}

}
