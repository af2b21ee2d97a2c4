package io.agenthooks.spring;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;

/**
 * Adds to what hooks know about who makes the call of a tool or of a model, or begins a
 * run, for example the tenant. Beans of this type are asked in their order, before the
 * first hook. If one fails, the tool does not run, the model is not asked and the run
 * does not begin; of the latter two the caller gets the exception.
 * <p>
 * It may say on which MCP server a tool is, with {@link CallAttributes#MCP_SERVER}, if
 * the framework does not know that. What the framework knows stays as it is.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CallContextCustomizer {

	/**
	 * Customize the context of a call.
	 * @param context what is known already
	 * @param given what else the application told its agent framework, not to be changed:
	 * of Spring AI the tool context and the parameters of the advisors, of LangChain4j
	 * the invocation parameters, of a client of our MCP server its {@code exchange} and,
	 * if it sent one, the {@code _meta} of its request, which is a map that is not
	 * checked
	 * @return the context that hooks see
	 */
	CallContext customize(CallContext context, Map<String, @Nullable Object> given);

	/**
	 * Let customizers add to a context.
	 * @param customizers the customizers, in order
	 * @param context what is known already
	 * @param given what else the application told its agent framework
	 * @return the context that hooks see
	 * @throws NullPointerException if a customizer returns nothing
	 */
	static CallContext customize(List<CallContextCustomizer> customizers, CallContext context,
			Supplier<? extends Map<String, ? extends @Nullable Object>> given) {
		if (customizers.isEmpty()) {
			return context;
		}
		Map<String, @Nullable Object> shown = Collections.unmodifiableMap(given.get());
		CallContext customized = context;
		for (CallContextCustomizer customizer : customizers) {
			customized = Objects.requireNonNull(customizer.customize(customized, shown),
					"A CallContextCustomizer returned null");
		}
		return customized;
	}

}
