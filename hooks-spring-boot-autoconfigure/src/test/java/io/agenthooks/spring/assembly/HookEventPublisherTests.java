package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.StaticApplicationContext;

import io.agenthooks.chain.HookAround;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HookEventPublisher}: it publishes if anybody would hear, and only
 * then.
 */
class HookEventPublisherTests {

	private static final ToolCallEvent EVENT = new ToolCallEvent.Started(ToolCall.of("t", Map.of()));

	@Test
	void nobodyListensInAnApplicationWithoutListeners() {
		assertThat(isHeardIn((context) -> {
		})).isFalse();
	}

	@Test
	void nobodyListensIfAllHearSomethingElse() {
		assertThat(isHeardIn((context) -> {
			context.registerBean(Others.class);
			context.registerBean(ClosedListener.class);
			context.registerBean("lazy", ClosedListener.class, (definition) -> definition.setLazyInit(true));
		})).isFalse();
	}

	@Test
	void methodsListenToOneEventToAllOrToAnything() {
		assertThat(isHeardIn((context) -> context.registerBean(DeniedMethod.class))).isTrue();
		assertThat(isHeardIn((context) -> context.registerBean(EndedMethod.class))).isTrue();
		assertThat(isHeardIn((context) -> context.registerBean(ObjectMethod.class))).isTrue();
		assertThat(isHeardIn((context) -> context.registerBean(PayloadMethod.class))).isTrue();
	}

	@Test
	void listenersListenToPayloadsOrToEverything() {
		assertThat(isHeardIn((context) -> context.registerBean(PayloadListener.class))).isTrue();
		assertThat(isHeardIn((context) -> context.registerBean(EveryListener.class))).isTrue();
		assertThat(isHeardIn((context) -> context.registerBean("raw", ApplicationListener.class, () -> (event) -> {
		}))).isTrue();
	}

	@Test
	void listenerThatIsMadeWhenItIsNeededListens() {
		assertThat(isHeardIn((context) -> context.registerBean("lazy", PayloadListener.class,
				(definition) -> definition.setLazyInit(true))))
			.isTrue();
		assertThat(isHeardIn((context) -> context.registerBean("prototype", PayloadListener.class,
				(definition) -> definition.setScope("prototype"))))
			.isTrue();
	}

	@Test
	void whoComesLaterListensAndWhoGoesDoesNot() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Others.class)) {
			HookEventPublisher<ToolCallEvent> publisher = new HookEventPublisher.ToolCalls(context, HookAround.NOTHING);
			assertThat(publisher.isListening()).isFalse();
			PayloadListener late = new PayloadListener();
			context.addApplicationListener(late);
			assertThat(publisher.isListening()).isTrue();
			publisher.onEvent(EVENT);
			assertThat(late.heard).containsExactly(EVENT);
			context.removeApplicationListener(late);
			assertThat(publisher.isListening()).isFalse();
		}
	}

	@Test
	void listenersOfAParentListen() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
				AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
			parent.registerBean(EndedMethod.class);
			parent.refresh();
			child.setParent(parent);
			child.refresh();
			assertThat(new HookEventPublisher.ToolCalls(child, HookAround.NOTHING).isListening()).isTrue();
		}
	}

	@Test
	void anotherWayToReachListenersIsAlwaysUsed() {
		assertThat(isHeardIn((context) -> context
			.registerBean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, OwnMulticaster.class)))
			.isTrue();
	}

	@Test
	void nothingIsPublishedOnceTheContextIsClosed() {
		StaticApplicationContext context = new StaticApplicationContext();
		PayloadListener listener = new PayloadListener();
		context.addApplicationListener(listener);
		context.refresh();
		context.close();
		new HookEventPublisher.ToolCalls(context, HookAround.NOTHING).onEvent(EVENT);
		assertThat(listener.heard).isEmpty();
	}

	private static boolean isHeardIn(Consumer<GenericApplicationContext> beans) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			beans.accept(context);
			context.refresh();
			return new HookEventPublisher.ToolCalls(context, HookAround.NOTHING).isListening();
		}
	}

	static class Others {

		@EventListener
		void hear(ContextClosedEvent event) {
		}

		@EventListener
		void hear(String event) {
		}

	}

	static class ClosedListener implements ApplicationListener<ContextClosedEvent> {

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
		}

	}

	static class DeniedMethod {

		@EventListener
		void hear(ToolCallEvent.Denied event) {
		}

	}

	static class EndedMethod {

		@EventListener
		void hear(ToolCallEvent.Ended event) {
		}

	}

	static class ObjectMethod {

		@EventListener
		void hear(Object event) {
		}

	}

	static class PayloadMethod {

		@EventListener
		void hear(PayloadApplicationEvent<ToolCallEvent.Started> event) {
		}

	}

	static class PayloadListener implements ApplicationListener<PayloadApplicationEvent<ToolCallEvent.Started>> {

		private final List<ToolCallEvent> heard = new ArrayList<>();

		@Override
		public void onApplicationEvent(PayloadApplicationEvent<ToolCallEvent.Started> event) {
			this.heard.add(event.getPayload());
		}

	}

	static class EveryListener implements ApplicationListener<ApplicationEvent> {

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
		}

	}

	static class OwnMulticaster extends SimpleApplicationEventMulticaster {

	}

}
