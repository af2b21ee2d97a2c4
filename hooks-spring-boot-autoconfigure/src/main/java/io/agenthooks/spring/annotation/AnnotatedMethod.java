package io.agenthooks.spring.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;

/** Whether this can be a hook is not known yet. */
record AnnotatedMethod(ConfigurableListableBeanFactory beanFactory, String beanName, Class<?> beanClass, Method method,
		List<MergedAnnotation<?>> annotations) {

	String describe() {
		return Stream.of(this.method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", ",
					this.method.getDeclaringClass().getName() + "." + this.method.getName() + "(", ")"));
	}

	/** This stays the same when more is known about the class of the bean. */
	Identity identity() {
		return new Identity(this.beanFactory, this.beanName, this.method.getName(),
				List.of(this.method.getParameterTypes()),
				this.annotations.stream().<Annotation>map(MergedAnnotation::synthesize).toList());
	}

	record Identity(ConfigurableListableBeanFactory beanFactory, String beanName, String method,
			List<Class<?>> parameters, List<Annotation> annotations) {

		boolean isSameElsewhere(Identity other) {
			return equals(new Identity(this.beanFactory, other.beanName(), other.method(), other.parameters(),
					other.annotations()));
		}

	}

}
