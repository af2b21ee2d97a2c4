package io.agenthooks.spring.approval;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.guard.GuardedToolCalls;
import io.agenthooks.spring.suspend.ToolApprovals;

/** Refuses to start where people may be asked and nobody could answer. */
record QuestionsStart(ConfigurableListableBeanFactory beanFactory, ApprovalConfig config,
		boolean shared) implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(QuestionsStart.class);

	private static final String OURS = "io.agenthooks.spring.";

	@Override
	public void afterSingletonsInstantiated() {
		if (this.beanFactory.getBeanProvider(GuardedToolCalls.class).stream().noneMatch(GuardedToolCalls::mayAsk)) {
			logger.warn("'hooks.approval.enabled' is true, but no hook asks people: there is no 'type: approval', no "
					+ "'ask_tools' and nothing with 'then: ask', so no call will wait for a person.");
			return;
		}
		if (canAnswer()) {
			return;
		}
		if (!this.shared) {
			throw new InvalidApprovalException(
					"'hooks.approval.enabled' is true and a hook may ask people, but nobody could answer: this is no web "
							+ "application, no bean uses ToolApprovals, and there are no 'links' and no 'notify'.",
					"Add a web server (spring-boot-starter-web or -webflux), take "
							+ "'io.agenthooks.spring.suspend.ToolApprovals' as a parameter of the bean that answers, or "
							+ "set 'hooks.approval.enabled' to false.");
		}
		logger.warn("Nobody answers questions to people in this application: it is no web application, no bean uses "
				+ "ToolApprovals, and there are no 'links' and no 'notify'. Another one has to that shares its store.");
	}

	private boolean canAnswer() {
		return this.config.links() != null || !this.config.notificationsOrNone().isEmpty()
				|| this.beanFactory.getBeanNamesForType(ApprovalStreams.class, true, false).length > 0
				|| Stream.of(this.beanFactory.getBeanDefinitionNames())
					.filter((name) -> !name.startsWith(OURS) && !isOurs(name))
					.anyMatch((name) -> usesApprovals(this.beanFactory.getType(name, false)));
	}

	private boolean isOurs(String name) {
		String factory = this.beanFactory.getBeanDefinition(name).getFactoryBeanName();
		return factory != null && factory.startsWith(OURS);
	}

	/**
	 * Looks at members, since a bean may be lazy, so who got questions injected is not
	 * known.
	 */
	private static boolean usesApprovals(@Nullable Class<?> type) {
		Class<?> known = (type != null) ? ClassUtils.getUserClass(type) : null;
		try {
			for (; known != null && known != Object.class; known = known.getSuperclass()) {
				Stream<String> members = Stream
					.of(Stream.of(known.getDeclaredConstructors()).map(Constructor::toGenericString),
							Stream.of(known.getDeclaredFields()).map(Field::toGenericString),
							Stream.of(known.getDeclaredMethods()).map(Method::toGenericString))
					.flatMap((each) -> each);
				if (members.anyMatch((member) -> member.contains(ToolApprovals.class.getName()))) {
					return true;
				}
			}
		}
		catch (LinkageError | TypeNotPresentException ex) {
			logger.debug("Could not look at the members of {}", type, ex);
		}
		return false;
	}

}
