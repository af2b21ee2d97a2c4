package io.agenthooks.spring.mcp;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpRequestHandler;
import io.modelcontextprotocol.server.McpStatelessRequestHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.ReactiveCaller;

/**
 * Takes hidden tools out of what a server lists. Its one handler of {@code tools/list} is
 * looked for behind its transport and replaced.
 */
final class ToolLists {

	/** The most fields between the transport and the handlers. */
	private static final int MAX_DEPTH = 4;

	private ToolLists() {
	}

	static boolean hide(Object server, McpToolHooks hooks, boolean mayWait) {
		Map<String, Object> handlers = handlersOf(server);
		if (handlers == null) {
			return false;
		}
		handlers.computeIfPresent(McpSchema.METHOD_TOOLS_LIST, (method, handler) -> wrap(handler, hooks, mayWait));
		return true;
	}

	static boolean isHiding(Object server) {
		Map<String, Object> handlers = handlersOf(server);
		return handlers != null && (!handlers.containsKey(McpSchema.METHOD_TOOLS_LIST)
				|| handlers.get(McpSchema.METHOD_TOOLS_LIST) instanceof Guarded);
	}

	private static Object wrap(Object handler, McpToolHooks hooks, boolean mayWait) {
		if (handler instanceof Guarded) {
			return handler;
		}
		return (handler instanceof McpRequestHandler<?> own) ? new OfSession(own, hooks, mayWait)
				: new Stateless((McpStatelessRequestHandler<?>) handler, hooks, mayWait);
	}

	private static @Nullable Map<String, Object> handlersOf(Object server) {
		Field transport = ReflectionUtils.findField(server.getClass(), "mcpTransportProvider");
		Object provider = (transport != null) ? read(transport, server) : null;
		return (provider != null)
				? search(List.of(provider), Collections.newSetFromMap(new IdentityHashMap<>()), MAX_DEPTH) : null;
	}

	@SuppressWarnings("unchecked")
	private static @Nullable Map<String, Object> search(List<Object> objects, Set<Object> seen, int depth) {
		List<Object> next = new ArrayList<>();
		for (Object given : objects) {
			Object target = AopProxyUtils.getSingletonTarget(given);
			Object object = (target != null) ? target : given;
			if (object instanceof Map<?, ?> map) {
				if (isHandlers(map)) {
					return (Map<String, Object>) map;
				}
			}
			else if (isLookedAt(object.getClass()) && seen.add(object)) {
				addFields(object, next);
			}
		}
		return (next.isEmpty() || depth == 0) ? null : search(next, seen, depth - 1);
	}

	private static boolean isHandlers(Map<?, ?> map) {
		return !map.isEmpty() && map.keySet().stream().allMatch(String.class::isInstance)
				&& map.containsKey(McpSchema.METHOD_PING)
				&& map.values()
					.stream()
					.allMatch((handler) -> handler instanceof McpRequestHandler<?>
							|| handler instanceof McpStatelessRequestHandler<?> || handler instanceof Guarded);
	}

	/** Not what a library or Java has: only transports, and what the server gave them. */
	private static boolean isLookedAt(Class<?> type) {
		return !type.getName().startsWith("java.") && !type.getName().startsWith("reactor.") && !type.isArray()
				&& !type.isEnum() && !ReflectionUtils.class.getPackageName().equals(type.getPackageName());
	}

	private static void addFields(Object object, List<Object> found) {
		for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				Object value = (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) ? null
						: read(field, object);
				if (value != null) {
					found.add(value);
				}
			}
		}
	}

	private static @Nullable Object read(Field field, Object object) {
		try {
			ReflectionUtils.makeAccessible(field);
			return ReflectionUtils.getField(field, object);
		}
		catch (RuntimeException ex) {
			// Of a module that is closed.
			return null;
		}
	}

	private sealed interface Guarded {

		McpToolHooks hooks();

		boolean mayWait();

		default Mono<Object> list(Mono<?> listed, @Nullable Object exchange, @Nullable Object params) {
			McpToolHooks hooks = hooks();
			if (!hooks.isHiding()) {
				return listed.cast(Object.class);
			}
			CurrentUser user = hooks.user();
			return Mono.defer(() -> {
				// Before anything can lead to another thread.
				Login ofThread = user.ofThread();
				return ReactiveCaller.of(user).flatMap((login) -> {
					Login known = login.or(() -> ofThread);
					Mono<Object> result = listed.map((list) -> offer(list, exchange, params, known));
					return (mayWait()) ? result : result.subscribeOn(Schedulers.boundedElastic());
				});
			});
		}

		private Object offer(Object listed, @Nullable Object exchange, @Nullable Object params, Login login) {
			ListToolsResult result = (ListToolsResult) Objects.requireNonNull(listed);
			Map<String, Object> meta = (params instanceof Map<?, ?> given
					&& given.get(McpCaller.META) instanceof Map<?, ?> sent) ? textKeys(sent) : null;
			return new ListToolsResult(hooks().offered(result.tools(), McpCaller.of(exchange), meta, login),
					result.nextCursor(), result.meta());
		}

		@SuppressWarnings("unchecked") // it is read from JSON
		private static Map<String, Object> textKeys(Map<?, ?> sent) {
			return (Map<String, Object>) sent;
		}

	}

	private record OfSession(McpRequestHandler<?> handler, McpToolHooks hooks,
			boolean mayWait) implements Guarded, McpRequestHandler<Object> {

		@Override
		public Mono<Object> handle(McpAsyncServerExchange exchange, Object params) {
			return list(this.handler.handle(exchange, params), exchange, params);
		}

	}

	private record Stateless(McpStatelessRequestHandler<?> handler, McpToolHooks hooks,
			boolean mayWait) implements Guarded, McpStatelessRequestHandler<Object> {

		@Override
		public Mono<Object> handle(McpTransportContext context, Object params) {
			return list(this.handler.handle(context, params), context, params);
		}

	}

}
