/**
 * The {@code webhook} hook: asks an HTTP endpoint about a tool call and tells it how the
 * call ended. Start at {@link io.agenthooks.spring.webhook.WebhookToolHook}.
 */
@NullMarked
package io.agenthooks.spring.webhook;

import org.jspecify.annotations.NullMarked;
