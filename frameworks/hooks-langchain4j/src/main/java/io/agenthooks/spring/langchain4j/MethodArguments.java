package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.agenthooks.spring.arguments.TextsReadTwice;
import io.agenthooks.spring.origin.WrappedTools;

/**
 * Checks the arguments of the methods behind tools. A text for a parameter of which
 * LangChain4j knows nothing, such as a {@code CharSequence}, is read as JSON.
 */
final class MethodArguments {

	private static final WrappedTools<ToolExecutor> wrappers = new WrappedTools<>(ToolExecutor.class,
			DefaultToolExecutor.class::isAssignableFrom, (type) -> false, GuardedInvocation.class::isAssignableFrom);

	private MethodArguments() {
	}

	/**
	 * The objection to arguments for the methods behind a tool: the one that they would
	 * get as another one than hooks see, or {@code null}.
	 */
	static @Nullable String objection(ToolExecutor executor, Map<String, ? extends @Nullable Object> arguments) {
		if (!TextsReadTwice.mayBeIn(arguments)) {
			return null;
		}
		List<ToolExecutor> found = (executor instanceof DefaultToolExecutor) ? List.of(executor)
				: wrappers.find(executor).tools();
		for (ToolExecutor tool : found) {
			String objection = objection(((DefaultToolExecutor) tool).originalMethod(), arguments);
			if (objection != null) {
				return objection;
			}
		}
		return null;
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

	/**
	 * Whether a text reaches a parameter as it is. Of one for a collection or a map
	 * LangChain4j makes JSON before it reads that.
	 */
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
