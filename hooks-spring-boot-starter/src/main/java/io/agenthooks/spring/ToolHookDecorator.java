package io.agenthooks.spring;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Puts something around every hook of the chain, such as a timer. A bean of this type is
 * applied to each hook, from the configuration or a bean, when the chain is put together.
 *
 * @since 0.1.0
 */
public interface ToolHookDecorator {

	/**
	 * Decorate a pre-call hook. The decorated hook is asked about the calls that the hook
	 * is for, and sees what it throws.
	 * @param name the name of the hook; the decorated hook gets it too
	 * @param type its type; {@code bean} for a bean
	 * @param hook the hook
	 * @return the decorated hook, with the repeatability of the hook
	 */
	default PreToolHook decoratePreCall(String name, String type, PreToolHook hook) {
		return hook;
	}

	/**
	 * Decorate a hook that may replace results.
	 * @param name the name of the hook; the decorated hook gets it too
	 * @param type its type; {@code bean} for a bean
	 * @param hook the hook
	 * @return the decorated hook
	 */
	default ToolResultHook decorateResult(String name, String type, ToolResultHook hook) {
		return hook;
	}

	/**
	 * Decorate a post-call hook.
	 * @param name the name of the hook; the decorated hook gets it too
	 * @param type its type; {@code bean} for a bean
	 * @param hook the hook
	 * @return the decorated hook
	 */
	default PostToolHook decoratePostCall(String name, String type, PostToolHook hook) {
		return hook;
	}

}
