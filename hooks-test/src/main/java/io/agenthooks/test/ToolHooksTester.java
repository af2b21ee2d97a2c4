package io.agenthooks.test;

import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Makes tool calls through hooks and reports their outcome: <pre class="code">
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
 * <b>AI services of LangChain4j are not guarded here:</b> their guard is one for the
 * whole JVM. A tester with such a bean does not start; test services in the application.
 * <p>
 * A tester is immutable: {@code with...} returns one with an application of its own,
 * {@code as...}, {@code in...} and {@code on...} return one that calls the same
 * application on behalf of someone else. {@link #modelCalls()} and {@link #runs()} return
 * testers of the other kinds for the same application. All that come from one tester have
 * the same {@link #executor() executor}. The application starts at the first call, or
 * with {@link #start()}. A tester is safe for use by many threads, and needs to be closed
 * only if its hooks hold threads or connections.
 *
 * @since 0.1.0
 */
public final class ToolHooksTester extends HooksTester<ToolHooksTester> {

	ToolHooksTester(TestApplication application, CallContext context) {
		super(application, context);
	}

	private static ToolHooksTester of(@Nullable ConfigFile config) {
		return new ToolHooksTester(new TestApplication(new Recorders(), TestSettings.of(config)), CallContext.empty());
	}

	@Override
	ToolHooksTester with(TestApplication application, CallContext context) {
		return new ToolHooksTester(application, context);
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
	 * This tester with an approver that approves every question. Without an approver,
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
		return with(settings().withApprover(approver));
	}

	/**
	 * Calls of tools about which people decide, if the configuration has
	 * {@code hooks.approval}. The test is these people, and puts their clock forward.
	 * @return the approvals, for calls in the context of this tester
	 */
	public TestedApprovals approvals() {
		return new TestedApprovals(this, null);
	}

	/**
	 * This tester, calling tools of an MCP server. Their own names there are those that
	 * it calls; {@link #call(ToolIdentity, Map)} knows others.
	 * @param server the name of the connection in the application's configuration
	 * @return the new tester
	 */
	public ToolHooksTester onMcpServer(String server) {
		return inContext(context().withAttribute(CallAttributes.MCP_SERVER, server));
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
		return call(ToolCall.of(tool, arguments, context()));
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
		return call(ToolCall.of(UUID.randomUUID().toString(), tool, arguments, context()));
	}

	/**
	 * Make a call that has an id and a context already.
	 * @param call the call
	 * @return what became of it
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public TestedToolCall call(ToolCall call) {
		return application().call(call);
	}

	/**
	 * The tools behind the hooks, which remember what they ran.
	 * @return the executor, the same for all testers that come from one
	 */
	public RecordingToolExecutor executor() {
		return application().recorders().tools();
	}

}
