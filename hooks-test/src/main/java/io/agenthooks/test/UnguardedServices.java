package io.agenthooks.test;

import java.lang.reflect.Proxy;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds AI services of LangChain4j among the beans of a tester, which does not guard
 * them: their guard is one for the whole JVM, and that of the application that started
 * last.
 */
final class UnguardedServices {

	private static final String PACKAGE = "dev.langchain4j.";

	private UnguardedServices() {
	}

	static void refuse(ConfigurableListableBeanFactory beanFactory) {
		for (String name : beanFactory.getSingletonNames()) {
			Object bean = beanFactory.getSingleton(name);
			if (bean != null && isService(bean)) {
				throw new IllegalStateException(
						("The bean '%s' is an AI service of LangChain4j. A tester does not guard these, so what is tested "
								+ "of it here says nothing about hooks. Test it in the application (@SpringBootTest), and its "
								+ "tools here by call(..).")
							.formatted(name));
			}
		}
	}

	private static boolean isService(Object bean) {
		return Proxy.isProxyClass(bean.getClass())
				&& Proxy.getInvocationHandler(bean).getClass().getName().startsWith(PACKAGE);
	}

}
