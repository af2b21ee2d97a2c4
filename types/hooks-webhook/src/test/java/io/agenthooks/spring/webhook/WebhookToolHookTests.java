package io.agenthooks.spring.webhook;

import org.junit.jupiter.api.Tag;

/**
 * {@link WebhookToolHookContract} with Reactor Netty, which applications use that bring
 * it.
 */
@Tag("slow")
class WebhookToolHookTests extends WebhookToolHookContract {

}
