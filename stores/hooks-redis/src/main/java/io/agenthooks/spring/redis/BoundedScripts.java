package io.agenthooks.spring.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultScriptExecutor;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.agenthooks.spring.state.Deadline;

/**
 * Runs scripts by Lettuce and waits for each no longer than a time, whatever the timeout
 * of the client is, which other parts of the application may need as it is.
 *
 * @since 0.1.0
 */
public final class BoundedScripts extends DefaultScriptExecutor<String> {

	private final LettuceLink link;

	private final Duration timeout;

	private BoundedScripts(StringRedisTemplate template, LettuceLink link, Duration timeout) {
		super(template);
		this.link = link;
		this.timeout = timeout;
	}

	/**
	 * Make what makes templates, each of which waits for a script no longer than a time.
	 * All of them use one connection.
	 * @param factory makes the connection
	 * @return makes a template for a time
	 */
	public static Function<Duration, StringRedisTemplate> templates(LettuceConnectionFactory factory) {
		LettuceLink link = new LettuceLink(factory);
		return (timeout) -> {
			StringRedisTemplate template = new StringRedisTemplate(factory);
			template.setScriptExecutor(new BoundedScripts(template, link, timeout));
			return template;
		};
	}

	@Override
	public <T extends @Nullable Object> T execute(RedisScript<T> script, RedisSerializer<?> argsSerializer,
			RedisSerializer<T> resultSerializer, List<String> keys, @Nullable Object... args) {
		byte[][] all = keysAndArgs(argsSerializer, keys, args);
		byte[][] names = Arrays.copyOf(all, keys.size());
		byte[][] values = Arrays.copyOfRange(all, keys.size(), all.length);
		ScriptOutputType type = LettuceConverters.toScriptOutputType(ReturnType.fromJavaType(script.getResultType()));
		return deserializeResult(resultSerializer, run(script, type, names, values));
	}

	private @Nullable Object run(RedisScript<?> script, ScriptOutputType type, byte[][] names, byte[][] values) {
		long deadline = Deadline.of(this.timeout);
		try {
			return this.link.<Object>use(names[0], deadline,
					(commands) -> commands.evalsha(script.getSha1(), type, names, values));
		}
		catch (RedisNoScriptException ex) {
			return this.link.<Object>use(names[0], deadline,
					(commands) -> commands.eval(script.getScriptAsString(), type, names, values));
		}
	}

}
