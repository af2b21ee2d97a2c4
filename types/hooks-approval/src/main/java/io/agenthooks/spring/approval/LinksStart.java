package io.agenthooks.spring.approval;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.agenthooks.spring.web.InvalidEndpointException;

/** Refuses to start where links would want a login. */
final class LinksStart implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LinksStart.class);

	private final ApprovalWeb web;

	private final boolean open;

	LinksStart(ApprovalWeb web, boolean open) {
		this.web = web;
		this.open = open;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.open) {
			throw new InvalidEndpointException(
					"Links to questions at '%s' would want a login: no bean says what Spring Security protects, so it protects every path."
						.formatted(this.web.linkPrefix()),
					"Write a bean with the filter chain of your application (SecurityFilterChain, or in WebFlux "
							+ "SecurityWebFilterChain), or remove 'hooks.approval.links'.");
		}
		logger.info("Links to questions work without a login at {}", this.web.linkPrefix());
	}

}
