package io.agenthooks.spring.alert;

import java.time.Clock;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.EntryOption;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ConditionalOnHookType;
import io.agenthooks.spring.expression.MissingLanguage;
import io.agenthooks.spring.expression.OutcomeConditions;
import io.agenthooks.spring.external.WebhookSender;
import io.agenthooks.spring.external.WebhookSenders;
import io.agenthooks.spring.external.WebhookTarget;
import io.agenthooks.toolcall.ToolHook;

/**
 * Adds the type {@code alert}, which notifies people of how calls ended.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnHookType("alert")
public final class AlertHooksAutoConfiguration {

	@Bean
	AlertEvents hooksAlertEvents(ApplicationEventPublisher publisher) {
		return new AlertEvents(publisher);
	}

	@Bean
	AlertTimer hooksAlertTimer() {
		return new AlertTimer();
	}

	@Bean
	ExpiredQuestions hooksExpiredQuestions(ObjectProvider<ToolHooks> hooks) {
		return new ExpiredQuestions(hooks);
	}

	@Bean
	@ConditionalOnMissingBean(name = "alertToolHookFactory")
	ToolHookFactory<AlertConfig> alertToolHookFactory(AlertEvents events, AlertTimer timer,
			ObjectProvider<OutcomeConditions> conditions, ObjectProvider<WebhookSenders> senders,
			ObjectProvider<Clock> clocks, ExpiredQuestions expired) {
		return new Factory(events, timer, conditions, senders, clocks, expired);
	}

	/** These hooks wait for nothing, so no entry of them has a {@code timeout}. */
	private record Factory(AlertEvents events, AlertTimer timer, ObjectProvider<OutcomeConditions> conditions,
			ObjectProvider<WebhookSenders> senders, ObjectProvider<Clock> clocks,
			ExpiredQuestions expired) implements ToolHookFactory<AlertConfig> {

		@Override
		public String type() {
			return "alert";
		}

		@Override
		public Class<AlertConfig> configType() {
			return AlertConfig.class;
		}

		@Override
		public Set<EntryOption> takenOver() {
			return Set.of(EntryOption.TIMEOUT);
		}

		@Override
		public ToolHook create(String name, AlertConfig config) {
			OutcomeConditions reader = this.conditions.getIfAvailable(() -> (option, text) -> {
				throw MissingLanguage.of(option);
			});
			AlertSettings settings = AlertSettings.of(config, reader);
			Clock clock = this.clocks.getIfUnique(Clock::systemUTC);
			AlertToolHook hook = new AlertToolHook(name, settings, clock, System::nanoTime, this.events, this.timer,
					sender(name, settings.target()));
			this.expired.add(hook);
			return hook;
		}

		private @Nullable WebhookSender sender(String name, @Nullable WebhookTarget target) {
			if (target == null) {
				return null;
			}
			WebhookSenders webhooks = this.senders.getIfAvailable();
			if (webhooks == null) {
				throw problem("webhook", "No HTTP client is available to post alerts.",
						"Add the dependency io.agenthooks:hooks-webhook with the WebClient that it brings, or remove 'webhook'.");
			}
			return webhooks.open(name, "Alert '%s'".formatted(name), target);
		}

		private static InvalidHookConfigException problem(String option, String message, String action) {
			return new InvalidHookConfigException(List.of(new Problem(List.of(option), message, action)));
		}

	}

}
