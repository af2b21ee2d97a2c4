package io.agenthooks.spring.annotation;

import java.util.List;

import io.agenthooks.spring.HookOptions;
import io.agenthooks.toolcall.ToolHook;

/**
 * An annotated method as a hook.
 *
 * @param hook the hook; it has the name, and is for the tools of the annotation
 * @param name its name
 * @param options what the annotation says: tools, order and timeout
 * @param ownTimeout whether the hook itself sees to the timeout; otherwise it has to be
 * enforced from outside
 * @param origin where it comes from, such as {@code method 'guards.check'}
 * @param arguments the names of the arguments of calls that the method takes
 * @since 0.1.0
 */
public record AnnotatedToolHook(ToolHook hook, String name, HookOptions options, boolean ownTimeout, String origin,
		List<String> arguments) {
}
