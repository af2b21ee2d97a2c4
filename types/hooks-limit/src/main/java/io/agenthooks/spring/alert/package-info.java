/**
 * Tells people, by a webhook, an event and the log, how calls ended: {@code alert}.
 */
@NullMarked
package io.agenthooks.spring.alert;

import org.jspecify.annotations.NullMarked;
