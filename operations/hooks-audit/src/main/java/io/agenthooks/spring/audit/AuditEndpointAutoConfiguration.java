package io.agenthooks.spring.audit;

import java.time.Duration;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the endpoint of the audit to Spring Boot's actuator, where the application has it
 * and exposes the endpoint.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = AuditAutoConfiguration.class)
@ConditionalOnClass(
		name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
public final class AuditEndpointAutoConfiguration {

	/** A longer wait would be too long for a client. */
	private static final Duration REPORT_LIMIT = Duration.ofSeconds(30);

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(endpoint = ToolAuditEndpoint.class)
	@ConditionalOnBean(AuditReports.class)
	static class Available {

		@Bean
		ToolAuditEndpoint toolAuditEndpoint(AuditReports reports) {
			return new ToolAuditEndpoint(reports, REPORT_LIMIT);
		}

	}

}
