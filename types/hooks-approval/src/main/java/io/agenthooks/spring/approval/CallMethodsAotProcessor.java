package io.agenthooks.spring.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.spring.annotation.CallMethod;
import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.approval.CallEffects.Statements;

/**
 * Registers, ahead of time, the methods that are named by a text and say what calls would
 * do.
 */
final class CallMethodsAotProcessor implements BeanFactoryInitializationAotProcessor {

	private static final Logger logger = LoggerFactory.getLogger(CallMethodsAotProcessor.class);

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory.getBeanNamesForType(Statements.class, true, false).length == 0) {
			return null;
		}
		List<CallMethod> methods = new ArrayList<>();
		ToolPolicies.findIn(beanFactory)
			.stated()
			.stream()
			.flatMap((calls) -> Stream.of(calls.preview(), calls.version()).flatMap(Stream::ofNullable))
			.forEach(methods::add);
		try {
			Statements statements = beanFactory.getBean(Statements.class);
			methods.addAll(statements.previews().values());
			methods.addAll(statements.versions().values());
		}
		catch (RuntimeException ex) {
			logger.warn("The methods that 'hooks.approval' names are unknown, so a native image cannot call them: its "
					+ "configuration cannot be read at build time ({}).", ex.getClass().getName());
		}
		return (generation, code) -> methods.forEach((method) -> method.registerHints(generation.getRuntimeHints()));
	}

}
