package io.agenthooks.spring;

import java.util.Map;

import io.agenthooks.CallContext;

/**
 * Adds to what hooks know about who makes a call. Beans of this type are asked in their
 * order, before the first hook. What one throws ends the call: the tool does not run.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CallContextCustomizer {

	/**
	 * Customize the context of a call.
	 * @param context what is known already
	 * @param attributes what the application told its agent framework besides: the tool
	 * context of Spring AI, the invocation parameters of LangChain4j; not to be changed
	 * @return the context that hooks see
	 */
	CallContext customize(CallContext context, Map<String, Object> attributes);

}
