package io.agenthooks.sample;

import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.agenthooks.SafeText;
import io.agenthooks.spring.annotation.Arg;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.spring.annotation.OnToolError;
import io.agenthooks.toolcall.ToolOutcome;

/** Hooks as methods: {@code false} denies. */
@Component
class MailRules {

	private static final Logger logger = LoggerFactory.getLogger(MailRules.class);

	@BeforeToolCall(tools = "send_email", name = "mail-has-subject", order = 10)
	boolean hasSubject(@Arg Optional<String> subject) {
		return subject.isPresent() && !subject.get().isBlank();
	}

	@OnToolError(tools = "send_email")
	void warn(ToolOutcome outcome) {
		logger.warn("The e-mail of the call '{}' was not sent", SafeText.name(outcome.requested().id()));
	}

}
