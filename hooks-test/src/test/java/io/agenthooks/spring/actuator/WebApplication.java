package io.agenthooks.spring.actuator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.InfoEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.actuate.web.server.NettyReactiveManagementContextAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigRegistry;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.http.client.ReactorResourceFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.ThreadsOfTomcat;
import io.agenthooks.spring.answer.AnswerHooksAutoConfiguration;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.audit.AuditAutoConfiguration;
import io.agenthooks.spring.audit.AuditEndpointAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.spring.redact.RedactHooksAutoConfiguration;

/**
 * An application with hooks and the actuator behind a real web server.
 */
final class WebApplication implements AutoCloseable {

	private static final JsonMapper json = JsonMapper.builder().build();

	/** What is read of the classes of configurations, once for all applications. */
	private static final MetadataReaderFactory readers = new CachingMetadataReaderFactory(new DefaultResourceLoader());

	private final HttpClient client = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private final int port;

	private final int ownPort;

	private WebApplication(ConfigurableApplicationContext context, int port, int ownPort) {
		this.context = context;
		this.port = port;
		this.ownPort = ownPort;
	}

	static WebApplication start(Stack stack, String yaml, Class<?>... beans) {
		ConfigurableApplicationContext context = stack.create();
		((BeanDefinitionRegistry) context)
			.getBeanDefinition(AnnotationConfigUtils.CONFIGURATION_ANNOTATION_PROCESSOR_BEAN_NAME)
			.getPropertyValues()
			.add("metadataReaderFactory", readers);
		// As SpringApplication does it
		new ServerPortInfoApplicationContextInitializer().initialize(context);
		context.getEnvironment().setConversionService(new ApplicationConversionService());
		// Reactor Netty 1.3.6 may stop to read a connection that it keeps (its issue
		// 4361).
		TestPropertyValues.of("server.port=0", "server.netty.max-keep-alive-requests=1").applyTo(context);
		addYaml(context.getEnvironment(), yaml);
		ConfigurationPropertySources.attach(context.getEnvironment());
		((AnnotationConfigRegistry) context).register(stack.configuration);
		if (beans.length > 0) {
			((AnnotationConfigRegistry) context).register(beans);
		}
		// That of the management port is another one.
		context.addApplicationListener((WebServerInitializedEvent started) -> ThreadsOfTomcat
			.outlive((ApplicationContext) started.getApplicationContext()));
		context.refresh();
		Integer management = context.getEnvironment().getProperty("local.management.port", Integer.class);
		int port = Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
		return new WebApplication(context, (management != null) ? management : port, port);
	}

	private static void addYaml(ConfigurableEnvironment environment, String yaml) {
		ByteArrayResource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)) {
			@Override
			public String getDescription() {
				return "application.yaml";
			}
		};
		try {
			new YamlPropertySourceLoader().load("application.yaml", resource)
				.forEach((source) -> environment.getPropertySources().addLast(source));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	Reply get(String path) {
		return send(request(path).GET().build());
	}

	Reply post(String path, String body) {
		return send(request(path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build());
	}

	/**
	 * Posts to the port of the application, and not to that of the actuator.
	 */
	Reply postToApplication(String path, String body) {
		return send(request(this.ownPort, path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body))
			.build());
	}

	private HttpRequest.Builder request(String path) {
		return request(this.port, path);
	}

	private static HttpRequest.Builder request(int port, String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).timeout(Duration.ofMinutes(1));
	}

	private Reply send(HttpRequest request) {
		try {
			HttpResponse<String> response = this.client.send(request, HttpResponse.BodyHandlers.ofString());
			return new Reply(response.statusCode(), response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * A reply over HTTP.
	 */
	record Reply(int status, String body) {

		JsonNode json() {
			return json.readTree(this.body);
		}

		String text(String pointer) {
			return json().at(pointer).asString();
		}

	}

	/**
	 * What serves HTTP.
	 */
	enum Stack {

		SERVLET(Servlet.class) {

			@Override
			ConfigurableApplicationContext create() {
				return new AnnotationConfigServletWebServerApplicationContext();
			}

		},

		REACTIVE(Reactive.class) {

			@Override
			ConfigurableApplicationContext create() {
				return new AnnotationConfigReactiveWebServerApplicationContext();
			}

		};

		private final Class<?> configuration;

		Stack(Class<?> configuration) {
			this.configuration = configuration;
		}

		abstract ConfigurableApplicationContext create();

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ HooksEndpointsAutoConfiguration.class, JournalAutoConfiguration.class,
			ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
			AuditAutoConfiguration.class, AuditEndpointAutoConfiguration.class, PolicyHooksAutoConfiguration.class,
			RedactHooksAutoConfiguration.class, AnswerHooksAutoConfiguration.class, JacksonAutoConfiguration.class,
			JacksonEndpointAutoConfiguration.class, EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
			ManagementContextAutoConfiguration.class, InfoContributorAutoConfiguration.class,
			InfoEndpointAutoConfiguration.class })
	static class Common {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class,
			TomcatServletManagementContextAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class, ErrorMvcAutoConfiguration.class,
			HttpMessageConvertersAutoConfiguration.class })
	static class Servlet extends Common {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ NettyReactiveWebServerAutoConfiguration.class,
			NettyReactiveManagementContextAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
			WebFluxAutoConfiguration.class, ErrorWebFluxAutoConfiguration.class, CodecsAutoConfiguration.class })
	static class Reactive extends Common {

		/**
		 * Of its own: the end of another application must not end the server of this one.
		 */
		@Bean
		ReactorResourceFactory reactorResources() {
			ReactorResourceFactory resources = new ReactorResourceFactory();
			resources.setUseGlobalResources(false);
			return resources;
		}

	}

}
