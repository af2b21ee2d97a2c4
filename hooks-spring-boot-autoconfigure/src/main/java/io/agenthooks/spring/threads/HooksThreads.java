package io.agenthooks.spring.threads;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.context.SmartLifecycle;

/**
 * Makes all threads of Agent Hooks. They have names, keep no application from ending, and
 * get no thread locals, which may hold a user, of the call that happens to need them
 * first.
 * <p>
 * Who makes threads ends them when its bean is destroyed. When an application ends, web
 * servers stop first, gracefully. Then those who wait for a person are let go
 * ({@link #QUESTIONS}), and no further call begins ({@link #GATES}). Then connections are
 * closed and beans destroyed: hooks with the threads that ask them, and last the audit,
 * which records how the last calls ended.
 *
 * @since 0.1.0
 */
public final class HooksThreads {

	/**
	 * The phase in which calls that wait for a person are let go. Phases stop downwards,
	 * and web servers stop shortly below the default.
	 */
	public static final int QUESTIONS = SmartLifecycle.DEFAULT_PHASE / 2;

	/**
	 * The phase in which no further call begins. What is served by others, such as the
	 * connections of Redis, ends in phase 0.
	 */
	public static final int GATES = 1;

	private static final Duration IDLE = Duration.ofSeconds(2);

	private HooksThreads() {
	}

	/**
	 * A thread, which has not begun.
	 * @param name the name of the thread
	 * @param work what it does
	 * @return the thread
	 */
	public static Thread newThread(String name, Runnable work) {
		return named(name).newThread(work);
	}

	/**
	 * Do something on a thread of its own.
	 * @param name the name of the thread
	 * @param work what it does
	 * @return the thread
	 */
	public static Thread start(String name, Runnable work) {
		Thread thread = newThread(name, work);
		thread.start();
		return thread;
	}

	/**
	 * A thread for each task that runs, which stays for a while for further ones.
	 * @param name the name of the threads
	 * @return the executor, which the caller bounds and ends
	 */
	public static ExecutorService unbounded(String name) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), named(name));
	}

	/**
	 * One thread that does one thing after the other, and is there only while there is
	 * something to do. What comes when it is full, or has ended, is rejected.
	 * @param name the name of the thread
	 * @param capacity how much may wait
	 * @return the executor, which the caller ends
	 */
	public static ExecutorService queue(String name, int capacity) {
		ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new LinkedBlockingQueue<>(capacity), named(name));
		thread.allowCoreThreadTimeOut(true);
		return thread;
	}

	/**
	 * One thread that does something later, and is there only while there is something to
	 * do, soon or later. What is cancelled takes no memory.
	 * @param name the name of the thread
	 * @return the executor, which the caller bounds and ends
	 */
	public static ScheduledThreadPoolExecutor timer(String name) {
		ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, named(name));
		thread.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
		thread.allowCoreThreadTimeOut(true);
		thread.setRemoveOnCancelPolicy(true);
		return thread;
	}

	/**
	 * End threads: what they have to do is done, but not for ever. A thread that is
	 * interrupted while it waits stays so.
	 * @param threads the threads
	 * @param grace how long to wait before they are interrupted
	 * @return how many tasks that waited are not done; 0 if all is done
	 */
	public static int end(ExecutorService threads, Duration grace) {
		threads.shutdown();
		try {
			if (threads.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS)) {
				return 0;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return threads.shutdownNow().size();
	}

	private static ThreadFactory named(String name) {
		ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
		return (work) -> {
			Thread thread = new Thread(null, work, name, 0, false);
			thread.setContextClassLoader(classLoader);
			thread.setDaemon(true);
			return thread;
		};
	}

}
