package io.agenthooks.spring.approval;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.agenthooks.Sha256;

/**
 * Runs scripts, in no transaction of the application, and knows the names of keys. All
 * have the same hash tag, so that they lie on one node of a cluster.
 */
final class RedisSteps {

	private final StringRedisTemplate template;

	private final String prefix;

	/**
	 * Create it.
	 * @param keyPrefix what the keys of all nodes of the application start with
	 */
	RedisSteps(RedisConnectionFactory factory, String keyPrefix) {
		this.template = new StringRedisTemplate(factory);
		this.prefix = "{" + keyPrefix + "}:";
	}

	RedisConnectionFactory factory() {
		return Objects.requireNonNull(this.template.getConnectionFactory());
	}

	/**
	 * Run a script. The interruption of a thread must not keep it from telling that
	 * nobody waits any more: Lettuce refuses such a thread. In a transaction of the
	 * application, Spring binds a connection to the factory, whose commands run only when
	 * the transaction ends; so that is put aside.
	 */
	<T> @Nullable T run(RedisScript<T> script, List<String> keys, String... arguments) {
		boolean interrupted = Thread.interrupted();
		Object bound = TransactionSynchronizationManager.unbindResourceIfPossible(factory());
		try {
			return this.template.execute(script, keys, (Object[]) arguments);
		}
		finally {
			if (bound != null) {
				TransactionSynchronizationManager.bindResource(factory(), bound);
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Run a script that answers a list. What is not there is an empty text.
	 */
	List<String> texts(RedisScript<List<Object>> script, List<String> keys, String... arguments) {
		return Objects.requireNonNull(run(script, keys, arguments)).stream().map(RedisSteps::text).toList();
	}

	static String text(@Nullable Object value) {
		return (value != null) ? value.toString() : "";
	}

	static String micros(Instant time) {
		return String.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, time));
	}

	String key(String name) {
		return this.prefix + name;
	}

	String question(String id) {
		return key("question:" + id);
	}

	List<String> questions(List<String> ids) {
		return ids.stream().map(this::question).toList();
	}

	String turn(String id) {
		return key("turn:" + id);
	}

	/**
	 * The questions of a session that wait.
	 */
	String session(ApprovalRequest request) {
		return key("session:" + Sha256.hex(request.sessionId()));
	}

	/**
	 * The questions of a session that are at no end.
	 */
	String ofSession(String session) {
		return key("of-session:" + Sha256.hex(session));
	}

	/**
	 * The questions of a run that are at no end.
	 */
	String ofRun(String run) {
		return key("of-run:" + Sha256.hex(run));
	}

	/**
	 * Some keys, and then all that hold questions at no end.
	 */
	List<String> withOpen(ApprovalRequest request, String... some) {
		List<String> all = new ArrayList<>(List.of(some));
		all.add(key("due"));
		all.add(ofSession(request.sessionId()));
		if (request.runId() != null) {
			all.add(ofRun(request.runId()));
		}
		return all;
	}

}
