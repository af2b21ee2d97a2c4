package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.annotation.Async;

import io.agenthooks.GlobMistake;
import io.agenthooks.NameKind;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolOutcome;

final class HookMethodReader {

	/** For a promised decision whose annotation does not say how long to wait. */
	static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

	/** More is a mistaken unit. The same limit as for an entry of the configuration. */
	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(5);

	private final List<AnnotatedMethodProblem> problems = new ArrayList<>();

	private final List<String> taken = new ArrayList<>();

	private final Map<String, String> preCall = new HashMap<>();

	private final Map<String, String> postCall = new HashMap<>();

	List<AnnotatedMethodProblem> problems() {
		return this.problems;
	}

	Optional<HookMethod> read(AnnotatedMethod found) {
		if (found.annotations().size() > 1) {
			problem(found,
					"is annotated several times, itself or where it is inherited from: " + found.annotations()
						.stream()
						.map((annotation) -> HookAnnotation.of(annotation.getType()).toString())
						.collect(Collectors.joining(", ")),
					"Write a method for each; to change what is inherited, annotate the method itself with the same.");
			return Optional.empty();
		}
		int before = this.problems.size();
		this.taken.clear();
		checkMethod(found);
		HookMethod hook = read(found, found.annotations().get(0));
		return (this.problems.size() == before) ? Optional.ofNullable(hook) : Optional.empty();
	}

	private void checkMethod(AnnotatedMethod found) {
		if (SuspendingMethods.contain(found.method()) && !SuspendingMethods.areSupported()) {
			problem(found, "is a suspend function, which cannot be called without Kotlin's coroutines for Reactor",
					"Add the dependencies org.jetbrains.kotlinx:kotlinx-coroutines-reactor and "
							+ "org.jetbrains.kotlin:kotlin-reflect.");
		}
		int modifiers = found.method().getModifiers();
		if (Modifier.isStatic(modifiers)) {
			problem(found, "is static", "Make it an instance method.");
		}
		else if (Modifier.isPrivate(modifiers)) {
			problem(found, "is private", "Make it public, protected or package-private.");
		}
		if (AnnotatedElementUtils.hasAnnotation(found.method(), Order.class)) {
			problem(found, "has an @Order, which does not count here",
					"Write the order into the annotation that makes it a hook.");
		}
	}

	private @Nullable HookMethod read(AnnotatedMethod found, MergedAnnotation<?> annotation) {
		HookAnnotation kind = HookAnnotation.of(annotation.getType());
		String name = readName(found, annotation.getString("name"), kind);
		HookOptions options = readTools(found, annotation.getStringArray("tools")).order(annotation.getInt("order"));
		BeanMethod method = new BeanMethod(found.beanFactory(), found.beanName(), found.method());
		return switch (kind) {
			case BEFORE_TOOL_CALL -> readBefore(found, annotation, name, options, method);
			case AFTER_TOOL_CALL -> readAfter(found, name, options, method);
			case ON_TOOL_ERROR -> readOnError(found, name, options, method);
		};
	}

	private String readName(AnnotatedMethod found, String name, HookAnnotation kind) {
		String readName = (name.isEmpty()) ? found.beanName() + "." + found.method().getName() : name;
		if (readName.isBlank()) {
			problem(found, "has a blank name", "Write a name, or leave it out.");
		}
		Map<String, String> names = (kind == HookAnnotation.BEFORE_TOOL_CALL) ? this.preCall : this.postCall;
		String other = names.putIfAbsent(readName, found.describe());
		if (other != null) {
			problem(found,
					"has the same name '%s' as %s".formatted(readName,
							(other.equals(found.describe())) ? "the same method of another bean" : other),
					"Give each a 'name' of its own.");
		}
		return readName;
	}

	private HookOptions readTools(AnnotatedMethod found, String[] tools) {
		int before = this.problems.size();
		for (String glob : tools) {
			GlobMistake mistake = GlobMistake.find(glob, NameKind.TOOL);
			if (mistake != null) {
				problem(found, "is for the tools '%s', which matches no tool".formatted(glob), (glob.contains("${"))
						? "Write globs of names; placeholders are not replaced here." : mistake.action());
			}
		}
		return (tools.length > 0 && this.problems.size() == before) ? HookOptions.defaults().match(tools)
				: HookOptions.defaults();
	}

	private @Nullable HookMethod readBefore(AnnotatedMethod found, MergedAnnotation<?> annotation, String name,
			HookOptions options, BeanMethod method) {
		MethodParameters<ToolCall> parameters = readParameters(found, HookAnnotation.BEFORE_TOOL_CALL,
				MethodParameters.OF_CALL, (call) -> call);
		Duration timeout = readTimeout(found, annotation.getString("timeout"));
		ReturnedDecision returned = ReturnedDecision.of(found.method(), found.beanClass());
		if (returned == null) {
			problem(found, "returns %s, which is not a decision".formatted(returned(found)),
					"Return a ToolDecision, a boolean, nothing, or a CompletionStage or Mono of a ToolDecision, a "
							+ "Boolean or Void.");
			return null;
		}
		if (!returned.isPromise() && isAsync(found)) {
			problem(found, "is @Async, so the call would go on before it has decided",
					"Return a CompletableFuture of the decision, or remove @Async.");
		}
		ToolDecision denial = ToolDecision.deny("'%s' does not allow this call".formatted(name));
		if (returned.isPromise()) {
			Duration limit = (timeout != null) ? timeout : DEFAULT_TIMEOUT;
			return hook(found,
					new AnnotatedPreToolHook(name, options.scope().tools(),
							denyingUnfit(name, parameters,
									(arguments) -> PreToolHook.async(limit,
											(call) -> returned.promisedDecision(method.invoke(arguments), denial)))),
					name, options.timeout(limit), true, method);
		}
		return hook(found,
				new AnnotatedPreToolHook(name, options.scope().tools(),
						direct(name, method, parameters, returned, denial)),
				name, (timeout != null) ? options.timeout(timeout) : options, false, method);
	}

	/** The chain knows what it means if the method returns {@code null}. */
	@SuppressWarnings("NullAway")
	private static PreToolHook direct(String name, BeanMethod method, MethodParameters<ToolCall> parameters,
			ReturnedDecision returned, ToolDecision denial) {
		return denyingUnfit(name, parameters,
				(arguments) -> (call) -> returned.decision(method.invoke(arguments), denial));
	}

	private static PreToolHook denyingUnfit(String name, MethodParameters<ToolCall> parameters,
			Function<@Nullable Object[], PreToolHook> hook) {
		return (call) -> {
			@Nullable Object[] arguments;
			try {
				arguments = parameters.arguments(call);
			}
			catch (UnfitArgumentException ex) {
				return ToolDecision.deny("'%s' does not allow this call: %s".formatted(name, ex.getMessage()));
			}
			return hook.apply(arguments).preCall(call);
		};
	}

	private @Nullable HookMethod readAfter(AnnotatedMethod found, String name, HookOptions options, BeanMethod method) {
		MethodParameters<ToolOutcome> parameters = readParameters(found, HookAnnotation.AFTER_TOOL_CALL,
				MethodParameters.OF_OUTCOME, ToolOutcome::effective);
		checkReturnsNothing(found);
		return hook(found, new AnnotatedPostToolHook(name, options.scope().tools(),
				(outcome) -> SuspendingMethods.await(method.invoke(parameters.arguments(outcome)), DEFAULT_TIMEOUT)),
				name, options, false, method);
	}

	private @Nullable HookMethod readOnError(AnnotatedMethod found, String name, HookOptions options,
			BeanMethod method) {
		MethodParameters<ToolOutcome> parameters = readParameters(found, HookAnnotation.ON_TOOL_ERROR,
				MethodParameters.OF_FAILURE, ToolOutcome::effective);
		checkReturnsNothing(found);
		Class<?> failure = parameterTypes(found).stream()
			.filter((type) -> type != null && Throwable.class.isAssignableFrom(type))
			.findFirst()
			.orElse(null);
		PostToolHook hook = (outcome) -> {
			if (outcome.status() == ToolCallStatus.FAILED
					&& (failure == null || failure.isInstance(outcome.failure()))) {
				SuspendingMethods.await(method.invoke(parameters.arguments(outcome)), DEFAULT_TIMEOUT);
			}
		};
		return hook(found, new AnnotatedPostToolHook(name, options.scope().tools(), hook), name, options, false,
				method);
	}

	private void checkReturnsNothing(AnnotatedMethod found) {
		if (SuspendingMethods.contain(found.method())) {
			String returned = SuspendingMethods.returned(found.method(), found.beanClass())
				.resolve(Object.class)
				.getName();
			if (!returned.equals("kotlin.Unit")) {
				problem(found, "returns '%s', which is ignored: the call is over".formatted(returned),
						"Return nothing.");
			}
		}
		else if (found.method().getReturnType() != void.class) {
			problem(found, "returns %s, which is ignored: the call is over".formatted(returned(found)),
					"Return nothing.");
		}
	}

	private <S> MethodParameters<S> readParameters(AnnotatedMethod found, HookAnnotation kind,
			List<MethodParameters.Parameter<S>> available, Function<S, ToolCall> callOf) {
		List<MethodParameters.Parameter<S>> parameters = new ArrayList<>();
		Set<MethodParameters.Parameter<S>> given = new HashSet<>();
		List<@Nullable Class<?>> types = parameterTypes(found);
		for (int i = 0; i < types.size(); i++) {
			Class<?> type = types.get(i);
			MethodParameter method = new MethodParameter(found.method(), i);
			if (method.hasParameterAnnotation(Arg.class)) {
				readArgument(found, method, callOf).ifPresent(parameters::add);
				continue;
			}
			Optional<MethodParameters.Parameter<S>> parameter = available.stream()
				.filter((each) -> each.isOf(type))
				.findFirst();
			if (parameter.isEmpty()) {
				problem(found,
						"takes a '%s', which %s does not give"
							.formatted(found.method().getGenericParameterTypes()[i].getTypeName(), kind),
						"It can take: %s, and arguments of the call with @Arg.".formatted(kind.parameters));
			}
			else if (!given.add(parameter.get())) {
				problem(found, "takes the same twice: '%s'".formatted(parameter.get().type().getSimpleName()),
						"Take it once.");
			}
			parameter.ifPresent(parameters::add);
		}
		return new MethodParameters<>(parameters);
	}

	private <S> Optional<MethodParameters.Parameter<S>> readArgument(AnnotatedMethod found, MethodParameter parameter,
			Function<S, ToolCall> callOf) {
		@Nullable String @Nullable [] names = ArgumentBinder.namesOf(found.method());
		String name = ArgumentBinder.nameOf(parameter.getParameterAnnotation(Arg.class),
				(names != null) ? names[parameter.getParameterIndex()] : null);
		ResolvableType type = ResolvableType.forMethodParameter(found.method(), parameter.getParameterIndex(),
				found.beanClass());
		ArgumentBinder binder = new ArgumentBinder(Objects.requireNonNullElseGet(
				found.beanFactory().getConversionService(), ApplicationConversionService::getSharedInstance));
		if (name == null) {
			problem(found, "takes an @Arg whose name is not known",
					"Write the name into the annotation, or compile with -parameters.");
			return Optional.empty();
		}
		boolean nullable = parameter.isOptional();
		if (nullable && type.resolve(Object.class).isPrimitive()) {
			nullable = false;
		}
		if (!binder.isPossible(type)) {
			problem(found, "takes the argument '%s' as a '%s', which JSON cannot be converted to".formatted(name, type),
					"Take a text, number, boolean, enum, time, list, map, record, or a type that a Converter bean of "
							+ "the application makes of a text.");
			return Optional.empty();
		}
		this.taken.add(name);
		boolean mayBeNull = nullable;
		return Optional.of(new MethodParameters.Parameter<>(type.resolve(Object.class),
				(source) -> binder.bind(callOf.apply(source).arguments(), name, type, mayBeNull)));
	}

	private static List<@Nullable Class<?>> parameterTypes(AnnotatedMethod found) {
		Method method = found.method();
		List<@Nullable Class<?>> types = new ArrayList<>();
		for (int i = 0; i < SuspendingMethods.parameterCount(method); i++) {
			types.add(ResolvableType.forMethodParameter(method, i, found.beanClass()).resolve());
		}
		return types;
	}

	private @Nullable Duration readTimeout(AnnotatedMethod found, String text) {
		if (text.isEmpty()) {
			return null;
		}
		Duration timeout = parse(text, found.beanFactory());
		if (timeout != null && !timeout.isNegative() && !timeout.isZero() && timeout.compareTo(MAX_TIMEOUT) <= 0) {
			return timeout;
		}
		problem(found,
				"has the timeout '%s', which is not a duration above zero and of at most five minutes".formatted(text),
				"Write a number and its unit, such as 2s or 750ms, or a placeholder for that.");
		return null;
	}

	private static @Nullable Duration parse(String text, ConfigurableListableBeanFactory beanFactory) {
		try {
			String duration = beanFactory.resolveEmbeddedValue(text);
			// A number alone means milliseconds to Spring Boot, seconds to an entry.
			return (duration != null && !duration.matches("\\d*")) ? DurationStyle.detectAndParse(duration) : null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

	private static boolean isAsync(AnnotatedMethod found) {
		return AnnotatedElementUtils.hasAnnotation(found.method(), Async.class)
				|| AnnotatedElementUtils.hasAnnotation(found.beanClass(), Async.class);
	}

	private static String returned(AnnotatedMethod found) {
		return "'%s'".formatted(found.method().getGenericReturnType().getTypeName());
	}

	private HookMethod hook(AnnotatedMethod found, ToolHook hook, String name, HookOptions options, boolean ownTimeout,
			BeanMethod method) {
		String origin = "method '%s.%s'".formatted(found.beanName(), found.method().getName());
		return new HookMethod(found.describe(),
				new AnnotatedToolHook(hook, name, options, ownTimeout, origin, List.copyOf(this.taken)), method);
	}

	private void problem(AnnotatedMethod found, String message, String action) {
		this.problems.add(new AnnotatedMethodProblem(found.describe(), message, action));
	}

}
