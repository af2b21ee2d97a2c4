package io.agenthooks.spring.redact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.redact.Redactor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that texts which other libraries write are redacted as the values that they are.
 */
class YamlRedactionTests {

	private static final List<String> NAMES = List.of("a", "password", "apiKey", "tokens", "name", "value", "env",
			"nextPageToken", "secret", "user", "Authorization", "headers", "pass", "db-config");

	private static final List<@Nullable Object> SCALARS = Arrays.asList("x1", "DB_PASSWORD", "hunter2", 12, 1.5, true,
			null, "", "it's: \"q\" #1", "bob@example.com", "password=hunter2", "two\nlines\n", "S3cr3t\nof 2\nlines",
			"- a", "[b", "{c: d}", "*e", "a".repeat(100) + " b c1 ".repeat(30), "--token", "[redacted:password]");

	private final Redactor redactor = Redactor.ofDefaults();

	@ParameterizedTest
	@EnumSource(value = FlowStyle.class, names = { "BLOCK", "AUTO" })
	@Timeout(120)
	void redactedYamlOfAValueIsTheRedactedValue(FlowStyle style) {
		DumperOptions options = new DumperOptions();
		options.setDefaultFlowStyle(style);
		Yaml yaml = new Yaml(options);
		Random random = new Random(7);
		for (int i = 0; i < 1_500; i++) {
			Map<String, @Nullable Object> value = new LinkedHashMap<>();
			value.put("password", "S3cr3t" + i);
			value.put("rest", of(random, 3));
			String text = yaml.dump(value);
			String redacted = this.redactor.redact(text);
			assertThat(yaml.<Object>load(redacted)).as(text).isEqualTo(this.redactor.redact(value));
			assertThat(this.redactor.redact(redacted)).as(text).isEqualTo(redacted);
		}
	}

	@Timeout(120)
	@Test
	void redactedJsonOfAValueIsTheJsonOfTheRedactedValue() {
		JsonMapper mapper = JsonMapper.builder().build();
		Random random = new Random(8);
		for (int i = 0; i < 1_500; i++) {
			Map<String, @Nullable Object> value = new LinkedHashMap<>();
			value.put("rest", of(random, 4));
			String json = mapper.writeValueAsString(value);
			assertThat(this.redactor.redact(json)).as(json)
				.isEqualTo(mapper.writeValueAsString(this.redactor.redact(value)));
			String pretty = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(value);
			assertThat(mapper.readTree(this.redactor.redact(pretty)))
				.isEqualTo(mapper.valueToTree(this.redactor.redact(value)));
		}
	}

	private static Object of(Random random, int depth) {
		if (random.nextInt(3) == 0) {
			List<@Nullable Object> list = new ArrayList<>();
			for (int i = random.nextInt(4); i > 0; i--) {
				list.add(element(random, depth));
			}
			return list;
		}
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = random.nextInt(4); i > 0; i--) {
			map.put(NAMES.get(random.nextInt(NAMES.size())), element(random, depth));
		}
		return map;
	}

	private static @Nullable Object element(Random random, int depth) {
		return (depth == 0 || random.nextBoolean()) ? SCALARS.get(random.nextInt(SCALARS.size()))
				: of(random, depth - 1);
	}

}
