package io.agenthooks.spring.binding;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.util.ClassUtils;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the JSON schema of the configuration, {@code docs/hooks.schema.json}: it is
 * that of the types which the strict reader reads, and agrees with it.
 */
class HooksSchemaTests {

	private static final Path FILE = Path.of("../docs/hooks.schema.json");

	/** Set to write the file instead of comparing it. */
	private static final String WRITE = "WRITE_SCHEMA";

	private static final JsonMapper JSON = new JsonMapper();

	private static final AutoConfigurations OURS = ours();

	private static final Map<String, Map<String, Class<?>>> types = new LinkedHashMap<>();

	private static String made;

	private static Schema schema;

	@BeforeAll
	static void make() {
		for (HookSection<?> section : HookSection.ALL) {
			types.put(section.key(), new TreeMap<>(Map.of("bean", BeanConfig.class)));
		}
		ApplicationContextRunner all = application()
			.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true");
		all.run((context) -> {
			List<Class<?>> kinds = List.of(ToolHookFactory.class, LlmHookFactory.class, RunHookFactory.class);
			for (HookFactory<?, ?> factory : context.getBeansOfType(HookFactory.class).values()) {
				int kind = 0;
				while (!kinds.get(kind).isInstance(factory)) {
					kind++;
				}
				typesOf(HookSection.ALL.get(kind).key()).put(factory.type(), factory.configType());
			}
		});
		Map<String, Set<String>> required = new TreeMap<>();
		HookSection.ALL.forEach((section) -> typesOf(section.key()).keySet()
			.forEach((type) -> required.put(section.key() + "/" + type, missing(section, type))));
		made = new HooksSchema(types, required).write();
		schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(made, InputFormat.JSON);
	}

	private static Map<String, Class<?>> typesOf(String section) {
		return Objects.requireNonNull(types.get(section));
	}

	/**
	 * All that the starter configures, in its order: to sort it takes as long as a start.
	 */
	private static AutoConfigurations ours() {
		Class<?>[] all = Stream
			.of(ImportCandidates.load(AutoConfiguration.class, HooksSchemaTests.class.getClassLoader())
				.getCandidates()
				.toArray(String[]::new))
			.filter((name) -> name.startsWith("io.agenthooks."))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.toArray(Class<?>[]::new);
		return AutoConfigurations.of(all);
	}

	private static ApplicationContextRunner application() {
		return new ApplicationContextRunner().withConfiguration(OURS);
	}

	/**
	 * What the start says is missing in an entry that says its type only.
	 */
	private static Set<String> missing(HookSection<?> section, String type) {
		String entry = "hooks." + section.key() + "." + section.pre() + "[0].";
		Set<String> missing = new TreeSet<>();
		// Where there is nobody to ask, an entry of the type 'approval' is a mistake.
		problems(application(), "hooks.approval.enabled=true", "hooks.approval.approvers=A", entry + "type=" + type)
			.stream()
			.map(Mistake::property)
			.filter((property) -> property.startsWith(entry + "config"))
			.map((property) -> property.substring(entry.length() + "config".length()).replaceFirst("^\\.", ""))
			.forEach(missing::add);
		return missing;
	}

	private static List<Mistake> problems(ApplicationContextRunner application, String... properties) {
		List<Mistake> problems = new ArrayList<>();
		application.withPropertyValues(properties).run((context) -> {
			for (Throwable ex = context.getStartupFailure(); ex != null; ex = ex.getCause()) {
				if (ex instanceof InvalidHooksConfigurationException invalid) {
					problems.addAll(invalid.getProblems());
				}
			}
		});
		return problems;
	}

	@Test
	void fileInTheDocsIsTheOneThatIsMadeOfTheTypes() throws IOException {
		if (System.getenv(WRITE) != null) {
			Files.writeString(FILE, made);
		}
		assertThat(Files.readString(FILE))
			.as("Run this test with the environment variable %s=true, and commit %s", WRITE, FILE.getFileName())
			.isEqualTo(made);
	}

	@Test
	void schemaIsValid() {
		Schema draft7 = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
			.getSchema(SchemaLocation.of("http://json-schema.org/draft-07/schema#"));
		assertThat(draft7.validate(made, InputFormat.JSON)).isEmpty();
	}

	@Test
	void everyOptionHasADescription() {
		List<String> without = new ArrayList<>();
		JSON.readTree(made).get("definitions").properties().forEach((definition) -> {
			if (!definition.getKey().equals("hooks")) {
				definition.getValue().path("properties").properties().forEach((option) -> {
					if (!option.getValue().has("description")) {
						without.add(definition.getKey() + "." + option.getKey());
					}
				});
			}
		});
		assertThat(without).isEmpty();
	}

	@Test
	void keysAndTypesAreThoseThatTheReaderNames() {
		JsonNode definitions = JSON.readTree(made).get("definitions");
		assertThat(named("hooks.no_key=1", "keys below 'hooks' are: "))
			.isEqualTo(definitions.at("/hooks/properties").propertyNames());
		for (HookSection<?> section : HookSection.ALL) {
			String key = section.key();
			assertThat(named("hooks." + key + ".no_key=1", "keys here are: "))
				.isEqualTo(new TreeSet<>(definitions.get(key).get("properties").propertyNames()));
			assertThat(named("hooks.%s.%s[0].type=no_type".formatted(key, section.pre()), "The types are "))
				.isEqualTo(typesOf(key).keySet());
		}
	}

	private static Set<String> named(String property, String before) {
		String action = problems(application(), property).get(0).action();
		return new TreeSet<>(List
			.of(action.substring(action.indexOf(before) + before.length()).split("[.;]", 2)[0].split(", ", -1)));
	}

	static Stream<String> right() {
		return Stream.of("hooks: {tool_call: {pre_call: [{type: passthrough}]}}", "other: {a: 1}", "hooks:",
				"hooks: {tool_call: }", "hooks: {tool-call: {preCall: [{type: passthrough, failOpen: true}]}}",
				"hooks: {TOOL_CALL: {PRECALL: [{type: passthrough, FAIL-OPEN: 'yes'}]}}",
				"hooks: {tool_call: {pre_call: {mine: {type: passthrough, order: 10}}}}",
				"hooks: {tool_call: {enabled: '${X:true}', max_arguments_size: '${X:1MB}', unguarded: Warn}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, order: '${X:1}', timeout: '${X:2s}', mode: '${X:observe}'}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, match: run_it, except: [a], agents: x}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_tools: a}}], replaces: [x]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {denyTools: [a]}}], replaces: 'x,y'}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_argument_patterns: {a: x, b: [x], c.d: x, e: {f: x}}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config.deny_tools: [a]}]}}",
				"hooks.tool_call.pre_call: [{type: passthrough}]", "hooks: {tool_call.pre_call: [{type: passthrough}]}",
				"hooks: {tool_call: {pre_call: [{type: webhook, enabled: false}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, for: cursor, config: {command: 'sh b', fail_open: false}}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, config: {command: 'sh b', for: gemini-cli}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_tools: [a]}, prove: {tool: a}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_tools: [a, e]}, Prove: [{tool: a, arguments: {b: [1, {c: d}]}}, {Tool: e}]}]}}",
				"hooks: {tool_call: {pre_call: [{type: webhook, config: {URL: 'http://localhost:1', timeout: 2, failOpen: false}}]}}",
				"hooks: {tool_call: {pre_call: [{type: webhook, fail_open: false, config: {url: 'http://localhost:1', timeout: PT2S, max_response_size: 1MB}}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, config: {command: [sh, b], env: {A: b}, fail_open: false}}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, config: {command: 'sh b', output_limit: 1024, fail_open: false}}]}}",
				"hooks: {tool_call: {pre_call: [{type: respond, config: {content: ''}}]}}",
				"hooks: {tool_call: {pre_call: [{type: respond, config: {content: }}]}}",
				"hooks: {tool_call: {pre_call: [{type: cache}]}}",
				"hooks: {tool_call: {pre_call: [{type: cache, config: {ttl: '${X:5m}', max_entries: '${X:5}', scope: '${X:user}'}}]}}",
				"hooks: {tool_call: {pre_call: [{type: cache, config: {ttl: 5m, scope: SESSION, max_entries: '10'}}]}}",
				"hooks: {tool_call: {pre_call: [{type: rate_limit, config: {limit: 3 per session}}]}}",
				"hooks: {tool_call: {pre_call: [{type: rate_limit, config: {limit: [1 per 1s, '${X:2 per 1m}'], key: all, count: SUCCEEDED, then: ask, max_keys: '9'}}]}}",
				"hooks: {tool_call: {pre_call: [{type: rate_limit, config: {limit: 1 per run, key: [run, tool], missing: skip, forget_after: 1h}}]}}",
				"hooks: {tool_call: {pre_call: [{type: concurrency, timeout: 5s, config: {max_concurrent: 2, key: user}}]}}",
				"hooks: {tool_call: {pre_call: [{type: budget, config: {limit: 2000, sum: args.amount, key: user, per: day}}]}}",
				"hooks: {tool_call: {pre_call: [{type: budget, config: {limit: '0.5', sum: args.a.b, key: [user, tool], per: month, time_zone: Europe/Berlin, warn_at: 0.8, then: ASK}}]}}",
				"hooks: {tool_call: {pre_call: [{type: loop}, {type: loop, name: b, config: {repeats: {warn: 3, deny: '5'}, calls: {abort: 9}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: flow, config: {untrusted: ['read_*', {mcp_servers: ['*']}], trusted: lookup, private: [list_files], sinks: [{tools: [send], named_by: {to: [user, trusted, {list: ['*@example.com']}], amount: user}}, {tools: [post]}], then: ask}}]}}",
				"hooks: {tool_call: {post_call: [{type: alert, config: {outcomes: [denied, FAILED_OPEN]}}]}}",
				"hooks: {tool_call: {post_call: [{type: alert, config: {when: tool.name == 'a', times: '5', within: 1m, key: [session, HOOK], silence: 0s, webhook: {url: 'http://localhost:1/'}}}]}}",
				"hooks: {tool_call: {post_call: [{type: redact}, {type: redact, name: b, config: }]}}",
				"hooks: {llm_call: {pre_call: [{type: policy, config: {deny_patterns: [a], roles: [user, SYSTEM]}}]}}",
				"hooks: {llm_call: {pre_call: [{type: budget, config: {limit: 5, per: day, key: user, sum: cost, prices: [{model: a, input: 1.5, output: '2'}], default_price: {input: 1, output: 2}}}]}}",
				"hooks: {run: {pre_run: [], post_run: }}");
	}

	@ParameterizedTest
	@MethodSource("right")
	void schemaAndReaderTakeWhatIsRight(String yaml) {
		assertThat(objections(yaml)).isEmpty();
		assertThat(mistakes(yaml)).isEmpty();
	}

	static Stream<String> wrong() {
		return Stream.of("hooks: text", "hooks: {toolcalls: {}}", "hooks: {tool_call: {pre_calls: []}}",
				"hooks: {tool_call: text}", "hooks: {tool_call: {enabled: maybe}}",
				"hooks: {tool_call: {unguarded: denied}}", "hooks: {tool_call: {max_arguments_size: large}}",
				"hooks: {tool_call: {pre_call: text}}", "hooks: {tool_call: {pre_call: [text]}}",
				"hooks: {tool_call: {pre_call: [{match: a}]}}", "hooks: {tool_call: {pre_call: {type: policy}}}",
				"hooks: {tool_call: {pre_call: {mine: {type: passthrough, name: other}}}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, macth: [a]}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, mode: off}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, order: first}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, order: 1.5}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, order: 3000000000}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, order: }]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, timeout: soon}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, timeout: [1]}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, timeout: 2 weeks}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, fail_open: perhaps}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, match: 'a,b'}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, match: [1]}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, match: {a: b}}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, name: 5}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, config: {a: 1}}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, prove: a}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, for: emacs, config: {command: 'sh b'}}]}}",
				"hooks: {llm_call: {pre_call: [{type: command, for: cursor, config: {command: 'sh b'}}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, prove: []}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, prove: {tool: a, args: {b: c}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: passthrough, prove: [{tool: a, arguments: b}]}]}}",
				"hooks: {llm_call: {pre_call: [{type: passthrough, prove: {tool: a}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_tool: [a]}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, deny_tools: [a]}]}}",
				"hooks: {tool_call: {pre_call: {mine: {type: policy, config: {deny_tool: [a]}}}}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_tools: [true]}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_argument_patterns: [a]}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_argument_patterns: text}}]}}",
				"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_argument_patterns: {$ref: [a]}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: webhook}]}}",
				"hooks: {tool_call: {pre_call: [{type: webhook, config: {timeout: 1s}}]}}",
				"hooks: {tool_call: {pre_call: [{type: bean, config: {}}]}}",
				"hooks: {tool_call: {pre_call: [{type: webhook, config: {url: 'http://localhost:1', max_response_size: 1XB}}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, config: {command: []}}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, config: {command: {a: b}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: command, config: {command: a, env: {A: 1}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: process, config: {command: a, restart: 3}}]}}",
				"hooks: {tool_call: {pre_call: [{type: process, config: {command: a, restart: {attempt: 3}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: cache, config: {ttl: 1m, scope: everybody}}]}}",
				"hooks: {tool_call: {pre_call: [{type: flow, config: {untrusted: ['read_*'], sinks: {tools: [send]}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: flow, config: {untrusted: ['read_*'], sinks: [{tool: send}]}}]}}",
				"hooks: {tool_call: {pre_call: [{type: flow, config: {untrusted: ['read_*'], sinks: [{tools: send, named_by: {to: [{beans: x}]}}]}}]}}",
				"hooks: {tool_call: {post_call: [{type: alert, config: {outcomes: [deny]}}]}}",
				"hooks: {tool_call: {post_call: [{type: alert, config: {outcomes: [denied], key: claim}}]}}",
				"hooks: {tool_call: {post_call: [{type: alert, config: {outcomes: [denied], webhook: 'http://localhost:1/'}}]}}",
				"hooks: {tool_call: {post_call: [{type: alert, config: {outcomes: [denied], webhook: {uri: 'http://localhost:1/'}}}]}}",
				"hooks: {tool_call: {pre_call: [{type: rate_limit}]}}",
				"hooks: {tool_call: {pre_call: [{type: rate_limit, config: {key: user}}]}}",
				"hooks: {tool_call: {pre_call: [{type: rate_limit, config: {limit: 3 per session, then: warn}}]}}",
				"hooks: {tool_call: {pre_call: [{type: concurrency}]}}",
				"hooks: {tool_call: {pre_call: [{type: budget, config: {limit: 2000, key: user}}]}}",
				"hooks: {tool_call: {pre_call: [{type: budget, config: {per: session}}]}}",
				"hooks: {tool_call: {pre_call: [{type: budget, config: {limit: 5, per: session, then: warn}}]}}",
				"hooks: {tool_call: {pre_call: [{type: loop, config: {repeats: 5}}]}}",
				"hooks: {tool_call: {post_call: [{type: redact, config: {strategy: hide}}]}}",
				"hooks: {llm_call: {pre_call: [{type: redact, mcp_servers: [a]}]}}",
				"hooks: {llm_call: {pre_call: [{type: policy, config: {deny_tools: [a]}}]}}",
				"hooks: {llm_call: {pre_call: [{type: budget, config: {limit: 5, per: session, sum: args.amount}}]}}",
				"hooks: {llm_call: {pre_call: [{type: budget, config: {limit: 5, per: session, then: ask}}]}}",
				"hooks: {run: {pre_call: []}}",
				"hooks: {run: {pre_run: [{type: bean, match: [a], config: {bean: b}}]}}");
	}

	@ParameterizedTest
	@MethodSource("wrong")
	void schemaAndReaderRefuseWhatIsWrong(String yaml) {
		assertThat(objections(yaml)).isNotEmpty();
		assertThat(mistakes(yaml)).isNotEmpty();
	}

	/**
	 * What only the start finds; the page about editors says so.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "hooks: {tool_call: {pre_call: [{type: polcy}]}}",
			"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_tools: ['a.*']}}]}}",
			"hooks: {tool_call: {pre_call: [{type: policy, config: {deny_any_argument_patterns: ['(']}}]}}",
			"hooks: {tool_call: {pre_call: [{type: passthrough, fail_open: true, failOpen: true}]}}",
			"hooks: {tool_call: {pre_call: [{type: passthrough, timeout: 10h}]}}",
			"hooks: {tool_call: {pre_call: [{type: passthrough, name: '${NO_SUCH_THING}'}]}}" })
	void readerAloneRefusesWhatNoSchemaSays(String yaml) {
		assertThat(objections(yaml)).isEmpty();
		assertThat(mistakes(yaml)).isNotEmpty();
	}

	static Stream<String> values() {
		return Stream.of("", "text", "'a,b'", "''", "'[a]'", "true", "'yes'", "1", "'1'", "1.5", "-1", "3000000000",
				"0x10", "5s", "'5 s'", "PT5S", "1.5s", "1MB", "1mb", "[]", "[text]", "[1]", "[[text]]", "[a, ]", "{}",
				"{a: text}", "{a: [text]}", "{a: 1}", "{a: {b: text}}", "{$a: text}", "{'[$a]': text}");
	}

	/**
	 * For each option of each type of hook, both say the same of each shape of value.
	 */
	@ParameterizedTest
	@MethodSource("values")
	void schemaAndReaderSayTheSameOfEveryOption(String value) {
		List<String> differences = new ArrayList<>();
		for (HookSection<?> section : HookSection.ALL) {
			typesOf(section.key())
				.forEach((type, config) -> OptionType.of(config).options().values().forEach((option) -> {
					String text = "a: {%s: %s}".formatted(option.displayName(), value);
					boolean taken = isTaken(text, config);
					boolean allowed = objections("hooks: {%s: {%s: {mine: {type: %s, config: %s}}}}"
						.formatted(section.key(), section.pre(), type, text.substring(3))).isEmpty();
					if (taken != allowed) {
						differences.add("%s %s: %s".formatted(type, text,
								(taken) ? "only the reader takes it" : "only the schema allows it"));
					}
				}));
		}
		assertThat(differences).isEmpty();
	}

	private static boolean isTaken(String yaml, Class<?> config) {
		return HooksYaml.of(yaml).shapeProblems(config).isEmpty();
	}

	private static List<String> objections(String yaml) {
		Object data = new Yaml().load(yaml);
		return schema.validate(JSON.<JsonNode>valueToTree(data)).stream().map(Object::toString).toList();
	}

	private static List<Mistake> mistakes(String yaml) {
		return problems(application()
			.withInitializer((context) -> HooksYaml.of(yaml).addTo(context.getEnvironment().getPropertySources())));
	}

	@Test
	void schemaIsInTheJar() throws IOException {
		try (InputStream file = HooksSchemaTests.class.getResourceAsStream("/META-INF/agent-hooks/hooks.schema.json")) {
			assertThat(file).hasContent(Files.readString(FILE));
		}
	}

}
