package io.agenthooks.spring.assembly;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.RefusalText;

/**
 * The options of {@code hooks.refusal}. The annotation is for the metadata of IDEs; it is
 * read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param text Text that a person in front of an agent reads where hooks refuse something
 * and no model is between them, 'This is not allowed.' unless set. A message of the code
 * hooks.refusal.text says it in other languages.
 */
@ConfigurationProperties("hooks.refusal")
record RefusalConfig(@Nullable String text) {

	static final RefusalConfig NONE = new RefusalConfig(null);

	RefusalConfig {
		if (text != null && text.isBlank()) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of("text"), "is blank", "Write a text, or remove it.")));
		}
	}

	String orDefault() {
		return (this.text != null) ? this.text : RefusalText.DEFAULT;
	}

}
