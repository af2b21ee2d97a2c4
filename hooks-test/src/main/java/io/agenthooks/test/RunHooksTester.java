package io.agenthooks.test;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunHook;

/**
 * Makes runs of an agent through hooks and reports their outcome: <pre class="code">
 * RunHooksTester hooks = RunHooksTester.ofHooks(new WorkingHours());
 * assertThat(hooks.run("Pay all invoices")).isDenied().byHook("workingHours");
 * assertThat(hooks.agent().runs()).isEmpty();
 * </pre>
 * <p>
 * It works as {@link ToolHooksTester} does: {@code with...} returns a tester with an
 * application of its own, {@code as...} and {@code in...} return one that calls the same
 * application on behalf of someone else, and {@link #toolCalls()} and
 * {@link #modelCalls()} return testers of the other kinds for the same application.
 *
 * @since 0.1.0
 */
public final class RunHooksTester extends HooksTester<RunHooksTester> {

	RunHooksTester(TestApplication application, CallContext context) {
		super(application, context);
	}

	private static RunHooksTester of(@Nullable ConfigFile config) {
		return new RunHooksTester(new TestApplication(new Recorders(), TestSettings.of(config)), CallContext.empty());
	}

	@Override
	RunHooksTester with(TestApplication application, CallContext context) {
		return new RunHooksTester(application, context);
	}

	/**
	 * Test the hooks of a configuration.
	 * @param yaml what would stand in {@code application.yaml}, from {@code hooks:} on
	 * @return the tester
	 */
	public static RunHooksTester ofYaml(String yaml) {
		return of(ConfigFile.ofText(yaml));
	}

	/**
	 * Test the hooks of a configuration file, with the files of its profiles and what it
	 * imports.
	 * @param location where the file is, as {@code classpath:application.yaml}; without a
	 * prefix, the path of a file
	 * @return the tester
	 */
	public static RunHooksTester ofFile(String location) {
		return of(ConfigFile.ofLocation(location));
	}

	/**
	 * Test hooks as the beans that they would be in an application. They are asked in
	 * this order, unless {@code @Order} says otherwise.
	 * @param hooks the hooks, named as {@link #withBean(Object)} names beans
	 * @return the tester
	 */
	public static RunHooksTester ofHooks(RunHook... hooks) {
		RunHooksTester tester = of(null);
		for (RunHook hook : hooks) {
			tester = tester.withBean(hook);
		}
		return tester;
	}

	/**
	 * Let the agent answer what a person wrote, in a run with an id of its own. Neither
	 * an abort nor an exception of the agent is thrown; an {@link Error} is, as it may be
	 * a failed assertion.
	 * @param prompt what the person wrote
	 * @return what became of the run
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public TestedRun run(String prompt) {
		return run(AgentRun.of(prompt, context()));
	}

	/**
	 * Make a run that has an id and a context already.
	 * @param run the run
	 * @return what became of it
	 * @throws IllegalStateException if the application does not {@linkplain #start()
	 * start}
	 */
	public TestedRun run(AgentRun run) {
		return application().run(run);
	}

	/**
	 * The agent behind the hooks, which remembers the runs that began.
	 * @return the agent, the same for all testers that come from one
	 */
	public RecordingAgent agent() {
		return application().recorders().agent();
	}

}
