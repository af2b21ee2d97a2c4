package io.agenthooks.spring.autoconfigure;

import org.springframework.context.ConfigurableApplicationContext;

import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallListener;

/**
 * Publishes what happens to calls as events of the application, for
 * {@code @EventListener} methods. Where events can no longer be published, as the
 * application is closed, nobody is left to hear them.
 */
final class ToolCallEventPublisher implements ToolCallListener {

	private final ConfigurableApplicationContext context;

	ToolCallEventPublisher(ConfigurableApplicationContext context) {
		this.context = context;
	}

	@Override
	public void onEvent(ToolCallEvent event) {
		if (this.context.isActive()) {
			this.context.publishEvent(event);
		}
	}

}
