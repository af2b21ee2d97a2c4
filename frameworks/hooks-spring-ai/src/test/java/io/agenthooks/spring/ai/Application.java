package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.SharedContexts;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * An application with Spring AI and the starter, as a test sees it while it runs.
 *
 * @param context its context
 * @param model its model
 * @param events what it publishes
 */
record Application(ApplicationContext context, ScriptedChatModel model, Events events) {

	/**
	 * All auto-configurations that an application with an actuator has.
	 */
	static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class,
				ChatClientAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
				ToolCallMetricsAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
				MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
				SimpleMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class))
			.withUserConfiguration(Beans.class);
	}

	static ApplicationContextRunner runner(PreToolHook hook) {
		return runner().withBean("hook", PreToolHook.class, () -> hook);
	}

	static void run(ApplicationContextRunner runner, Consumer<Application> test) {
		runner.run((context) -> test
			.accept(new Application(context, context.getBean(ScriptedChatModel.class), context.getBean(Events.class))));
	}

	/**
	 * An application that the tests of a class share. Its model and events know nothing
	 * of the test before.
	 */
	static Application shared(SharedContexts contexts, Object key, Supplier<ApplicationContextRunner> runner) {
		ApplicationContext context = contexts.get(key, runner);
		Application shared = new Application(context, context.getBean(ScriptedChatModel.class),
				context.getBean(Events.class));
		shared.model.forget();
		shared.events.forget();
		return shared;
	}

	/**
	 * The client that an application makes with the builder that is a bean.
	 */
	ChatClient client() {
		return this.context.getBean(ChatClient.Builder.class).build();
	}

	/**
	 * The model that the client asks: the scripted one, or one that leads to it.
	 */
	ChatModel chatModel() {
		return this.context.getBean(ChatModel.class);
	}

	List<ToolOutcome> outcomes() {
		return this.events.outcomes();
	}

	ToolOutcome outcome() {
		List<ToolOutcome> outcomes = outcomes();
		if (outcomes.size() != 1) {
			throw new AssertionError("Not one call but " + outcomes.size());
		}
		return outcomes.get(0);
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		ScriptedChatModel scriptedChatModel(ObjectProvider<ObservationRegistry> observations) {
			return new ScriptedChatModel(observations::getObject);
		}

		@Bean
		Events events() {
			return new Events();
		}

	}

	/**
	 * Keeps how calls ended: as events of the application, and as a post-call hook hears
	 * it.
	 */
	static class Events implements PostToolHook {

		private final List<ToolOutcome> heard = Collections.synchronizedList(new ArrayList<>());

		private final List<ToolOutcome> published = Collections.synchronizedList(new ArrayList<>());

		@EventListener
		void on(ToolCallEvent.Ended event) {
			this.published.add(event.outcome());
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			this.heard.add(outcome);
		}

		void forget() {
			this.heard.clear();
			this.published.clear();
		}

		List<ToolOutcome> outcomes() {
			if (!this.heard.equals(this.published)) {
				throw new AssertionError("Heard %s but published %s".formatted(this.heard, this.published));
			}
			return List.copyOf(this.published);
		}

	}

}
