package io.agenthooks.spring.approval;

import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * What Redis does in one step each. A script reads first and then writes, beginning with
 * what a Redis without memory refuses, so that it does all or nothing. All keys are told,
 * and lie in one slot. No script decides what becomes of a question.
 */
final class RedisApprovalScripts {

	/**
	 * The version of the keys. Keys: version. Arguments: the version to write if there is
	 * none.
	 */
	static final RedisScript<String> VERSION = RedisScript.of("""
			redis.call('SETNX', KEYS[1], ARGV[1])
			return redis.call('GET', KEYS[1])
			""", String.class);

	/**
	 * Keep a question. Keys: question, open, places, pending, session, due, those at no
	 * end of the session, and of the run if there is one. Arguments: id, fingerprint,
	 * state, revision, when its time is over, when it was asked, its text, the bound of
	 * all, that of its session, the id of a question that is known to be gone, the
	 * places. Answers the id of the question that is asked, or nothing if too many are.
	 */
	static final RedisScript<String> ASK = RedisScript.of("""
			local same = redis.call('HGET', KEYS[2], ARGV[2])
			if same and same ~= ARGV[10] then
				return same
			end
			local after = '(' .. ARGV[6]
			if redis.call('ZCOUNT', KEYS[4], after, '+inf') >= tonumber(ARGV[8])
					or redis.call('ZCOUNT', KEYS[5], after, '+inf') >= tonumber(ARGV[9]) then
				return false
			end
			if redis.call('EXISTS', KEYS[1]) == 1 then
				return redis.error_reply('ERR there is a question with this id')
			end
			redis.call('HSET', KEYS[1], 'open_key', ARGV[2], 'state', ARGV[3], 'revision', ARGV[4],
				'fingerprint', ARGV[2], 'request', ARGV[7])
			redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
			redis.call('HSET', KEYS[3], ARGV[1], ARGV[11])
			for i = 4, #KEYS do
				redis.call('ZADD', KEYS[i], ARGV[5], ARGV[1])
			end
			return ARGV[1]
			""", String.class);

	/**
	 * Put a question in place of its last revision. Keys: question, open, pending,
	 * session, settled, claimed, approved, due, those at no end of the session, and of
	 * the run if there is one. Arguments: id, its last revision, the new state, revision,
	 * fingerprint, text, the time, whether it waits (1 or 0), whether it is at an end,
	 * whether it is claimed, whether it is approved, the channel. Answers whether it was
	 * the last revision.
	 */
	static final RedisScript<Boolean> REPLACE = RedisScript.of("""
			local kept = redis.call('HMGET', KEYS[1], 'revision', 'open_key')
			if kept[1] ~= ARGV[2] then
				return 0
			end
			redis.call('HSET', KEYS[1], 'state', ARGV[3], 'revision', ARGV[4], 'fingerprint', ARGV[5],
				'request', ARGV[6])
			if ARGV[8] == '0' then
				redis.call('ZADD', KEYS[5], ARGV[7], ARGV[1])
				if kept[2] and redis.call('HGET', KEYS[2], kept[2]) == ARGV[1] then
					redis.call('HDEL', KEYS[2], kept[2])
				end
				redis.call('ZREM', KEYS[3], ARGV[1])
				redis.call('ZREM', KEYS[4], ARGV[1])
			end
			if ARGV[9] == '1' then
				for i = 8, #KEYS do
					redis.call('ZREM', KEYS[i], ARGV[1])
				end
			end
			if ARGV[10] == '1' then
				redis.call('HSET', KEYS[6], ARGV[5], ARGV[1])
			end
			if kept[2] and ARGV[11] == '1' then
				redis.call('HSET', KEYS[7], kept[2], ARGV[1])
			elseif kept[2] and redis.call('HGET', KEYS[7], kept[2]) == ARGV[1] then
				redis.call('HDEL', KEYS[7], kept[2])
			end
			redis.pcall('PUBLISH', ARGV[12], ARGV[1])
			return 1
			""", Boolean.class);

	/**
	 * Read questions. Keys: questions. It is a script so that it is never asked of a
	 * replica, which may know less.
	 */
	static final RedisScript<List<Object>> READ = list("""
			local found = {}
			for i, key in ipairs(KEYS) do
				found[i] = redis.call('HMGET', key, 'state', 'revision', 'fingerprint', 'request')
			end
			return found
			""");

	/**
	 * Read the revisions of questions. Keys: questions.
	 */
	static final RedisScript<List<Object>> REVISIONS = list("""
			local found = {}
			for i, key in ipairs(KEYS) do
				found[i] = redis.call('HGET', key, 'revision')
			end
			return found
			""");

	/**
	 * Ids in the order of their times. Keys: pending, due or settled. Arguments: the last
	 * time, how many to leave out, how many to read.
	 */
	static final RedisScript<List<Object>> FIRST = list("""
			return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', ARGV[2], ARGV[3])
			""");

	/**
	 * Ids in the reverse order of their times. Keys: settled. Arguments: how many to
	 * read.
	 */
	static final RedisScript<List<Object>> LAST = list("""
			return redis.call('ZREVRANGEBYSCORE', KEYS[1], '+inf', '-inf', 'LIMIT', 0, ARGV[1])
			""");

	/**
	 * The time of Redis, in seconds and microseconds. Keys: any, so that it is that of
	 * the node that has all keys.
	 */
	static final RedisScript<List<Object>> TIME = list("""
			return redis.call('TIME')
			""");

	/**
	 * A field of a hash. Keys: claimed, approved, or a question. Arguments: field.
	 */
	static final RedisScript<String> LOOK_UP = RedisScript.of("""
			return redis.call('HGET', KEYS[1], ARGV[1])
			""", String.class);

	/**
	 * Forget questions that are at an end. Keys: settled, due, claimed, places,
	 * questions. Arguments: before when they were settled, the ids of these questions.
	 * Answers for each whether it is forgotten (1), still needed (0), or was gone (-1)
	 * and is still in its places.
	 */
	static final RedisScript<List<Object>> FORGET = list("""
			local gone = {}
			for i = 5, #KEYS do
				local id = ARGV[i - 3]
				local at = redis.call('ZSCORE', KEYS[1], id)
				local forgotten = 0
				if redis.call('EXISTS', KEYS[i]) == 0 then
					forgotten = -1
				elseif at and tonumber(at) < tonumber(ARGV[1]) and not redis.call('ZSCORE', KEYS[2], id) then
					local fingerprint = redis.call('HGET', KEYS[i], 'fingerprint')
					if fingerprint and redis.call('HGET', KEYS[3], fingerprint) == id then
						redis.call('HDEL', KEYS[3], fingerprint)
					end
					redis.call('DEL', KEYS[i])
					redis.call('HDEL', KEYS[4], id)
					redis.call('ZREM', KEYS[1], id)
					forgotten = 1
				end
				gone[i - 4] = forgotten
			end
			return gone
			""");

	/**
	 * Remove a question that is gone from its places. Keys: question, places, open,
	 * approved, claimed, and what else has its id. Arguments: id, the fingerprint with
	 * which it was asked.
	 */
	static final RedisScript<Long> LEAVE = RedisScript.of("""
			if redis.call('EXISTS', KEYS[1]) == 1 then
				return 0
			end
			redis.call('HDEL', KEYS[2], ARGV[1])
			for i = 3, 5 do
				if redis.call('HGET', KEYS[i], ARGV[2]) == ARGV[1] then
					redis.call('HDEL', KEYS[i], ARGV[2])
				end
			end
			for i = 6, #KEYS do
				redis.call('ZREM', KEYS[i], ARGV[1])
			end
			return 1
			""", Long.class);

	private RedisApprovalScripts() {
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	static RedisScript<List<Object>> list(String script) {
		return (RedisScript) RedisScript.of(script, List.class);
	}

}
