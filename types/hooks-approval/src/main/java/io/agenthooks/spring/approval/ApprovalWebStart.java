package io.agenthooks.spring.approval;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.agenthooks.spring.web.InvalidEndpointException;

/** Refuses to start where everybody could decide about calls. */
final class ApprovalWebStart implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ApprovalWebStart.class);

	private final ApprovalWeb web;

	private final boolean secured;

	ApprovalWebStart(ApprovalWeb web, boolean secured) {
		this.web = web;
		this.secured = secured;
	}

	@Override
	public void afterSingletonsInstantiated() {
		String path = this.web.path();
		if (this.secured) {
			logger.info("People decide about calls at {}", path);
			return;
		}
		if (!this.web.insecure()) {
			throw new InvalidEndpointException(
					"Everybody could decide about calls at '%s': Spring Security is missing, switched off, or has its filter chains from elsewhere than beans."
						.formatted(path),
					"Add 'spring-boot-starter-security' and do not exclude its auto-configuration. If nobody else can "
							+ "reach the application, set 'hooks.approval.insecure' to true.");
		}
		logger.warn("Everybody who reaches the application decides about calls at {}, because "
				+ "'hooks.approval.insecure' is true", path);
	}

}
