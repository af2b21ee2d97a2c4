package io.agenthooks.spring.ai;

import io.agenthooks.CallContext;

/**
 * Adds to what hooks learn about the call of a tool, for example the tenant. Beans of
 * this type are asked in their order at every call, on the thread that runs the tool. If
 * one fails, the call is denied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CallContextCustomizer {

	/**
	 * Customize the context of a call.
	 * @param context the context as it is
	 * @param origin where the call comes from
	 * @return the context as it should be
	 */
	CallContext customize(CallContext context, ToolCallOrigin origin);

}
