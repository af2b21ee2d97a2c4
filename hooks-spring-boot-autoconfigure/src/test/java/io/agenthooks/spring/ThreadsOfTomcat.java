package io.agenthooks.spring;

import jakarta.servlet.ServletContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.context.WebApplicationContext;
import reactor.core.scheduler.Schedulers;

/**
 * Lets tests with Tomcat and tests with WebFlux run in one JVM. A thread of Reactor or
 * Netty that is made during a request to Tomcat keeps the class loader of that
 * application, also when it has ended. A class that is first used on such a thread could
 * not make its logger: it would be lost to all tests that follow, and since Reactor takes
 * this for an end of the JVM, nobody would ever answer the request.
 */
public final class ThreadsOfTomcat {

	static {
		Schedulers.onScheduleHook(ThreadsOfTomcat.class.getName(), (task) -> () -> {
			Thread.currentThread().setContextClassLoader(ThreadsOfTomcat.class.getClassLoader());
			task.run();
		});
	}

	private ThreadsOfTomcat() {
	}

	/**
	 * Make threads independent of an application.
	 * @param application the application, with Tomcat or not
	 */
	public static void outlive(ApplicationContext application) {
		ServletContext servlets = (application instanceof WebApplicationContext web) ? web.getServletContext() : null;
		if (servlets != null) {
			outlive(servlets.getClassLoader());
		}
	}

	/**
	 * Make threads independent of the class loader of an application: loggers are known
	 * to it while it can still find them, and Reactor does without it.
	 * @param loader the class loader that ends with the application
	 */
	public static void outlive(@Nullable ClassLoader loader) {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(loader);
		try {
			Log unused = LogFactory.getLog(ThreadsOfTomcat.class);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

}
