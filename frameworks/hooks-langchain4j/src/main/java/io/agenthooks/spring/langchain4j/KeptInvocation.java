package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.memory.ChatMemoryService;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.CollectionUtils;

import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.KeptValue;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;

record KeptInvocation(String method, List<Object> arguments) {

	private static final String METHOD = "method";

	private static final String ARGUMENTS = "arguments";

	/** Characters, beside the conversation. */
	private static final int MAX_LENGTH = 100_000;

	private static final StrictJson strict = new StrictJson(1);

	static Origin originOf(String service, boolean inner, boolean known, InvocationContext invocation) {
		if (inner) {
			return new Origin(service, "", "The agent works inside of a tool of another.");
		}
		if (!CollectionUtils.isEmpty(invocation.managedParameters())) {
			return new Origin(service, "", "The agent works for a system of agents.");
		}
		if (!known) {
			return new Origin(service, "", "The AI service was made after the start, so it may be that of one user.");
		}
		List<Object> arguments = new ArrayList<>();
		for (Object argument : invocation.methodArguments()) {
			Object written = write(argument);
			if (written == null) {
				return new Origin(service, "",
						"Argument %d of its method is no text, truth value or whole number, so it is not kept."
							.formatted(arguments.size() + 1));
			}
			arguments.add(written);
		}
		Map<String, Object> members = new LinkedHashMap<>();
		members.put(METHOD, invocation.methodName());
		members.put(ARGUMENTS, arguments);
		String text = new String(StrictJson.write(members), StandardCharsets.US_ASCII);
		return (text.length() <= MAX_LENGTH) ? new Origin(service, text, null)
				: new Origin(service, "", "The arguments of its method are too long to be kept.");
	}

	/** Parameters for tools are an object, and what else can be kept is a text. */
	private static @Nullable Object write(@Nullable Object argument) {
		if (!(argument instanceof InvocationParameters parameters)) {
			return KeptValue.write(argument);
		}
		Map<String, Object> written = new LinkedHashMap<>();
		for (Map.Entry<String, Object> parameter : parameters.asMap().entrySet()) {
			String value = KeptValue.write(parameter.getValue());
			if (value == null) {
				return null;
			}
			written.put(parameter.getKey(), value);
		}
		return written;
	}

	static KeptInvocation read(Origin origin) {
		Map<String, @Nullable Object> members = strict.readObject(origin.request().getBytes(StandardCharsets.US_ASCII));
		List<Object> arguments = new ArrayList<>();
		if (members.get(ARGUMENTS) instanceof List<?> list) {
			list.forEach((argument) -> arguments.add(read(String.valueOf(argument), argument)));
		}
		return new KeptInvocation(String.valueOf(members.get(METHOD)), arguments);
	}

	private static Object read(String text, @Nullable Object argument) {
		if (!(argument instanceof Map<?, ?> map)) {
			return KeptValue.read(text);
		}
		Map<String, Object> parameters = new LinkedHashMap<>();
		map.forEach((name, value) -> parameters.put(String.valueOf(name), KeptValue.read(String.valueOf(value))));
		return InvocationParameters.from(parameters);
	}

	/** The method of a service; {@code null} if it has none, or several could be it. */
	@Nullable Method of(Class<?> service) {
		List<Method> found = Arrays.stream(service.getMethods())
			.filter((method) -> method.getName().equals(this.method) && Modifier.isAbstract(method.getModifiers()))
			.filter(this::takesArguments)
			.toList();
		return (found.size() == 1) ? found.get(0) : null;
	}

	private boolean takesArguments(Method method) {
		Class<?>[] types = method.getParameterTypes();
		return types.length == this.arguments.size() && IntStream.range(0, types.length)
			.allMatch((i) -> ClassUtils.isAssignableValue(types[i], this.arguments.get(i)));
	}

	Object memoryId(Method method) {
		Parameter[] parameters = method.getParameters();
		return IntStream.range(0, parameters.length)
			.filter((i) -> parameters[i].isAnnotationPresent(MemoryId.class))
			.mapToObj(this.arguments::get)
			.findFirst()
			.orElse(ChatMemoryService.DEFAULT);
	}

	Map<String, @Nullable Object> parameters() {
		Map<String, @Nullable Object> all = new LinkedHashMap<>();
		this.arguments.forEach((argument) -> {
			if (argument instanceof InvocationParameters parameters) {
				all.putAll(parameters.asMap());
			}
		});
		return all;
	}

	/** Nothing of the arguments. */
	@Override
	public String toString() {
		return "KeptInvocation[" + this.method + "]";
	}

}
