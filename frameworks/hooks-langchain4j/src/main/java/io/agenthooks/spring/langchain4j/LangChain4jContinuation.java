package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.ResolvableType;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.RestoredContext;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;

/** Invokes the method of a bean again, with the same arguments. */
record LangChain4jContinuation(AiServiceGuard guard,
		ListableBeanFactory beanFactory) implements ConversationContinuation, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LangChain4jContinuation.class);

	/** The most hours that a stream takes. */
	private static final int PATIENCE = 1;

	@Override
	public String format() {
		return KeptTurn.FORMAT;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.guard.services().stream().filter(GuardedToolService::hasTools).forEach((service) -> {
			String objection = objectionTo(service);
			if (objection != null) {
				logger.warn("Turns that wait for people do not go on by themselves: {}", objection);
			}
		});
	}

	@Override
	public @Nullable String unusable() {
		List<GuardedToolService> services = this.guard.services();
		if (services.isEmpty()) {
			return "There is no bean of an AI service.";
		}
		List<String> objections = services.stream().flatMap((service) -> {
			String objection = objectionTo(service);
			return (objection != null) ? Stream.of(objection) : Stream.empty();
		}).distinct().toList();
		return (objections.size() < services.size()) ? null : String.join(" ", objections);
	}

	private @Nullable String objectionTo(GuardedToolService service) {
		String name = SafeText.name(service.type().getName());
		if (servicesOf(service.type().getName()).size() > 1) {
			return "There are several AI services '%s', and it is not known which one was asked.".formatted(name);
		}
		if (this.beanFactory.getBeanNamesForType(service.type()).length != 1) {
			return "The AI service '%s' is no bean, or there are several.".formatted(name);
		}
		return (service.hasMemory()) ? null : "The AI service '%s' has no chat memory.".formatted(name);
	}

	private List<GuardedToolService> servicesOf(@Nullable String name) {
		return this.guard.services().stream().filter((service) -> service.type().getName().equals(name)).toList();
	}

	private GuardedToolService serviceOf(SuspendedTurn turn) {
		return servicesOf(Objects.requireNonNull(turn.origin()).client()).get(0);
	}

	@Override
	public @Nullable String objection(SuspendedTurn turn, ApprovalRequest request) {
		Origin origin = Objects.requireNonNull(turn.origin());
		List<GuardedToolService> services = servicesOf(origin.client());
		if (services.isEmpty()) {
			return "There is no AI service '%s' here.".formatted(SafeText.name(String.valueOf(origin.client())));
		}
		GuardedToolService service = services.get(0);
		String objection = objectionTo(service);
		if (objection != null) {
			return objection;
		}
		KeptInvocation kept = KeptInvocation.read(origin);
		Method method = kept.of(service.type());
		if (method == null) {
			return "The AI service has no such method as the one that was invoked, or there are several.";
		}
		if (!isText(method)) {
			return "The method of the AI service gives something else than a String, a Result<String> or a TokenStream.";
		}
		if (!new ResumedMessages(new ResumedTurn(request, turn)).fits(service.memory(kept.memoryId(method)))) {
			return "The memory of the conversation has forgotten the calls.";
		}
		return (RestoredContext.isSame(request.context(), this.guard.customizers(), kept::parameters)) ? null
				: RestoredContext.OBJECTION;
	}

	private static boolean isText(Method method) {
		Class<?> type = method.getReturnType();
		return type == String.class || type == TokenStream.class || (type == Result.class
				&& ResolvableType.forMethodReturnType(method).getGeneric().resolve(Object.class) == String.class);
	}

	@Override
	public ResumableTools tools(SuspendedTurn turn) {
		GuardedToolService service = serviceOf(turn);
		return (call) -> {
			ResumableTool tool = ResumableTool.find(service, call, false);
			return (tool != null) ? tool.prepare(call) : null;
		};
	}

	@Override
	public String goOn(ResumedTurn turn) {
		GuardedToolService service = serviceOf(turn.turn());
		KeptInvocation kept = KeptInvocation.read(Objects.requireNonNull(turn.turn().origin()));
		Method method = Objects.requireNonNull(kept.of(service.type()));
		ChatMemory memory = service.memory(kept.memoryId(method));
		ResumedMessages messages = new ResumedMessages(turn).learned();
		if (!messages.putInto(memory)) {
			throw new IllegalStateException("The memory of the conversation has forgotten the calls");
		}
		if (service.returnsImmediately(messages.results())) {
			return messages.results()
				.stream()
				.map((result) -> ChatMessages.textOf(result.contents()))
				.collect(Collectors.joining("\n"));
		}
		CallContext context = turn.request().context();
		GoingOn goingOn = new GoingOn(service, kept.memoryId(method),
				(context != null) ? Login.GUEST.as(context) : Login.GUEST, messages.messages(), memory.messages());
		try {
			Object answer = goingOn.invoke(() -> invoke(method, kept.arguments().toArray(), service));
			return textOf(answer, goingOn);
		}
		finally {
			if (!goingOn.hasBegun()) {
				memory.set(goingOn.remembered());
			}
		}
	}

	private @Nullable Object invoke(Method method, Object[] arguments, GuardedToolService service) {
		Object bean = this.beanFactory.getBean(service.type());
		try {
			return AopUtils.invokeJoinpointUsingReflection(bean, method, arguments);
		}
		catch (Throwable ex) {
			throw failure(ex);
		}
	}

	private static RuntimeException failure(Throwable thrown) {
		if (thrown instanceof Error error) {
			throw error;
		}
		return (thrown instanceof RuntimeException failure) ? failure : new IllegalStateException(thrown);
	}

	private static String textOf(@Nullable Object answer, GoingOn goingOn) {
		Object text = (answer instanceof TokenStream stream) ? await(stream, goingOn)
				: (answer instanceof Result<?> result) ? result.content() : answer;
		return Objects.requireNonNullElse(text, "").toString();
	}

	private static @Nullable String await(TokenStream stream, GoingOn goingOn) {
		CompletableFuture<@Nullable String> answer = new CompletableFuture<>();
		stream.onPartialResponse((text) -> {
		})
			.onCompleteResponse((response) -> answer.complete(response.aiMessage().text()))
			.onError(answer::completeExceptionally)
			.start();
		try {
			return answer.get(PATIENCE, TimeUnit.HOURS);
		}
		catch (ExecutionException ex) {
			throw failure(Objects.requireNonNull(ex.getCause()));
		}
		catch (InterruptedException | TimeoutException ex) {
			goingOn.stop();
			throw new IllegalStateException(ex);
		}
	}

}
