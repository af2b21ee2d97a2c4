package io.agenthooks.spring.binding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.toolcall.ToolHook;

/**
 * Reads the hooks of a YAML text the way a starting application does.
 */
final class HooksYaml {

	private final StandardEnvironment environment = new StandardEnvironment();

	private Function<Object, List<Problem>> validation = (config) -> List.of();

	private HooksYaml() {
		sources().stream().map(PropertySource::getName).toList().forEach(sources()::remove);
	}

	static HooksYaml of(String yaml) {
		return new HooksYaml().add("application.yaml", yaml);
	}

	private HooksYaml add(String file, String yaml) {
		Resource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)) {
			@Override
			public String getDescription() {
				return file;
			}

			@Override
			public String getFilename() {
				return file;
			}
		};
		PropertySourceLoader loader = (file.endsWith(".properties")) ? new PropertiesPropertySourceLoader()
				: new YamlPropertySourceLoader();
		try {
			loader.load(file, resource).forEach((source) -> sources().addFirst(source));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return this;
	}

	HooksYaml over(String file, String yaml) {
		return add(file, yaml);
	}

	HooksYaml withEnvironment(Map<String, Object> variables) {
		sources().addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables));
		return this;
	}

	HooksYaml withProperties(Map<String, Object> properties) {
		sources().addFirst(new MapPropertySource("test", properties));
		return this;
	}

	HooksYaml withValidation(Function<Object, List<Problem>> validation) {
		this.validation = validation;
		return this;
	}

	private MutablePropertySources sources() {
		return this.environment.getPropertySources();
	}

	ConfiguredHooks<ToolHook> read(Collection<ToolHookFactory<?>> factories) {
		return read(HookSection.TOOL_CALL, factories);
	}

	<H extends Hook> ConfiguredHooks<H> read(HookSection<H> section,
			Collection<? extends HookFactory<H, ?>> factories) {
		HooksReader reader = new HooksReader(this.environment, null, this.validation);
		ConfiguredHooks<H> hooks = reader.read(section, factories);
		reader.check();
		return hooks;
	}

	/**
	 * What is wrong with the shape of options below the key {@code a}.
	 */
	List<Mistake> shapeProblems(Class<?> type) {
		StrictBinder binder = new StrictBinder(this.environment, HookConversions.inOrder(null), this.validation);
		PropertyNode options = PropertyNode.rootsOf(this.environment, (property) -> true).get(0).childOrEmpty("a");
		OptionReader reader = new OptionReader(this.environment, HookConversions.inOrder(null), binder.problems());
		reader.readOptions(options, OptionType.of(type), Set.of(), ConfigurationPropertyName.of("a"));
		return binder.problems();
	}

	/**
	 * Add what was written to other sources.
	 */
	void addTo(MutablePropertySources others) {
		sources().forEach(others::addFirst);
	}

	HookPropertySources properties() {
		return HookPropertySources.of(this.environment);
	}

}
