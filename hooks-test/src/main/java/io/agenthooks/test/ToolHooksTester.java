package io.agenthooks.test;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Makes calls of tools that pass hooks, and tells what became of them: <pre class="code">
 * ToolHooksTester hooks = ToolHooksTester.ofHooks(new NoMailOutside());
 * assertThat(hooks.call("send_email", Map.of("to", "eve@evil.example")))
 *     .isDenied()
 *     .byHook("noMailOutside")
 *     .withReasonContaining("colleagues");
 * assertThat(hooks.executor()).hasRunNothing();
 * </pre>
 * <p>
 * Behind it is a small application with the auto-configurations of the starter, so what
 * passes here passes there. It knows nothing of the machine that it runs on: neither
 * environment variables nor system properties, unless they are given. Of Spring Boot's
 * own auto-configurations it has Bean Validation only.
 * <p>
 * A tester is immutable: {@code with...} returns one with an application of its own,
 * {@code as...}, {@code in...} and {@code on...} return one that calls the same
 * application on behalf of someone else. All that come from one tester have the same
 * {@link #executor() executor}. The application starts at the first call, or with
 * {@link #start()}. A tester is safe for use by many threads, and needs to be closed only
 * if its hooks hold threads or connections.
 *
 * @since 0.1.0
 */
public final class ToolHooksTester implements AutoCloseable {

	private final TestApplication application;

	private final RecordingToolExecutor executor;

	private final CallContext context;

	private ToolHooksTester(TestApplication application, RecordingToolExecutor executor, CallContext context) {
		this.application = application;
		this.executor = executor;
		this.context = context;
	}

	private static ToolHooksTester of(@Nullable ConfigFile config) {
		RecordingToolExecutor executor = new RecordingToolExecutor();
		return new ToolHooksTester(new TestApplication(executor, TestSettings.of(config)), executor,
				CallContext.empty());
	}

	/**
	 * Test the hooks of a configuration.
	 * @param yaml what would stand in {@code application.yaml}, from {@code hooks:} on
	 * @return the tester
	 */
	public static ToolHooksTester ofYaml(String yaml) {
		return of(ConfigFile.ofText(yaml));
	}

	/**
	 * Test the hooks of a configuration file, with the files of its profiles and what it
	 * imports. The profiles are those of {@code spring.profiles.active}, as in
	 * {@code withProperty("spring.profiles.active", "prod")}.
	 * @param location where the file is, as {@code classpath:application.yaml}; without a
	 * prefix, the path of a file
	 * @return the tester
	 */
	public static ToolHooksTester ofFile(String location) {
		return of(ConfigFile.ofLocation(location));
	}

	/**
	 * Test hooks as the beans that they would be in an application. They are asked in
	 * this order, unless {@code @Order} says otherwise.
	 * @param hooks the hooks, named as {@link #withBean(Object)} names beans
	 * @return the tester
	 */
	public static ToolHooksTester ofHooks(ToolHook... hooks) {
		ToolHooksTester tester = of(null);
		for (ToolHook hook : hooks) {
			tester = tester.withBean(hook);
		}
		return tester;
	}

	/**
	 * This tester with one more bean: a hook, a {@code ToolHookFactory}, or whatever they
	 * need. Its name is that which Spring would give its class, such as
	 * {@code noMailOutside}, or {@code hook} for a lambda; if that is taken, followed by
	 * {@code #2} and so on.
	 * @param bean the bean
	 * @return the new tester
	 */
	public ToolHooksTester withBean(Object bean) {
		return with(this.application.settings().withBean(null, bean));
	}

	/**
	 * This tester with one more bean.
	 * @param name the name of the bean
	 * @param bean the bean
	 * @return the new tester
	 */
	public ToolHooksTester withBean(String name, Object bean) {
		return with(this.application.settings().withBean(Objects.requireNonNull(name), bean));
	}

	/**
	 * This tester with the beans of configuration classes, or of components that Spring
	 * is to make.
	 * @param classes classes with {@code @Configuration} or {@code @Component}
	 * @return the new tester
	 */
	public ToolHooksTester withConfiguration(Class<?>... classes) {
		return with(this.application.settings().withClasses(List.of(classes)));
	}

	/**
	 * This tester with one more property, which comes before those of the configuration.
	 * @param name its name
	 * @param value its value
	 * @return the new tester
	 */
	public ToolHooksTester withProperty(String name, String value) {
		return with(this.application.settings().withProperty(name, value));
	}

	/**
	 * This tester with one more environment variable, which comes before the
	 * configuration, but after other properties.
	 * @param name its name
	 * @param value its value
	 * @return the new tester
	 */
	public ToolHooksTester withEnvironmentVariable(String name, String value) {
		return with(this.application.settings().withEnvironmentVariable(name, value));
	}

	/**
	 * This tester with an approver that approves whatever hooks ask. Without an approver,
	 * such a call is denied.
	 * @return the new tester
	 */
	public ToolHooksTester approving() {
		return withApprover((call, question) -> ToolDecision.approve());
	}

	/**
	 * This tester with another approver.
	 * @param approver who answers when a hook wants a person to approve
	 * @return the new tester
	 */
	public ToolHooksTester withApprover(ToolApprover approver) {
		return with(this.application.settings().withApprover(approver));
	}

	private ToolHooksTester with(TestSettings settings) {
		return new ToolHooksTester(new TestApplication(this.executor, settings), this.executor, this.context);
	}

	/**
	 * This tester, calling on behalf of an agent.
	 * @param agent the name of the agent
	 * @return the new tester
	 */
	public ToolHooksTester asAgent(String agent) {
		return inContext(this.context.withAgent(agent));
	}

	/**
	 * This tester, calling on behalf of a person.
	 * @param user the person
	 * @return the new tester
	 */
	public ToolHooksTester asUser(String user) {
		return inContext(this.context.withUser(user));
	}

	/**
	 * This tester, calling in a session.
	 * @param sessionId the session
	 * @return the new tester
	 */
	public ToolHooksTester inSession(String sessionId) {
		return inContext(this.context.withSessionId(sessionId));
	}

	/**
	 * This tester, calling tools of an MCP server. Their own names there are those that
	 * it calls; {@link #call(ToolIdentity, Map)} knows others.
	 * @param server the name of the connection in the application's configuration
	 * @return the new tester
	 */
	public ToolHooksTester onMcpServer(String server) {
		return inContext(this.context.withAttribute(CallAttributes.MCP_SERVER, server));
	}

	/**
	 * This tester, calling in another context.
	 * @param context who makes the calls, and where; replaces all that was said before
	 * @return the new tester
	 */
	public ToolHooksTester inContext(CallContext context) {
		return new ToolHooksTester(this.application, this.executor, context);
	}

	/**
	 * Start the application now, and not at the first call: the test of a configuration
	 * that only has to be free of mistakes.
	 * @return this tester
	 * @throws IllegalStateException if the application does not start; the message is
	 * Spring Boot's failure analysis, with every mistake, its place and the mend
	 */
	public ToolHooksTester start() {
		this.application.start();
		return this;
	}

	/**
	 * Call a tool. Neither an abort nor an exception of the tool is thrown; an
	 * {@link Error} is, as it may be a failed assertion.
	 * @param tool the name of the tool
	 * @param arguments the arguments by name
	 * @return what became of the call
	 * @throws IllegalArgumentException if the arguments are not JSON values
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public TestedToolCall call(String tool, Map<String, ? extends @Nullable Object> arguments) {
		return call(ToolCall.of(tool, arguments, this.context));
	}

	/**
	 * Call a tool that has several names, such as one of an MCP server whose name another
	 * server took: {@code ToolIdentity.onServer("github", "delete_repo",
	 * "alt_1_delete_repo")}.
	 * @param tool the tool
	 * @param arguments the arguments by name
	 * @return what became of the call
	 * @throws IllegalArgumentException if the arguments are not JSON values
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public TestedToolCall call(ToolIdentity tool, Map<String, ? extends @Nullable Object> arguments) {
		return call(ToolCall.of(UUID.randomUUID().toString(), tool, arguments, this.context));
	}

	/**
	 * Make a call that has an id and a context already.
	 * @param call the call
	 * @return what became of it
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public TestedToolCall call(ToolCall call) {
		return this.application.call(call);
	}

	/**
	 * The tools behind the hooks, which remember what they ran.
	 * @return the executor, the same for all testers that come from one
	 */
	public RecordingToolExecutor executor() {
		return this.executor;
	}

	/**
	 * A bean of the application, such as {@code ToolHooks}. Starts the application.
	 * @param <T> the type of the bean
	 * @param type the type of the bean
	 * @return the only bean of that type; of several {@link ToolExecutor}s, not that of
	 * the tester
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public <T> T getBean(Class<T> type) {
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
