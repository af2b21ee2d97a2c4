package io.agenthooks.spring;

import io.agenthooks.toolcall.PostToolHook;

/**
 * A post-call hook that hands outcomes to a bounded queue, so that it never delays a
 * call. What does not fit is dropped and counted.
 *
 * @since 0.1.0
 */
public interface QueueingToolHook extends PostToolHook, DroppedNotifications {

}
