/**
 * Rules on where the values of a call come from: what the user wrote, what trusted tools
 * returned, or nobody. Start at {@link io.agenthooks.flow.FlowToolHook}.
 */
@NullMarked
package io.agenthooks.flow;

import org.jspecify.annotations.NullMarked;
