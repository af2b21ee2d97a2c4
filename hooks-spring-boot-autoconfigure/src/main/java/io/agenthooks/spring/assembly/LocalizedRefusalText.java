package io.agenthooks.spring.assembly;

import java.util.Locale;
import java.util.Objects;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.MessageSource;

import io.agenthooks.RefusalText;

record LocalizedRefusalText(MessageSource messages, String text) implements RefusalText {

	static final String CODE = "hooks.refusal.text";

	private static final Logger logger = LoggerFactory.getLogger(LocalizedRefusalText.class);

	@Override
	public String in(Locale locale) {
		try {
			return Objects.requireNonNullElse(this.messages.getMessage(CODE, null, this.text, locale), this.text);
		}
		catch (RuntimeException ex) {
			// Somebody was refused something, and has to read that.
			logger.warn("The message '{}' cannot be read: {}", CODE, ex.getClass().getName());
			return this.text;
		}
	}

}
