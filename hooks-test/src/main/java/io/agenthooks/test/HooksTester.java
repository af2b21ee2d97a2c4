package io.agenthooks.test;

import java.util.List;
import java.util.Objects;

import io.agenthooks.CallContext;

/**
 * The common part of the testers of all kinds of hooks. Behind each is a small
 * application with the auto-configurations of the starter, so what passes here passes
 * there. It knows nothing of the machine that it runs on: neither environment variables
 * nor system properties, unless they are given. Of Spring Boot's own auto-configurations
 * it has Bean Validation only.
 *
 * @param <T> the tester
 * @since 0.1.0
 */
public abstract sealed class HooksTester<T extends HooksTester<T>> implements AutoCloseable
		permits ToolHooksTester, LlmHooksTester, RunHooksTester {

	private final TestApplication application;

	private final CallContext context;

	HooksTester(TestApplication application, CallContext context) {
		this.application = application;
		this.context = context;
	}

	abstract T with(TestApplication application, CallContext context);

	/** A tester with another application, that has the same tools, model and agent. */
	final T with(TestSettings settings) {
		return with(new TestApplication(this.application.recorders(), settings), this.context);
	}

	final TestApplication application() {
		return this.application;
	}

	final TestSettings settings() {
		return this.application.settings();
	}

	final CallContext context() {
		return this.context;
	}

	/**
	 * This tester with one more bean: a hook, a factory of hooks, or whatever they need.
	 * Its name is that which Spring would give its class, such as {@code noMailOutside},
	 * or {@code hook} for a lambda; if that is taken, followed by {@code #2} and so on.
	 * @param bean the bean
	 * @return the new tester
	 */
	public T withBean(Object bean) {
		return with(settings().withBean(null, bean));
	}

	/**
	 * This tester with one more bean.
	 * @param name the name of the bean
	 * @param bean the bean
	 * @return the new tester
	 */
	public T withBean(String name, Object bean) {
		return with(settings().withBean(Objects.requireNonNull(name), bean));
	}

	/**
	 * This tester with the beans of configuration classes, or of components that Spring
	 * is to make.
	 * @param classes classes with {@code @Configuration} or {@code @Component}
	 * @return the new tester
	 */
	public T withConfiguration(Class<?>... classes) {
		return with(settings().withClasses(List.of(classes)));
	}

	/**
	 * This tester with one more property, which comes before those of the configuration.
	 * @param name its name
	 * @param value its value
	 * @return the new tester
	 */
	public T withProperty(String name, String value) {
		return with(settings().withProperty(name, value));
	}

	/**
	 * This tester with one more environment variable, which comes before the
	 * configuration, but after other properties.
	 * @param name its name
	 * @param value its value
	 * @return the new tester
	 */
	public T withEnvironmentVariable(String name, String value) {
		return with(settings().withEnvironmentVariable(name, value));
	}

	/**
	 * This tester, calling on behalf of an agent.
	 * @param agent the name of the agent
	 * @return the new tester
	 */
	public T asAgent(String agent) {
		return inContext(this.context.withAgent(agent));
	}

	/**
	 * This tester, calling on behalf of a person.
	 * @param user the person
	 * @param authorities what the person may do
	 * @return the new tester
	 */
	public T asUser(String user, String... authorities) {
		return inContext(this.context.withUser(user).withAuthorities(List.of(authorities)));
	}

	/**
	 * This tester, calling in a session.
	 * @param sessionId the session
	 * @return the new tester
	 */
	public T inSession(String sessionId) {
		return inContext(this.context.withSessionId(sessionId));
	}

	/**
	 * This tester, calling in a run.
	 * @param runId the run
	 * @return the new tester
	 */
	public T inRun(String runId) {
		return inContext(this.context.withRunId(runId));
	}

	/**
	 * This tester, calling in another context.
	 * @param context who makes the calls, and where; replaces all that was said before
	 * @return the new tester
	 */
	public T inContext(CallContext context) {
		return with(this.application, context);
	}

	/**
	 * Calls of tools in the same application and context.
	 * @return a tester that shares everything with this one
	 */
	public ToolHooksTester toolCalls() {
		return new ToolHooksTester(this.application, this.context);
	}

	/**
	 * Calls of a model in the same application and context.
	 * @return a tester that shares everything with this one
	 */
	public LlmHooksTester modelCalls() {
		return new LlmHooksTester(this.application, this.context);
	}

	/**
	 * Runs of an agent in the same application and context.
	 * @return a tester that shares everything with this one
	 */
	public RunHooksTester runs() {
		return new RunHooksTester(this.application, this.context);
	}

	/**
	 * Start the application now, and not at the first call: the test of a configuration
	 * that only has to be free of mistakes.
	 * @return this tester
	 * @throws IllegalStateException if the application does not start; the message is
	 * Spring Boot's failure analysis, with every mistake, its place and what to write
	 * instead
	 */
	@SuppressWarnings("unchecked")
	public T start() {
		this.application.start();
		return (T) this;
	}

	/**
	 * A bean of the application, such as {@code ToolHooks}. Starts the application.
	 * @param <B> the type of the bean
	 * @param type the type of the bean
	 * @return the only bean of that type; of several {@code ToolExecutor}s, not that of
	 * the tester
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public <B> B getBean(Class<B> type) {
		return this.application.start().getBean(type);
	}

	/**
	 * Close the application, and with it the hooks that can be closed. It does not start
	 * again.
	 */
	@Override
	public void close() {
		this.application.close();
	}

}
