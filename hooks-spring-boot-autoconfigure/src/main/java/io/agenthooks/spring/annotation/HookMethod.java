package io.agenthooks.spring.annotation;

import java.util.List;

/**
 * A method that is a hook.
 *
 * @param description the method for a person to read
 * @param hook the hook
 * @param method calls the method
 */
record HookMethod(String description, AnnotatedToolHook hook, BeanMethod method) {

	/**
	 * Look whether the method can be called at all.
	 */
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
