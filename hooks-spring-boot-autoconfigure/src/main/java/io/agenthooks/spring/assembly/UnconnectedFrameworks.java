package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.guard.UnguardedConsequence;
import io.agenthooks.spring.guard.UnsupportedLibraryException;

/**
 * Frameworks whose calls of tools no adapter of ours leads through the hooks. With one on
 * the class path the start stops as soon as a hook decides, unless it is written that
 * unguarded calls may pass.
 */
final class UnconnectedFrameworks {

	private static final Logger logger = LoggerFactory.getLogger(UnconnectedFrameworks.class);

	private static final Map<String, String> FRAMEWORKS = new TreeMap<>(
			Map.of("the Google ADK", "com.google.adk.tools.BaseTool", "AgentScope", "io.agentscope.core.tool.Toolkit",
					"Embabel", "com.embabel.agent.core.AgentPlatform"));

	private UnconnectedFrameworks() {
	}

	static void check(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
		List<String> present = FRAMEWORKS.entrySet()
			.stream()
			.filter((framework) -> ClassUtils.isPresent(framework.getValue(), beanFactory.getBeanClassLoader()))
			.map(Map.Entry::getKey)
			.toList();
		UnguardedConsequence consequence = UnguardedConsequence.of(environment,
				DecidingHooks.expected(HookSection.TOOL_CALL, beanFactory, environment));
		if (present.isEmpty() || consequence.isNothing()) {
			return;
		}
		String message = "Tools that %s calls pass no hooks: Agent Hooks is not connected with it."
			.formatted(String.join(" or ", present));
		if (consequence.isDenial()) {
			throw new UnsupportedLibraryException(message,
					"Remove the library, or let its tools call the ToolHookChain bean (see the page about loops of your "
							+ "own) and " + UnguardedConsequence.HOW_TO_ALLOW + ".");
		}
		logger.warn(message);
	}

}
