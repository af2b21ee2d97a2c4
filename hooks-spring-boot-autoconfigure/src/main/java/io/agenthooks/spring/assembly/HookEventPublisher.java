package io.agenthooks.spring.assembly;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

import io.agenthooks.HookListener;
import io.agenthooks.chain.HookAround;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmCallListener;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunListener;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallListener;

/**
 * Publishes what happens to calls as events of the application, until it is closed. To
 * publish one takes Spring longer than all else that the chain does, also without
 * listeners, so this looks for these, again whenever some have come or gone.
 */
abstract class HookEventPublisher<E> implements HookListener<E> {

	private final List<ResolvableType> events;

	private final ConfigurableApplicationContext context;

	private final HookAround bound;

	private volatile @Nullable Audience audience;

	HookEventPublisher(Class<E> event, ConfigurableApplicationContext context, HookAround bound) {
		this.events = kinds(event)
			.map((kind) -> ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, kind))
			.toList();
		this.context = context;
		this.bound = bound;
	}

	private static Stream<Class<?>> kinds(Class<?> event) {
		Class<?>[] kinds = event.getPermittedSubclasses();
		return (kinds != null) ? Stream.of(kinds).flatMap(HookEventPublisher::kinds) : Stream.of(event);
	}

	@Override
	public void onEvent(E event) {
		this.bound.tell(() -> publish(event));
	}

	private void publish(E event) {
		if (this.context.isActive()) {
			this.context.publishEvent(event);
		}
	}

	@Override
	public boolean isListening() {
		int size = countListeners();
		Audience audience = this.audience;
		if (audience == null || audience.size() != size) {
			audience = new Audience(size, isListening(this.context));
			this.audience = audience;
		}
		return audience.isListening();
	}

	private int countListeners() {
		int size = 0;
		ApplicationContext context = this.context;
		while (context instanceof AbstractApplicationContext counting) {
			size += counting.getApplicationListeners().size();
			context = counting.getParent();
		}
		return size;
	}

	/** A context that cannot be asked counts as one that listens. */
	private boolean isListening(@Nullable ApplicationContext context) {
		if (context == null) {
			return false;
		}
		if (!(context instanceof AbstractApplicationContext known) || !hasUsualMulticaster(known)) {
			return true;
		}
		Collection<ApplicationListener<?>> listeners = List.copyOf(known.getApplicationListeners());
		return listeners.stream().anyMatch(this::isListening) || hasListenerToBeMade(known)
				|| isListening(context.getParent());
	}

	/** Whether events reach the listeners that the context knows, and no others. */
	private static boolean hasUsualMulticaster(AbstractApplicationContext context) {
		String name = AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME;
		return context.getBeanFactory().containsLocalBean(name)
				&& context.getBeanFactory().getSingleton(name) instanceof SimpleApplicationEventMulticaster multicaster
				&& multicaster.getClass() == SimpleApplicationEventMulticaster.class;
	}

	private boolean isListening(ApplicationListener<?> listener) {
		GenericApplicationListener generic = (listener instanceof GenericApplicationListener able) ? able
				: new GenericApplicationListenerAdapter(listener);
		return this.events.stream().anyMatch(generic::supportsEventType);
	}

	/** Whether there is a listener that is made only when an event for it comes. */
	private boolean hasListenerToBeMade(AbstractApplicationContext context) {
		return Stream.of(context.getBeanFactory().getBeanNamesForType(ApplicationListener.class, true, false))
			.filter((name) -> !context.getBeanFactory().containsSingleton(name))
			.map((name) -> context.getBeanFactory().getType(name, false))
			.anyMatch(this::mayHear);
	}

	private boolean mayHear(@Nullable Class<?> listener) {
		ResolvableType event = ResolvableType.forClass(listener).as(ApplicationListener.class).getGeneric();
		return event.resolve() == null || this.events.stream().anyMatch(event::isAssignableFrom);
	}

	static final class ToolCalls extends HookEventPublisher<ToolCallEvent> implements ToolCallListener {

		ToolCalls(ConfigurableApplicationContext context, HookAround bound) {
			super(ToolCallEvent.class, context, bound);
		}

	}

	static final class LlmCalls extends HookEventPublisher<LlmCallEvent> implements LlmCallListener {

		LlmCalls(ConfigurableApplicationContext context, HookAround bound) {
			super(LlmCallEvent.class, context, bound);
		}

	}

	static final class Runs extends HookEventPublisher<RunEvent> implements RunListener {

		Runs(ConfigurableApplicationContext context, HookAround bound) {
			super(RunEvent.class, context, bound);
		}

	}

	private record Audience(int size, boolean isListening) {
	}

}
