package io.agenthooks.spring.guard;

import java.lang.reflect.Executable;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConflictingBeansFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {

	private static final String OURS = "io.agenthooks.spring.";

	private static final List<String> NOBODY = List.of("org.springframework.", "java.", "jdk.", "sun.");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
		Collection<String> names = cause.getBeanNamesFound();
		if (names == null || !isAskedByUs(rootFailure, cause)) {
			return null;
		}
		ResolvableType type = cause.getResolvableType();
		String needed = (type != null) ? type.toString() : String.valueOf(cause.getBeanType());
		return new FailureAnalysis(
				"The hooks need one bean of type " + needed + ", but there are " + names.size() + ": '"
						+ String.join("', '", names) + "'.",
				"Mark the one that the hooks are to use with @Primary, where it is declared, or remove the others. "
						+ "If all of them are to have a part, make one of them pass on to the others.",
				cause);
	}

	/** A bean of the application that something of ours needs may want the bean, too. */
	@SuppressWarnings("ReferenceEquality") // of the very exception
	private static boolean isAskedByUs(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
		Throwable around = rootFailure;
		while (around != null && around != cause && around.getCause() != cause) {
			around = around.getCause();
		}
		if (around instanceof UnsatisfiedDependencyException failed) {
			InjectionPoint place = failed.getInjectionPoint();
			return place != null && isOurs(place.getMember().getDeclaringClass().getName());
		}
		if (around instanceof BeanInstantiationException failed) {
			Executable maker = (failed.getConstructingMethod() != null) ? failed.getConstructingMethod()
					: failed.getConstructor();
			return maker != null && isOurs(maker.getDeclaringClass().getName());
		}
		return Stream.of(cause.getStackTrace())
			.map(StackTraceElement::getClassName)
			.filter((name) -> NOBODY.stream().noneMatch(name::startsWith))
			.findFirst()
			.filter(ConflictingBeansFailureAnalyzer::isOurs)
			.isPresent();
	}

	private static boolean isOurs(String className) {
		return className.startsWith(OURS);
	}

}
