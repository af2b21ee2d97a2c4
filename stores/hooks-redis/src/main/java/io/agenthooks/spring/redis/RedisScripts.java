package io.agenthooks.spring.redis;

import java.util.List;
import java.util.Objects;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs scripts in Redis about the keys of a hook. They have the same hash tag, so that
 * they lie on one node of a cluster.
 *
 * @since 0.1.0
 */
public final class RedisScripts {

	private final StringRedisTemplate template;

	private final String prefix;

	/**
	 * Create it.
	 * @param template asks Redis
	 * @param keyPrefix what the keys of all nodes of the application start with
	 * @param entry tells the keys of the hook from those of others
	 */
	public RedisScripts(StringRedisTemplate template, String keyPrefix, String entry) {
		this.template = template;
		this.prefix = "{" + keyPrefix + ":" + entry + "}:";
	}

	/**
	 * Run a script. The interruption of a thread must not keep it from giving a place
	 * back: Lettuce refuses such a thread. In a transaction of the application, Spring
	 * binds a connection to the factory, whose commands run only when the transaction
	 * ends; so that is put aside.
	 * @param script the script
	 * @param keys the keys, without what all start with
	 * @param arguments its arguments
	 * @return its answer
	 */
	public List<String> run(RedisScript<List<Object>> script, List<String> keys, List<String> arguments) {
		RedisConnectionFactory factory = this.template.getRequiredConnectionFactory();
		boolean interrupted = Thread.interrupted();
		Object bound = TransactionSynchronizationManager.unbindResourceIfPossible(factory);
		try {
			List<Object> answer = this.template.execute(script, keys.stream().map(this::name).toList(),
					arguments.toArray());
			return Objects.requireNonNull(answer).stream().map(String::valueOf).toList();
		}
		finally {
			if (bound != null) {
				TransactionSynchronizationManager.bindResource(factory, bound);
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	String name(String key) {
		return this.prefix + key;
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	public static RedisScript<List<Object>> list(String script) {
		return (RedisScript) RedisScript.of(script, List.class);
	}

}
