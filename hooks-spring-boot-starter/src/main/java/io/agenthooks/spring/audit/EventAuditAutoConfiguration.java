package io.agenthooks.spring.audit;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Copies records to the {@link AuditEventRepository} if {@code hooks.audit.events} is
 * true.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = AuditAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.audit.AuditEventRepository")
@Conditional(AuditAutoConfiguration.OnAudit.class)
public final class EventAuditAutoConfiguration {

	@Bean
	AuditCopy hooksAuditEvents(ObjectProvider<AuditEventRepository> repositories) {
		return (sink) -> {
			AuditEventRepository repository = repositories.getIfUnique();
			if (repository == null) {
				throw new InvalidAuditException(
						"'hooks.audit.events' is true, but there is no AuditEventRepository bean, or there are several "
								+ "and none is @Primary.",
						"Declare one, such as an InMemoryAuditEventRepository, or remove the option.");
			}
			return new EventSink(sink, repository);
		};
	}

}
