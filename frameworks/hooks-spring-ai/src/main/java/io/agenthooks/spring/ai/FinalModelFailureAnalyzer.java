package io.agenthooks.spring.ai;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.guard.UnguardedConsequence;

/**
 * Tells how to inject a guarded model whose class is final, so that Spring Boot's own
 * advice, to proxy the class, cannot be followed.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class FinalModelFailureAnalyzer extends AbstractFailureAnalyzer<BeanNotOfRequiredTypeException> {

	/** By its name: Spring AI may not be there. */
	private static final String MODEL = "org.springframework.ai.chat.model.ChatModel";

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BeanNotOfRequiredTypeException cause) {
		Class<?> wanted = cause.getRequiredType();
		if (!Proxy.isProxyClass(cause.getActualType()) || !Modifier.isFinal(wanted.getModifiers())
				|| !isModel(wanted)) {
			return null;
		}
		return new FailureAnalysis(
				"The bean '%s' cannot be injected as %s. The hooks guard it, and this class is final, so it is known by its "
					.formatted(cause.getBeanName(), wanted.getName()) + "interface only.",
				"Inject it as " + MODEL + ". If no hooks decide about its calls under "
						+ "'hooks.llm_call', it also keeps its class if tools that it is offered may run without hooks: "
						+ UnguardedConsequence.HOW_TO_ALLOW + ".",
				cause);
	}

	private static boolean isModel(Class<?> type) {
		return ClassUtils.getAllInterfacesForClassAsSet(type).stream().map(Class::getName).anyMatch(MODEL::equals);
	}

}
