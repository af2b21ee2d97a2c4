package io.agenthooks.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.io.ClassPathResource;

final class ConsoleHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerResource(new ClassPathResource(ConsoleFiles.PAGE, ConsoleFiles.class));
		ConsoleFiles.TYPES.keySet()
			.forEach((name) -> hints.resources().registerResource(new ClassPathResource(name, ConsoleFiles.class)));
	}

}
