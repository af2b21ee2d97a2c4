package io.agenthooks.spring.autoconfigure;

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

import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallListener;

/**
 * Publishes what happens to calls as events of the application, for
 * {@code @EventListener} methods. Where events can no longer be published, as the
 * application is closed, nobody is left to hear them.
 * <p>
 * To publish an event takes Spring longer than all else that the chain does, also if
 * nobody hears it. So this finds out whether anybody would, anew whenever listeners have
 * come or gone.
 */
final class ToolCallEventPublisher implements ToolCallListener {

	/** The events as Spring publishes them. */
	private static final List<ResolvableType> EVENTS = kinds(ToolCallEvent.class)
		.map((event) -> ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, event))
		.toList();

	private final ConfigurableApplicationContext context;

	private volatile @Nullable Audience audience;

	ToolCallEventPublisher(ConfigurableApplicationContext context) {
		this.context = context;
	}

	private static Stream<Class<?>> kinds(Class<?> event) {
		Class<?>[] kinds = event.getPermittedSubclasses();
		return (kinds != null) ? Stream.of(kinds).flatMap(ToolCallEventPublisher::kinds) : Stream.of(event);
	}

	@Override
	public void onEvent(ToolCallEvent event) {
		if (this.context.isActive()) {
			this.context.publishEvent(event);
		}
	}

	@Override
	public boolean isListening() {
		int size = countListeners();
		Audience audience = this.audience;
		if (audience == null || audience.size() != size) {
			audience = new Audience(size, hears(this.context));
			this.audience = audience;
		}
		return audience.hears();
	}

	/**
	 * How many listeners the contexts know.
	 */
	private int countListeners() {
		int size = 0;
		ApplicationContext context = this.context;
		while (context instanceof AbstractApplicationContext counting) {
			size += counting.getApplicationListeners().size();
			context = counting.getParent();
		}
		return size;
	}

	/**
	 * Whether anybody in a context or its parents hears our events. Who cannot be asked
	 * may hear them.
	 */
	private static boolean hears(@Nullable ApplicationContext context) {
		if (context == null) {
			return false;
		}
		if (!(context instanceof AbstractApplicationContext known) || !hasUsualMulticaster(known)) {
			return true;
		}
		Collection<ApplicationListener<?>> listeners = List.copyOf(known.getApplicationListeners());
		return listeners.stream().anyMatch(ToolCallEventPublisher::hears) || hasListenerToBeMade(known)
				|| hears(context.getParent());
	}

	/**
	 * Whether events reach those listeners that the context knows, and no others.
	 */
	private static boolean hasUsualMulticaster(AbstractApplicationContext context) {
		String name = AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME;
		return context.getBeanFactory().containsLocalBean(name)
				&& context.getBeanFactory().getSingleton(name) instanceof SimpleApplicationEventMulticaster multicaster
				&& multicaster.getClass() == SimpleApplicationEventMulticaster.class;
	}

	private static boolean hears(ApplicationListener<?> listener) {
		GenericApplicationListener generic = (listener instanceof GenericApplicationListener able) ? able
				: new GenericApplicationListenerAdapter(listener);
		return EVENTS.stream().anyMatch(generic::supportsEventType);
	}

	/**
	 * Whether there is a listener that is made only when an event comes that it may hear.
	 */
	private static boolean hasListenerToBeMade(AbstractApplicationContext context) {
		return Stream.of(context.getBeanFactory().getBeanNamesForType(ApplicationListener.class, true, false))
			.filter((name) -> !context.getBeanFactory().containsSingleton(name))
			.map((name) -> context.getBeanFactory().getType(name, false))
			.anyMatch(ToolCallEventPublisher::mayHear);
	}

	private static boolean mayHear(@Nullable Class<?> listener) {
		ResolvableType event = ResolvableType.forClass(listener).as(ApplicationListener.class).getGeneric();
		return event.resolve() == null || EVENTS.stream().anyMatch(event::isAssignableFrom);
	}

	/**
	 * Who listens.
	 *
	 * @param size how many listeners there are, to whatever
	 * @param hears whether anybody hears our events
	 */
	private record Audience(int size, boolean hears) {
	}

}
