package io.agenthooks.spring.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The annotated methods of all beans, as hooks. They are found without making a bean:
 * each is got when its method is called first.
 *
 * @since 0.1.0
 */
public final class AnnotatedToolHooks {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Set<AnnotatedMethod.Identity> known;

	private final List<HookMethod> methods;

	private AnnotatedToolHooks(ConfigurableListableBeanFactory beanFactory, Set<AnnotatedMethod.Identity> known,
			List<HookMethod> methods) {
		this.beanFactory = beanFactory;
		this.known = known;
		this.methods = methods;
	}

	/**
	 * Find the annotated methods of all beans, also of those in parent contexts.
	 * @param beanFactory where the beans are
	 * @return the hooks
	 * @throws RuntimeException if methods cannot be hooks; it names all of them, and a
	 * failure analyzer explains it
	 */
	public static AnnotatedToolHooks findIn(ConfigurableListableBeanFactory beanFactory) {
		List<AnnotatedMethod> found = AnnotatedMethods.findIn(beanFactory);
		HookMethodReader reader = new HookMethodReader();
		List<HookMethod> methods = found.stream().flatMap((method) -> reader.read(method).stream()).toList();
		stopIfAny(reader.problems());
		return new AnnotatedToolHooks(beanFactory,
				found.stream().map(AnnotatedMethod::identity).collect(Collectors.toUnmodifiableSet()), methods);
	}

	/**
	 * Whether there are annotated methods that decide about calls.
	 * @param beanFactory where the beans are, none of which is made
	 * @return whether there is one, also if it is none that can be a hook
	 */
	public static boolean existIn(ConfigurableListableBeanFactory beanFactory) {
		return AnnotatedMethods.findIn(beanFactory)
			.stream()
			.flatMap((method) -> method.annotations().stream())
			.anyMatch((annotation) -> annotation.getType() == BeforeToolCall.class)
				|| ToolPolicies.existIn(beanFactory);
	}

	/**
	 * The hooks, one for each annotated method of each bean.
	 * @return the hooks, in the order of the beans; those of one bean by the names of
	 * their methods
	 */
	public List<AnnotatedToolHook> hooks() {
		return this.methods.stream().map(HookMethod::hook).toList();
	}

	/**
	 * Make sure, once all singletons are there, that no method was missed because the
	 * actual class of a bean was not known before or because its object is in a
	 * collection, and that no proxy is in the way of one.
	 * @throws RuntimeException if some would not be called; it names all of them, and a
	 * failure analyzer explains it
	 */
	public void verify() {
		List<AnnotatedMethodProblem> problems = new ArrayList<>();
		List<AnnotatedMethod> found = AnnotatedMethods.findIn(this.beanFactory);
		found.stream()
			.filter((method) -> !this.known.contains(method.identity()))
			.forEach((method) -> problems.add(new AnnotatedMethodProblem(method.describe(),
					"was not known as a hook when the chain was created, so it would not be called",
					"Declare the bean '%s' with the class that has the method, as the return type of its @Bean method for instance."
						.formatted(method.beanName()))));
		AnnotatedMethods.findInCollections(this.beanFactory, found)
			.forEach((method) -> problems.add(new AnnotatedMethodProblem(method.describe(),
					"is a method of an object in the collection '%s', where Spring does not look for it, so it would not be called"
						.formatted(method.beanName()),
					"Write a @Bean method for the object itself.")));
		this.methods.forEach((method) -> method.check(problems));
		stopIfAny(problems);
	}

	/**
	 * The annotated methods of a context below, which nobody calls. The same method of
	 * the same bean may be in both contexts.
	 * @param child the beans of that context
	 * @return the methods
	 */
	@SuppressWarnings("ReferenceEquality") // of the very bean factory
	public List<String> notAskedIn(ConfigurableListableBeanFactory child) {
		return AnnotatedMethods.findIn(child)
			.stream()
			.filter((method) -> method.beanFactory() == child
					&& this.known.stream().noneMatch(method.identity()::isSameElsewhere))
			.map((method) -> "%s of the bean '%s'".formatted(method.describe(), method.beanName()))
			.toList();
	}

	/**
	 * The annotated methods of a bean that was made after the start, of which nobody knew
	 * before.
	 * @param name the name of the bean
	 * @param bean the bean
	 * @return the methods
	 */
	public List<String> notAskedOf(String name, Object bean) {
		return AnnotatedMethods.of(this.beanFactory, name, bean)
			.stream()
			.filter((method) -> !this.known.contains(method.identity()))
			.map(AnnotatedMethod::describe)
			.toList();
	}

	private static void stopIfAny(List<AnnotatedMethodProblem> problems) {
		if (!problems.isEmpty()) {
			throw new InvalidAnnotatedMethodsException(problems.stream().distinct().toList());
		}
	}

}
