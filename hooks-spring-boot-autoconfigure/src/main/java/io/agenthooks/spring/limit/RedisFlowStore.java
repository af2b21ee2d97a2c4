package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.state.RedisScripts;
import io.agenthooks.spring.state.UnusableAnswerException;

/**
 * Keeps in Redis what sessions have read: what is known of each, and its notes by their
 * numbers. Notes expire before the rest does.
 */
final class RedisFlowStore implements FlowStore {

	/**
	 * Keys: the secret. Arguments: a new one.
	 */
	private static final RedisScript<List<Object>> SECRET = RedisScripts.list("""
			redis.call('SETNX', KEYS[1], ARGV[1])
			return { redis.call('GET', KEYS[1]) }
			""");

	/**
	 * Keys: the secret, the session, its notes. Arguments: the secret, whether the
	 * session begins, whether it goes on, its id if it begins, its id as known, how many
	 * notes are known, who has read untrusted data, who private data, a note or nothing,
	 * how many notes are kept at most, how many characters of them, how long they are
	 * kept and how long the session, both in milliseconds.
	 */
	private static final RedisScript<List<Object>> EXCHANGE = RedisScripts.list("""
			local begins, goesOn, id, known = ARGV[2] == '1', ARGV[3] == '1', ARGV[4], ARGV[5]
			local after, note = tonumber(ARGV[6]), ARGV[9]
			local function join(before, now)
				if before == '' or now == '' then
					return before .. now
				end
				return before == now and before or '*'
			end
			local common = redis.call('GET', KEYS[1])
			if common and common ~= ARGV[1] then
				return { 'other' }
			end
			local found = redis.call('HMGET', KEYS[2], 'born', 'count', 'size', 'untrusted', 'secret')
			local born, count, size, untrusted, secret = found[1], 0, 0, '', ''
			if born then
				count, size, untrusted, secret = tonumber(found[2]), tonumber(found[3]), found[4], found[5]
				if known ~= '' and known ~= born then
					after, untrusted, secret = 0, '*', '*'
				end
			elseif begins then
				redis.call('DEL', KEYS[3])
				born, after = id, 0
				if goesOn or known ~= '' then
					untrusted, secret = '*', '*'
				end
			else
				return { 'none' }
			end
			untrusted, secret = join(untrusted, ARGV[7]), join(secret, ARGV[8])
			local answer = { 'known', born, '', untrusted, secret }
			for i = after + 1, count do
				local kept = redis.call('HGET', KEYS[3], i)
				if kept then
					answer[#answer + 1] = tostring(i)
					answer[#answer + 1] = kept
				end
			end
			if begins then
				if not common then
					redis.call('SET', KEYS[1], ARGV[1])
				end
				if note ~= '' and count < tonumber(ARGV[10]) and size + #note <= tonumber(ARGV[11]) then
					count, size = count + 1, size + #note
					redis.call('HSET', KEYS[3], count, note)
				end
				redis.call('HMSET', KEYS[2], 'born', born, 'count', count, 'size', size, 'untrusted', untrusted,
					'secret', secret)
				redis.call('PEXPIRE', KEYS[2], ARGV[13])
				redis.call('PEXPIRE', KEYS[3], ARGV[12])
			end
			answer[3] = tostring(count)
			return answer
			""");

	private static final int HEAD = 5;

	private final RedisScripts scripts;

	private final String secret;

	/**
	 * Create a store.
	 * @param keyPrefix what the keys of all nodes of the application start with
	 * @param rule tells these sessions from those of other rules
	 */
	RedisFlowStore(StringRedisTemplate template, String keyPrefix, String rule) {
		this.scripts = new RedisScripts(template, keyPrefix, rule);
		this.secret = this.scripts.run(SECRET, List.of("secret"), List.of(FlowTerms.newSecret())).get(0);
	}

	@Override
	public String secret() {
		return this.secret;
	}

	@Override
	public @Nullable Known exchange(String key, Sent sent) {
		List<String> answer = this.scripts.run(EXCHANGE, List.of("secret", "session:" + key, "notes:" + key),
				List.of(this.secret, flag(sent.begins()), flag(sent.goesOn()), sent.id(), sent.born(),
						String.valueOf(sent.after()), sent.untrusted(), sent.secret(),
						(sent.note() != null) ? sent.note() : "", String.valueOf(MAX_NOTES), String.valueOf(MAX_SIZE),
						String.valueOf(FlowTerms.NOTES.toMillis()), String.valueOf(FlowTerms.SESSIONS.toMillis())));
		return switch (answer.get(0)) {
			case "known" -> known(answer);
			case "none" -> null;
			case "other" -> throw FlowTerms.otherSecret();
			default -> throw new UnusableAnswerException("Redis answered wrongly");
		};
	}

	private static String flag(boolean value) {
		return (value) ? "1" : "0";
	}

	private static Known known(List<String> answer) {
		try {
			List<Note> notes = new ArrayList<>();
			for (int i = HEAD; i + 1 < answer.size(); i += 2) {
				notes.add(new Note(Integer.parseInt(answer.get(i)), answer.get(i + 1)));
			}
			return new Known(answer.get(1), Integer.parseInt(answer.get(2)), answer.get(3), answer.get(4), notes);
		}
		catch (NumberFormatException | IndexOutOfBoundsException ex) {
			throw new UnusableAnswerException("Redis answered wrongly");
		}
	}

}
