package io.agenthooks.spring.annotation;

import java.util.List;

record HookMethod(String description, AnnotatedToolHook hook, BeanMethod method) {

	void check(List<AnnotatedMethodProblem> problems) {
		try {
			this.method.check();
		}
		catch (IllegalStateException ex) {
			problems.add(new AnnotatedMethodProblem(this.description,
					"cannot be called, because a proxy that stands before the bean, or the bean itself, does not have it",
					"Make it public and not final, in a public class or in an interface of the bean; or have the "
							+ "bean proxied by its class."));
		}
	}

}
