package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;

import io.agenthooks.chain.CallWatch;
import io.agenthooks.spring.observation.HooksObservationAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how far it is from a framework to a hook and to a tool: whoever reads a stack
 * trace reads these methods.
 */
class CallFramesTests {

	private final List<String> toHook = new ArrayList<>();

	private final List<String> toTool = new ArrayList<>();

	@Test
	void callReachesHookAndToolByFewMethods() {
		PreToolHook hook = (call) -> {
			note(this.toHook);
			return ToolDecision.approve();
		};
		Application.run(
				Application.runner(hook)
					.withConfiguration(AutoConfigurations.of(HooksObservationAutoConfiguration.class)),
				(application) -> {
					assertThat(application.context().getBeansOfType(CallWatch.class)).containsKeys("hookMetrics",
							"hooksCallObservations");
					ChatClient client = application.client();
					application.model().calls("weather", "{}").says("done");
					assertThat(client.prompt().user("weather?").tools(new Weather()).call().content())
						.isEqualTo("done");
				});
		assertThat(this.toHook).as(() -> String.join("\n", this.toHook)).isNotEmpty().hasSizeLessThanOrEqualTo(12);
		assertThat(this.toTool).as(() -> String.join("\n", this.toTool)).isNotEmpty().hasSizeLessThanOrEqualTo(6);
	}

	/**
	 * The methods of this library between the framework that calls the tool, and here.
	 */
	private static void note(List<String> frames) {
		StackWalker.getInstance().forEach((frame) -> {
			boolean isOurs = frame.getClassName().startsWith("io.agenthooks.")
					&& !frame.getClassName().startsWith(CallFramesTests.class.getName());
			boolean isLast = !frames.isEmpty() && frames.get(frames.size() - 1).startsWith("GuardedToolCallback.call");
			if (isOurs && !isLast) {
				frames.add(frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1) + "."
						+ frame.getMethodName() + ":" + frame.getLineNumber());
			}
		});
	}

	final class Weather {

		@Tool(description = "Weather")
		String weather() {
			note(CallFramesTests.this.toTool);
			return "sunny";
		}

	}

}
