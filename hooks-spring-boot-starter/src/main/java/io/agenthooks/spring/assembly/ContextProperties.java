package io.agenthooks.spring.assembly;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What may be written under {@code hooks.context}, for IDEs, as
 * {@link ToolCallHooksProperties}.
 *
 * @param claims Names of the claims about the user that hooks get, as the token has them;
 * none unless set.
 */
@ConfigurationProperties("hooks.context")
record ContextProperties(List<String> claims) {
}
