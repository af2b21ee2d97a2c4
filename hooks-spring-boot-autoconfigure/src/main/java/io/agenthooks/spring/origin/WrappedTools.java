package io.agenthooks.spring.origin;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.WrapsTool;
import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.arguments.TextsReadTwice;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Finds the tools behind a tool, as far as wrappers say what they wrap.
 *
 * @since 0.1.0
 * @see WrapsTool
 */
public final class WrappedTools {

	/** More than any wrapper has; one may wrap itself. */
	private static final int MAX_TOOLS = 1_000;

	private static final WarningThrottle warnings = new WarningThrottle(LoggerFactory.getLogger(WrappedTools.class));

	private WrappedTools() {
	}

	/**
	 * Find the tools in which a call may end.
	 * @param tool the tool
	 * @return the tools, each once: those that wrap nothing, and those that do not say
	 * what they wrap
	 */
	public static List<Object> behind(Object tool) {
		return behind(tool, (wrapper) -> null);
	}

	/**
	 * Find the tools in which a call may end. A proxy of Spring leads to its target.
	 * @param tool the tool
	 * @param known returns what a wrapper of a framework wraps, {@code null} for anything
	 * else
	 * @return the tools, as {@link #behind(Object)}
	 */
	public static List<Object> behind(Object tool, Function<Object, @Nullable Collection<?>> known) {
		Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		List<Object> ends = new ArrayList<>(1);
		Deque<Object> open = new ArrayDeque<>(List.of(tool));
		boolean isCircle = false;
		while (!open.isEmpty()) {
			Object next = open.remove();
			isCircle |= seen.contains(next);
			if (seen.add(next)) {
				Collection<?> wrapped = (seen.size() <= MAX_TOOLS) ? wrappedBy(next, known) : null;
				if (wrapped != null) {
					open.addAll(wrapped);
				}
				else {
					ends.add(next);
				}
			}
		}
		return (ends.isEmpty() && isCircle) ? List.of(tool) : ends;
	}

	private static @Nullable Collection<?> wrappedBy(Object tool, Function<Object, @Nullable Collection<?>> known) {
		Collection<?> wrapped = known.apply(tool);
		if (wrapped != null) {
			return wrapped;
		}
		Object target = AopProxyUtils.getSingletonTarget(tool);
		if (target != null) {
			return List.of(target);
		}
		return (tool instanceof WrapsTool wrapper) ? saidBy(wrapper) : null;
	}

	private static @Nullable Collection<?> saidBy(WrapsTool wrapper) {
		try {
			return List.copyOf(wrapper.wrappedTools());
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Say why a call must not reach a method that Spring AI calls: it has a rule that was
	 * not asked, or gets an argument as another one than hooks see.
	 * @param method the method
	 * @param owner the object whose method is called, or {@code null}
	 * @param call the call
	 * @param chain the chain
	 * @return the reason, or {@code null}
	 */
	public static @Nullable String objection(Method method, @Nullable Object owner, ToolCall call,
			ToolHookChain chain) {
		String unruled = ToolPolicies.objection(method, owner, call, chain);
		return (unruled != null || !TextsReadTwice.mayBeIn(call.arguments())) ? unruled
				: TextsReadTwice.objection(method, call.arguments());
	}

	/**
	 * Say why a call must not reach a tool behind which any method may be: some method of
	 * the application has a rule that was not asked, or an argument may be read twice.
	 * @param tool a tool that does not say what it wraps
	 * @param call the call
	 * @param chain the chain
	 * @return the reason, or {@code null}
	 */
	public static @Nullable String objection(Object tool, ToolCall call, ToolHookChain chain) {
		String unruled = ToolPolicies.objection(call, chain);
		String objection = (unruled != null) ? unruled : TextsReadTwice.objection(call.arguments());
		if (objection != null) {
			warnOf(tool);
		}
		return objection;
	}

	/**
	 * Say in the log that a call counts as one of an unknown tool.
	 * @param tool a tool that does not say what it wraps
	 */
	public static void warnOf(Object tool) {
		warnings.warn(("%s does not say whether it wraps other tools, so it counts as any of them for what denies, and "
				+ "as none for what allows. Let it implement %s, and return no tool if it wraps none.")
			.formatted(tool.getClass().getName(), WrapsTool.class.getName()));
	}

}
