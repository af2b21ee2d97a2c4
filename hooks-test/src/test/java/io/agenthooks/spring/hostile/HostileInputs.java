package io.agenthooks.spring.hostile;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.policy.LlmPolicyConfig;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyLlmHook;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactLlmHook;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.redact.Redactor;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.answer.AnswerHooksAutoConfiguration;
import io.agenthooks.spring.arguments.HostileSchemas;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * A program that gives inputs of up to 40 MB to whatever reads them, and writes what came
 * of it. It is started with little memory, and ends at once if that is used up.
 */
public final class HostileInputs {

	/** Characters of one byte, or half as many of two. */
	private static final int SIZE = 40_000_000;

	private static final PolicyToolHook policy = new PolicyToolHook(
			new PolicyConfig(null, null, null, List.of("rm -rf", "(?i)curl.*[|].*sh")));

	private static final ToolHookChain chain = chain();

	private static final ToolCallback tool = new SpringAiToolHooks(chain)
		.wrap(FunctionToolCallback.builder("tool", (Map<String, Object> input) -> "ran")
			.inputType(Map.class)
			.inputSchema("{\"type\":\"object\"}")
			.build());

	private HostileInputs() {
	}

	private static ToolHookChain chain() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		String cache = "hooks.tool_call.pre_call[0]";
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("cache",
					Map.of(cache + ".type", "cache", cache + ".config.scope", "global")));
		context.registerBean("policy", PreToolHook.class, () -> policy);
		context.register(ToolCallHooksAutoConfiguration.class, AnswerHooksAutoConfiguration.class);
		context.refresh();
		return context.getBean(ToolHookChain.class);
	}

	/**
	 * Run all.
	 */
	public static void main(String[] arguments) {
		texts().forEach(HostileInputs::readText);
		values().forEach(HostileInputs::readValue);
		write("many values", () -> Collections.nCopies(20_000_000, 1));
		write("large numbers", () -> Collections.nCopies(10_000, new BigDecimal("-1.5e999999999")));
		json().forEach((name, json) -> run(name + " as JSON", () -> tool.call(json.get())));
		HostileSchemas.all()
			.forEach((name, hostile) -> run("schema: " + name,
					() -> ToolSchema.of(hostile.schema()).objection(ToolArguments.parse(hostile.arguments()))));
		say("END");
	}

	private static Map<String, Supplier<String>> texts() {
		Map<String, Supplier<String>> texts = new LinkedHashMap<>();
		for (String part : List.of("a", "[", "a@b.cc ", "4111 1111 1111 1111 ", "password=abc1 ")) {
			texts.put(part.repeat(Math.max(1, 10 / part.length())).strip(), () -> part.repeat(SIZE / part.length()));
		}
		for (String part : List.of("\ufdfa", "\u0301", "\u200b", "\ud83d", "\u00ad4")) {
			texts.put("U+%04X".formatted(part.codePointAt(0)), () -> part.repeat(SIZE / 2 / part.length()));
		}
		return texts;
	}

	private static void readText(String name, Supplier<String> text) {
		LlmPolicyConfig patterns = new LlmPolicyConfig(List.of("rm -rf"), null, false, null, null);
		run(name + " in a prompt", () -> new PolicyLlmHook(patterns).preCall(prompt(text.get())).verdict());
		run(name + " in a prompt to redact",
				() -> new RedactLlmHook(RedactConfig.defaults()).preCall(prompt(text.get())).verdict());
		ToolCall call = ToolCall.of("tool", Map.of());
		run(name + " in a result",
				() -> new RedactToolHook(RedactConfig.defaults()).onResult(call, ToolResult.success(text.get()))
					.verdict());
		run(name + " in a shorter result",
				() -> new RedactToolHook(RedactConfig.defaults())
					.onResult(call, ToolResult.success(text.get().substring(0, 3_900_000)))
					.verdict());
		readValue(name, text);
		write(name, text);
	}

	private static LlmCall prompt(String text) {
		return LlmCall.of(LlmMessage.user(text));
	}

	private static Map<String, Supplier<Object>> values() {
		Map<String, Supplier<Object>> values = new LinkedHashMap<>();
		values.put("empty texts", () -> nested(Collections.nCopies(990_000, "")));
		values.put("short texts", () -> nested(Collections.nCopies(900_000, "x")));
		values.put("nulls", () -> nested(Collections.nCopies(900_000, null)));
		values.put("lists", () -> nested(Collections.nCopies(900_000, List.of())));
		values.put("too many values", () -> Collections.nCopies(20_000_000, 1));
		values.put("long texts", () -> Collections.nCopies(10, "\u00fc".repeat(4_000_000)));
		values.put("names", () -> {
			Map<String, Object> names = new LinkedHashMap<>();
			for (int i = 0; i < 400_000; i++) {
				names.put("name" + i, i);
			}
			return names;
		});
		values.put("names that leave the same", () -> {
			Map<String, Object> names = new LinkedHashMap<>();
			for (int i = 0; i < 20_000; i++) {
				names.put("a" + i + "@b.cc", i);
			}
			return names;
		});
		values.put("large number", () -> new BigDecimal("1e999999999"));
		values.put("small number", () -> new BigDecimal("1e-999999999"));
		values.put("large numbers", () -> Collections.nCopies(10_000, new BigDecimal("-1.5e999999999")));
		values.put("long number", () -> BigInteger.ONE.shiftLeft(100_000_000));
		values.put("deep map", () -> {
			Object value = "x".repeat(600_000);
			for (int i = 0; i < 60; i++) {
				value = Map.of("n".repeat(6_000), value);
			}
			return value;
		});
		return values;
	}

	private static Object nested(List<?> list) {
		Object value = list;
		for (int i = 0; i < 60; i++) {
			value = (i % 2 == 0) ? List.of(value, "y") : List.of(value);
		}
		return value;
	}

	private static void readValue(String name, Supplier<? extends Object> value) {
		run(name + " in a call",
				() -> chain.execute(ToolCall.of("tool", Map.of("a", value.get())), (call) -> ToolResult.success("ran"))
					.succeeded());
		run(name + " in a policy", () -> policy.preCall(ToolCall.of("tool", Map.of("a", value.get()))).verdict());
		run(name + " in a redactor", () -> Redactor.ofDefaults().redact(Map.of("a", value.get())).keySet());
	}

	private static void write(String name, Supplier<? extends Object> value) {
		run(name + " to be written", () -> StrictJson.write(Map.of("a", value.get())).length);
		run(name + " to be written as arguments",
				() -> ToolArguments.write(Map.of("a", value.get()), ToolHookChain.DEFAULT_MAX_ARGUMENTS_SIZE).length());
	}

	private static Map<String, Supplier<String>> json() {
		Map<String, Supplier<String>> json = new LinkedHashMap<>();
		json.put("text", () -> "{\"a\":\"" + "a".repeat(SIZE) + "\"}");
		json.put("blank", () -> " ".repeat(SIZE));
		json.put("brackets", () -> "{\"a\":" + "[".repeat(SIZE));
		json.put("ones", () -> "{\"a\":[" + "1,".repeat(SIZE / 2) + "1]}");
		json.put("digits", () -> "{\"a\":" + "9".repeat(SIZE) + "}");
		json.put("large number", () -> "{\"a\":1e999999999}");
		json.put("long number", () -> "{\"a\":" + "9".repeat(8_000_000) + "}");
		json.put("many ones", () -> "{\"a\":[" + "1,".repeat(990_000) + "1]}");
		json.put("many lists", () -> "{\"a\":[" + "[],".repeat(950_000) + "1]}");
		json.put("many empty texts",
				() -> "{\"a\":" + "[".repeat(60) + "\"\",".repeat(950_000) + "1" + "]".repeat(60) + "}");
		json.put("many numbers", () -> "{\"a\":[" + "1e99,".repeat(990_000) + "1]}");
		json.put("many names", () -> {
			StringBuilder text = new StringBuilder("{");
			for (int i = 0; text.length() < 8_000_000; i++) {
				text.append('"').append(i).append("\":1,");
			}
			return text.append("\"a\":1}").toString();
		});
		json.put("escapes", () -> "{\"a\":\"" + "\\ufdfa".repeat(1_390_000) + "\"}");
		return json;
	}

	private static void run(String name, Supplier<? extends @Nullable Object> reader) {
		long start = System.nanoTime();
		Object result;
		try {
			result = reader.get();
		}
		catch (InvalidToolArgumentsException | InvalidJsonException | IllegalArgumentException ex) {
			result = "refused: " + ex.getMessage();
		}
		String text = String.valueOf(result);
		say("%6d ms  %s -> %s".formatted((System.nanoTime() - start) / 1_000_000, name.replaceAll("\\s", " "),
				text.substring(0, Math.min(100, text.length()))));
	}

	private static void say(String line) {
		System.out.println(line);
	}

}
