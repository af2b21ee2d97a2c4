package io.agenthooks.spring.approval;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.assembly.ConditionalOnFeature;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.external.WebhookSender;
import io.agenthooks.spring.external.WebhookSenders;

/**
 * Notifies endpoints of questions if {@code hooks.approval.notify} is configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ApprovalLinksAutoConfiguration.class)
@ConditionalOnFeature(value = "approval", option = "notify")
public final class ApprovalNotifyAutoConfiguration {

	@Bean(destroyMethod = "close")
	ApprovalNotifier hooksApprovalNotifier(FeatureOptions<ApprovalConfig> options,
			ObjectProvider<WebhookSenders> senders, ObjectProvider<ApprovalLinks> links,
			ObjectProvider<HookCountsReader> counters) {
		WebhookSenders webhooks = senders.getIfAvailable();
		if (webhooks == null) {
			throw new InvalidApprovalException(
					"'hooks.approval.notify' is written, but no HTTP client is available to notify.",
					"Add the dependency io.agenthooks:hooks-webhook with the WebClient that it brings, or remove 'notify'.");
		}
		List<ApprovalNotifyConfig> configs = options.value().notificationsOrNone();
		List<NotifyTarget> targets = new ArrayList<>();
		for (int i = 0; i < configs.size(); i++) {
			String name = "approval-notify-" + i;
			WebhookSender sender = webhooks.open(name, "'%s'".formatted(placeOf(i)), configs.get(i).target());
			counters.orderedStream().forEach((counter) -> counter.join(name, sender));
			targets.add(new NotifyTarget(configs.get(i), links.getIfAvailable(), sender));
		}
		return new ApprovalNotifier(targets);
	}

	private static String placeOf(int index) {
		return "hooks.approval.notify[%d]".formatted(index);
	}

}
