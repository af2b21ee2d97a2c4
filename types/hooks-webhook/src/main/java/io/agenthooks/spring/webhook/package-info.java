/**
 * The {@code webhook} hook: asks an HTTP endpoint about calls and runs, and sends it how
 * they ended. Start at {@link io.agenthooks.spring.webhook.WebhookToolHook}.
 */
@NullMarked
package io.agenthooks.spring.webhook;

import org.jspecify.annotations.NullMarked;
