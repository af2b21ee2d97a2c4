package io.agenthooks.spring.approval;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration.ApprovalConfigHolder;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.webhook.WebhookSender;
import io.agenthooks.spring.webhook.WebhookSenders;

/**
 * Notifies endpoints of questions if {@code hooks.approval.notify} is configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ApprovalLinksAutoConfiguration.class)
@Conditional(ApprovalNotifyAutoConfiguration.OnNotify.class)
public final class ApprovalNotifyAutoConfiguration {

	@Bean
	static LazyInitializationExcludeFilter approvalNotifyLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(ApprovalNotifier.class);
	}

	@Bean(destroyMethod = "close")
	ApprovalNotifier hooksApprovalNotifier(ApprovalConfigHolder holder, ObjectProvider<WebhookSenders> senders,
			ObjectProvider<ApprovalLinks> links, ObjectProvider<HookAroundProvider> counters,
			ResourceLoader resources) {
		WebhookSenders webhooks = senders.getIfAvailable();
		if (webhooks == null) {
			throw new InvalidApprovalException(
					"'hooks.approval.notify' is written, but spring-boot-starter-webclient is missing.",
					"Add it, or remove 'notify'.");
		}
		List<ApprovalNotifyConfig> configs = holder.config().notificationsOrNone();
		List<@Nullable NotifyTemplate> templates = new ArrayList<>();
		for (int i = 0; i < configs.size(); i++) {
			templates.add(template(placeOf(i), configs.get(i), resources));
		}
		List<NotifyTarget> targets = new ArrayList<>();
		for (int i = 0; i < configs.size(); i++) {
			String name = "approval-notify-" + i;
			WebhookSender sender = webhooks.open(name, "'%s'".formatted(placeOf(i)), configs.get(i).target());
			counters.orderedStream().forEach((counter) -> counter.join(name, sender));
			targets.add(new NotifyTarget(configs.get(i), templates.get(i), links.getIfAvailable(), sender));
		}
		return new ApprovalNotifier(targets);
	}

	private static String placeOf(int index) {
		return "hooks.approval.notify[%d]".formatted(index);
	}

	private static @Nullable NotifyTemplate template(String place, ApprovalNotifyConfig config,
			ResourceLoader resources) {
		if (config.template() == null) {
			return null;
		}
		String problem;
		try (InputStream file = resources.getResource(config.template()).getInputStream()) {
			return NotifyTemplate.read(file.readNBytes(NotifyTemplate.MAX_FILE + 1), config.formatOrDefault(),
					config.showsArguments(), config.as() != null);
		}
		catch (IOException ex) {
			problem = "cannot be read";
		}
		catch (IllegalArgumentException ex) {
			problem = String.valueOf(ex.getMessage());
		}
		throw new InvalidApprovalException("The file of '%s.template' %s.".formatted(place, problem),
				"Write a message as a JSON object, in UTF-8, whose texts may have placeholders such as {{tool}}.");
	}

	/**
	 * Whether endpoints are configured.
	 */
	static final class OnNotify extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			boolean on = false;
			if (context.getEnvironment() instanceof ConfigurableEnvironment environment) {
				HookPropertySources properties = HookPropertySources.of(environment);
				on = properties.isFeatureEnabled(ApprovalAutoConfiguration.FEATURE)
						&& properties.isWritten(ApprovalAutoConfiguration.FEATURE, "notify");
			}
			return new ConditionOutcome(on, ConditionMessage.of("hooks.approval.notify is written: " + on));
		}

	}

}
