package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.CallContext;
import io.agenthooks.spring.annotation.AnnotatedMethods.KnownBean;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.toolcall.ToolCall;

/**
 * A method of a bean that says something about a call before it is made: what it would
 * do, or the version of what it is about. It takes arguments of the call by their names,
 * the {@link ToolCall} or its {@link CallContext}.
 *
 * @since 0.1.0
 */
public final class CallMethod {

	private final String description;

	private final BeanMethod method;

	private final MethodParameters<ToolCall> parameters;

	private CallMethod(String description, BeanMethod method, MethodParameters<ToolCall> parameters) {
		this.description = description;
		this.method = method;
		this.parameters = parameters;
	}

	/**
	 * Find a method that the configuration names.
	 * @param beanFactory where the bean is, or in a parent of it
	 * @param written the name of the bean, a dot, and the name of the method
	 * @param use what it is for
	 * @param mistakes takes what is wrong, and what to write instead
	 * @return the method, or {@code null} if something is wrong
	 */
	public static @Nullable CallMethod find(ConfigurableListableBeanFactory beanFactory, String written, Use use,
			BiConsumer<String, String> mistakes) {
		int dot = written.lastIndexOf('.');
		if (dot < 1 || dot == written.length() - 1) {
			mistakes.accept("is '%s', which is no method of a bean".formatted(written),
					"Write the name of a bean, a dot and the name of a method, such as 'orders.preview'.");
			return null;
		}
		Map<String, KnownBean> beans = AnnotatedMethods.beans(beanFactory);
		KnownBean bean = beans.get(written.substring(0, dot));
		if (bean == null) {
			mistakes.accept("names the bean '%s', which there is not".formatted(written.substring(0, dot)),
					(Spelling.didYouMean(written.substring(0, dot), beans.keySet())
							+ "Write the name of a bean, a dot and the name of a method, such as 'orders.preview'.")
						.strip());
			return null;
		}
		return of(bean, written.substring(dot + 1), null, use, mistakes);
	}

	/** The names of arguments are {@code null} if not known. */
	static @Nullable CallMethod of(KnownBean bean, String name, @Nullable Set<String> arguments, Use use,
			BiConsumer<String, String> mistakes) {
		List<Method> named = methods(bean.type()).filter((method) -> method.getName().equals(name)).toList();
		if (named.size() != 1) {
			mistakes.accept(
					(named.isEmpty()) ? "names the method '%s', which %s does not have".formatted(name, type(bean))
							: "names the method '%s', of which %s has several".formatted(name, type(bean)),
					(named.isEmpty())
							? Spelling.meant(name,
									new LinkedHashSet<>(methods(bean.type()).map(Method::getName).toList()))
							: "Give the one that is meant a name of its own.");
			return null;
		}
		Method method = named.get(0);
		String mistake = mistakeOf(method, bean.type(), use);
		if (mistake != null) {
			mistakes.accept("names %s.%s, which %s".formatted(type(bean), name, mistake), use.action);
			return null;
		}
		MethodParameters<ToolCall> parameters = parameters(bean, method, arguments, mistakes);
		return (parameters != null) ? new CallMethod(type(bean) + "." + name,
				new BeanMethod(bean.factory(), bean.name(), method), parameters) : null;
	}

	private static String type(KnownBean bean) {
		return ClassUtils.getShortName(bean.type());
	}

	private static Stream<Method> methods(Class<?> type) {
		return Stream
			.concat(Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type, ReflectionUtils.USER_DECLARED_METHODS)),
					(type.isInterface()) ? ClassUtils.getAllInterfacesForClassAsSet(type)
						.stream()
						.flatMap((each) -> Stream.of(each.getMethods())) : Stream.empty())
			.distinct();
	}

	private static @Nullable String mistakeOf(Method method, Class<?> type, Use use) {
		if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
			return "is " + ((Modifier.isStatic(method.getModifiers())) ? "static" : "private");
		}
		if (PolicyMethod.isTool(method)) {
			return "is a tool itself, and may change something";
		}
		if (SuspendingMethods.contain(method)) {
			return "is a suspend function";
		}
		ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
		return (use.takes(returned)) ? null : "returns '%s'".formatted(returned);
	}

	private static @Nullable MethodParameters<ToolCall> parameters(KnownBean bean, Method method,
			@Nullable Set<String> arguments, BiConsumer<String, String> mistakes) {
		List<MethodParameters.Parameter<ToolCall>> parameters = new ArrayList<>();
		@Nullable String @Nullable [] names = ArgumentBinder.namesOf(method);
		for (int i = 0; i < method.getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method, i);
			ResolvableType type = ResolvableType.forMethodParameter(method, i, bean.type());
			MethodParameters.Parameter<ToolCall> given = MethodParameters.OF_CALL.stream()
				.filter((each) -> each.isOf(type.resolve()))
				.findFirst()
				.orElse(null);
			if (given == null) {
				String name = ArgumentBinder.nameOf(parameter.getParameterAnnotation(Arg.class),
						(names != null) ? names[i] : null);
				given = argument(bean, method, name, type, parameter.isOptional(), arguments, mistakes);
			}
			if (given == null) {
				return null;
			}
			parameters.add(given);
		}
		return new MethodParameters<>(parameters);
	}

	private static MethodParameters.@Nullable Parameter<ToolCall> argument(KnownBean bean, Method method,
			@Nullable String name, ResolvableType type, boolean optional, @Nullable Set<String> arguments,
			BiConsumer<String, String> mistakes) {
		String where = type(bean) + "." + method.getName();
		ArgumentBinder binder = new ArgumentBinder(Objects.requireNonNullElseGet(bean.factory().getConversionService(),
				ApplicationConversionService::getSharedInstance));
		if (name == null) {
			mistakes.accept("names %s, which has a parameter whose name is not known".formatted(where),
					"Write @Arg with the name of the argument before it, or compile with -parameters.");
			return null;
		}
		if (arguments != null && !arguments.contains(name)) {
			mistakes.accept("names %s, which takes '%s', and the tool has no such argument".formatted(where, name),
					(arguments.isEmpty()) ? "Take the ToolCall, or nothing." : Spelling.meant(name, arguments));
			return null;
		}
		if (!binder.isPossible(type)) {
			mistakes.accept("names %s, which takes '%s' as a '%s', which JSON cannot be converted to".formatted(where,
					name, type), "Take a text, number, boolean, enum, time, list, map or record, or the ToolCall.");
			return null;
		}
		boolean mayBeNull = optional && !type.resolve(Object.class).isPrimitive();
		return new MethodParameters.Parameter<>(type.resolve(Object.class),
				(call) -> binder.bind(call.arguments(), name, type, mayBeNull));
	}

	static @Nullable Set<String> argumentsOf(Method tool) {
		@Nullable String @Nullable [] names = ArgumentBinder.namesOf(tool);
		if (names == null) {
			return null;
		}
		Set<String> arguments = new LinkedHashSet<>();
		Parameter[] parameters = tool.getParameters();
		for (int i = 0; i < parameters.length; i++) {
			String name = names[i];
			if (name != null) {
				arguments.add(name);
			}
			PolicyMethod.givenName(parameters[i]).ifPresent(arguments::add);
		}
		return arguments;
	}

	/**
	 * Call the method.
	 * @param call the call that it says something about
	 * @return what it returns
	 * @throws IllegalArgumentException if the call lacks an argument, or it does not fit;
	 * otherwise whatever the method throws
	 */
	public @Nullable Object invoke(ToolCall call) {
		return this.method.invoke(this.parameters.arguments(call));
	}

	/**
	 * Make sure that the method can be called, as far as it is known without making its
	 * bean.
	 * @return the mistake, or {@code null} if there is none
	 */
	public @Nullable String mistake() {
		try {
			this.method.check();
			return null;
		}
		catch (IllegalStateException ex) {
			return "names %s, which a proxy before the bean does not have".formatted(this.description);
		}
	}

	/**
	 * Register what a native image needs to call the method, and to read what it takes
	 * and returns.
	 * @param hints where that is registered
	 */
	public void registerHints(RuntimeHints hints) {
		this.method.registerHints(hints);
	}

	@Override
	public String toString() {
		return this.description;
	}

	/**
	 * The meaning of what a method returns.
	 *
	 * @since 0.1.0
	 */
	public enum Use {

		/** The effect of a call. */
		PREVIEW("Name a method that changes nothing and returns a text, a number, a record, a map, or a list of these."),

		/** The version of what a call is about. */
		VERSION("Name a method that changes nothing and returns a text, a number, a time or a UUID.");

		private static final List<Class<?>> SIMPLE = List.of(CharSequence.class, Number.class, Boolean.class,
				Enum.class, TemporalAccessor.class, UUID.class);

		private final String action;

		Use(String action) {
			this.action = action;
		}

		private boolean takes(ResolvableType returned) {
			ResolvableType type = (returned.resolve() == Optional.class) ? returned.getGeneric() : returned;
			Class<?> raw = ClassUtils.resolvePrimitiveIfNecessary(type.resolve(Object.class));
			if (SIMPLE.stream().anyMatch((each) -> each.isAssignableFrom(raw))) {
				return true;
			}
			return this == PREVIEW && (raw == Object.class || raw.isRecord() || raw.isArray()
					|| Map.class.isAssignableFrom(raw) || Collection.class.isAssignableFrom(raw));
		}

	}

}
