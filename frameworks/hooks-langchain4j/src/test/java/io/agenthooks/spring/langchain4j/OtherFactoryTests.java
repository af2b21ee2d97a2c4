package io.agenthooks.spring.langchain4j;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.spi.services.AiServiceContextFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * LangChain4j takes the first factory that it finds, and keeps it for ever. So this loads
 * everything anew, with the factory of somebody else in front of ours.
 */
@ExtendWith(OutputCaptureExtension.class)
class OtherFactoryTests {

	@Test
	void startTellsThatAnotherFactoryWins(@TempDir Path directory, CapturedOutput output) throws Exception {
		start("warn", directory);
		assertThat(output).containsOnlyOnce("Calls of the tools of LangChain4j's AI services pass no hooks")
			.contains("another AiServiceContextFactory makes them: they are of class " + OtherContext.class.getName());
	}

	@Test
	void nothingStartsIfAnotherFactoryWinsAndThatIsForbidden(@TempDir Path directory) {
		assertThatIllegalStateException().isThrownBy(() -> start("deny", directory))
			.withMessageContaining("pass no hooks")
			.withMessageContaining("set 'hooks.tool_call.unguarded' to 'warn'");
	}

	@Test
	void nobodyLooksIfTheApplicationDoesNotWantToKnow(@TempDir Path directory, CapturedOutput output) throws Exception {
		start("ignore", directory);
		assertThat(output).doesNotContain("pass no hooks");
	}

	@SuppressWarnings("unchecked")
	private static void start(String unguarded, Path directory) throws Exception {
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader classes = new URLClassLoader(classPath(directory), ClassLoader.getPlatformClassLoader())) {
			Thread.currentThread().setContextClassLoader(classes);
			((Consumer<String>) classes.loadClass(Application.class.getName()).getConstructor().newInstance())
				.accept(unguarded);
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	private static URL[] classPath(Path first) throws IOException {
		Path services = Files.createDirectories(first.resolve("META-INF/services"));
		Files.writeString(services.resolve(AiServiceContextFactory.class.getName()), OtherFactory.class.getName());
		List<URL> urls = new ArrayList<>(List.of(first.toUri().toURL()));
		Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(OtherFactoryTests::url)
			.forEach(urls::add);
		return urls.toArray(URL[]::new);
	}

	private static URL url(String entry) {
		try {
			return Path.of(entry).toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * An application with hooks.
	 */
	public static final class Application implements Consumer<String> {

		@Override
		public void accept(String unguarded) {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("test", Map.of("hooks.tool_call.unguarded", unguarded)));
				context.register(ToolCallHooksAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class);
				context.refresh();
			}
		}

	}

	/**
	 * The factory of somebody else.
	 */
	public static final class OtherFactory implements AiServiceContextFactory {

		@Override
		public AiServiceContext create(Class<?> aiServiceClass) {
			return new OtherContext(aiServiceClass);
		}

	}

	private static final class OtherContext extends AiServiceContext {

		OtherContext(Class<?> aiServiceClass) {
			super(aiServiceClass);
		}

	}

}
