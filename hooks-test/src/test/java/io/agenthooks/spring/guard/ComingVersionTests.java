package io.agenthooks.spring.guard;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.EndedProgram;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens with a version of Spring AI that comes later and has further ways to run
 * tools and to ask models: an application with types like those of that version starts,
 * and its guards refuse the ways that they do not know. In 2.1 an application runs the
 * calls that a {@code ToolCallConfirmationPolicy} held back by
 * {@code executeToolCalls(prompt, reply, decisions)}.
 */
class ComingVersionTests {

	@TempDir
	private Path classes;

	@Test
	@Timeout(240)
	void wayThatIsNotKnownIsRefusedAndTheStartSaysSo() throws Exception {
		compile("org/springframework/ai/model/tool/ToolCallDecision.java", """
				package org.springframework.ai.model.tool;
				public record ToolCallDecision(String toolCallId, boolean allowed, String message) {
					public static ToolCallDecision allow(String toolCallId) {
						return new ToolCallDecision(toolCallId, true, null);
					}
				}
				""");
		compile("org/springframework/ai/model/tool/ToolCallingManager.java", """
				package org.springframework.ai.model.tool;
				public interface ToolCallingManager {
					java.util.List<org.springframework.ai.tool.definition.ToolDefinition> resolveToolDefinitions(
							ToolCallingChatOptions options);
					ToolExecutionResult executeToolCalls(org.springframework.ai.chat.prompt.Prompt prompt,
							org.springframework.ai.chat.model.ChatResponse response);
					default ToolExecutionResult executeToolCalls(org.springframework.ai.chat.prompt.Prompt prompt,
							org.springframework.ai.chat.model.ChatResponse response,
							java.util.List<ToolCallDecision> decisions) {
						((ToolCallingChatOptions) prompt.getOptions()).getToolCallbacks().get(0).call("{}");
						return null;
					}
					static DefaultToolCallingManager.Builder builder() {
						return DefaultToolCallingManager.builder();
					}
				}
				""");
		compile("org/springframework/ai/chat/model/ChatModel.java", """
				package org.springframework.ai.chat.model;
				import org.springframework.ai.chat.messages.Message;
				import org.springframework.ai.chat.prompt.ChatOptions;
				import org.springframework.ai.chat.prompt.Prompt;
				public interface ChatModel extends org.springframework.ai.model.Model<Prompt, ChatResponse>,
						StreamingChatModel {
					default String call(String message) {
						return call(new Prompt(message)).getResult().getOutput().getText();
					}
					default String call(Message... messages) {
						return call(new Prompt(messages)).getResult().getOutput().getText();
					}
					@Override
					ChatResponse call(Prompt prompt);
					default ChatOptions getOptions() {
						return ChatOptions.builder().build();
					}
					default ChatOptions getDefaultOptions() {
						return getOptions();
					}
					default reactor.core.publisher.Flux<ChatResponse> stream(Prompt prompt) {
						throw new UnsupportedOperationException();
					}
					default String complete(String text) {
						return call(text);
					}
				}
				""");
		EndedProgram application = EndedProgram
			.run(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
					"-cp", this.classes + File.pathSeparator + System.getProperty("java.class.path"),
					Application.class.getName()));
		assertThat(application.output())
			.contains("is refused: ToolCallingManager.executeToolCalls(Prompt, ChatResponse, List)",
					"is refused: ChatModel.complete(String)", "executeToolCalls: UnknownMethodException",
					"complete: UnknownMethodException", "known way: This is not allowed.")
			.doesNotContain("The tool runs", "The model is asked");
		assertThat(application.status()).isZero();
	}

	private void compile(String name, String source) throws IOException {
		StringWriter messages = new StringWriter();
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}

		};
		boolean compiled = ToolProvider.getSystemJavaCompiler()
			.getTask(messages, null, null,
					List.of("-proc:none", "-parameters", "-d", this.classes.toString(), "-classpath",
							this.classes + File.pathSeparator + System.getProperty("java.class.path")),
					null, List.of(file))
			.call();
		assertThat(compiled).as(messages.toString()).isTrue();
	}

	/**
	 * The application. It calls what a later version has as a user of that version would.
	 */
	@EnableAutoConfiguration
	public static class Application {

		/**
		 * Starts the application and calls both ways.
		 * @param args not used
		 */
		public static void main(String[] args) {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties("spring.ai.mcp.server.enabled=false")
				.run(args)) {
				Prompt prompt = new Prompt("Go",
						ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new Tools())).build());
				ChatResponse response = new ChatResponse(List.of(new Generation(new AssistantMessage("Go"))));
				call(context.getBean(ToolCallingManager.class), "executeToolCalls", prompt, response,
						List.of(allowed()));
				ChatModel model = context.getBean(ChatModel.class);
				call(model, "complete", "Go");
				System.out.println("known way: " + model.call("Go"));
			}
		}

		private static Object allowed() {
			try {
				return Class.forName("org.springframework.ai.model.tool.ToolCallDecision")
					.getMethod("allow", String.class)
					.invoke(null, "call-1");
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private static void call(Object bean, String name, Object... arguments) {
			Stream.of(bean.getClass().getMethods())
				.filter((method) -> method.getName().equals(name) && method.getParameterCount() == arguments.length)
				.forEach((method) -> {
					try {
						System.out.println(name + ": " + method.invoke(bean, arguments));
					}
					catch (InvocationTargetException ex) {
						System.out.println(name + ": " + ex.getTargetException().getClass().getSimpleName());
					}
					catch (IllegalAccessException ex) {
						throw new IllegalStateException(ex);
					}
				});
		}

		@Bean
		ChatModel model() {
			return (prompt) -> {
				System.out.println("The model is asked");
				return new ChatResponse(List.of(new Generation(new AssistantMessage("Yes"))));
			};
		}

		@Bean
		PreLlmHook noQuestions() {
			return (call) -> LlmDecision.deny("No");
		}

		@Bean
		PreToolHook noTools() {
			return (call) -> ToolDecision.deny("No");
		}

	}

	/**
	 * The tools of the application.
	 */
	static class Tools {

		@Tool
		String run() {
			System.out.println("The tool runs");
			return "";
		}

	}

}
