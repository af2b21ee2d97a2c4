package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.arguments.TextsReadTwice;
import io.agenthooks.spring.origin.WrappedTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * A text for a parameter that LangChain4j does not know, such as a {@code CharSequence},
 * is read as JSON.
 */
final class MethodArguments {

	/** An executor does not tell its object. */
	private static final @Nullable Field OWNER = ownerField();

	private MethodArguments() {
	}

	private static @Nullable Field ownerField() {
		Field field = ReflectionUtils.findField(DefaultToolExecutor.class, "object");
		if (field != null) {
			ReflectionUtils.makeAccessible(field);
		}
		return field;
	}

	/**
	 * Objects to an argument that a method would get as another one than hooks see, and
	 * to a rule of it that no hook of the chain stands for. Behind a tool that does not
	 * say what it wraps may be any.
	 */
	static @Nullable String objection(ToolExecutor executor, ToolCall call, ToolHookChain chain) {
		String unruled = ToolPolicies.objection(executor);
		if (unruled != null) {
			return unruled;
		}
		for (Object end : WrappedTools.behind(executor)) {
			String objection = (end instanceof DefaultToolExecutor known)
					? objection(known.originalMethod(), ownerOf(known), call, chain)
					: (ToolOrigins.isKnown(end)) ? null : WrappedTools.objection(end, call, chain);
			if (objection != null) {
				return objection;
			}
		}
		return null;
	}

	private static @Nullable Object ownerOf(DefaultToolExecutor tool) {
		return (OWNER != null) ? ReflectionUtils.getField(OWNER, tool) : null;
	}

	private static @Nullable String objection(Method method, @Nullable Object owner, ToolCall call,
			ToolHookChain chain) {
		String unruled = ToolPolicies.objection(method, owner, call, chain);
		return (unruled != null || !TextsReadTwice.mayBeIn(call.arguments())) ? unruled
				: objection(method, call.arguments());
	}

	private static @Nullable String objection(Method method, Map<String, ? extends @Nullable Object> arguments) {
		for (Parameter parameter : method.getParameters()) {
			String objection = takesText(parameter.getParameterizedType()) ? null
					: TextsReadTwice.objection(nameOf(parameter), arguments);
			if (objection != null) {
				return objection;
			}
		}
		return null;
	}

	/** Of a text for a collection or a map LangChain4j makes JSON before it reads it. */
	private static boolean takesText(Type type) {
		if (type instanceof ParameterizedType generic) {
			return (generic.getRawType() == Optional.class) ? takesText(generic.getActualTypeArguments()[0])
					: takesText(generic.getRawType());
		}
		return type instanceof Class<?> raw
				&& (raw == String.class || Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw));
	}

	private static String nameOf(Parameter parameter) {
		P named = parameter.getAnnotation(P.class);
		return (named != null && StringUtils.hasText(named.name())) ? named.name() : parameter.getName();
	}

}
