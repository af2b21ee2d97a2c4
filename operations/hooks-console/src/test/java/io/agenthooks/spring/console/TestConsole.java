package io.agenthooks.spring.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;

import io.agenthooks.spring.ThreadsOfTomcat;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * A real application with the console, on a port of its own.
 */
final class TestConsole implements AutoCloseable {

	static final String[] OPEN = { "hooks.console.enabled=true", "hooks.console.insecure=true" };

	static final String[] NO_SECURITY = {
			"spring.autoconfigure.exclude=org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration" };

	private static final String EXPLAIN = "/actuator/toolhooks";

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ConfigurableApplicationContext context;

	private final String address;

	private TestConsole(ConfigurableApplicationContext context) {
		this.context = context;
		ThreadsOfTomcat.outlive(context);
		this.address = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
	}

	static TestConsole start(WebApplicationType type, List<Class<?>> more, String[]... properties) {
		return start(type, Application.class, more, properties);
	}

	/**
	 * Starts an application whose endpoints are those of the starter.
	 */
	static TestConsole startReal(WebApplicationType type, List<Class<?>> more, String[]... properties) {
		return start(type, RealApplication.class, more, properties);
	}

	private static TestConsole start(WebApplicationType type, Class<?> main, List<Class<?>> more,
			String[]... properties) {
		List<Class<?>> sources = new ArrayList<>(more);
		sources.add(main);
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setWebApplicationType(type);
		// Reactor Netty 1.3.6 may stop to read a connection that it keeps (its issue
		// 4361).
		application.setDefaultProperties(
				Map.of("management.endpoints.web.exposure.include", "*", "server.netty.max-keep-alive-requests", "1"));
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--server.address=127.0.0.1", "--spring.main.banner-mode=off",
						"--spring.ai.mcp.server.enabled=false", "--spring.ai.mcp.client.enabled=false"));
		for (String[] each : properties) {
			Arrays.stream(each).map((property) -> "--" + property).forEach(arguments::add);
		}
		return new TestConsole(application.run(arguments.toArray(String[]::new)));
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	String address() {
		return this.address;
	}

	HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
		return send(request(path, headers).GET());
	}

	HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
		return send(request(path, headers).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	private HttpRequest.Builder request(String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.address + path))
			.timeout(Duration.ofSeconds(30));
		return (headers.length > 0) ? request.headers(headers) : request;
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		CompletableFuture<HttpResponse<String>> response = this.client.sendAsync(request.build(),
				HttpResponse.BodyHandlers.ofString());
		try {
			return response.get(1, TimeUnit.MINUTES);
		}
		catch (ExecutionException | TimeoutException ex) {
			response.cancel(true);
			throw new IOException("No answer", ex);
		}
	}

	static String[] as(String user) {
		String both = Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
		return new String[] { "Authorization", "Basic " + both };
	}

	static String[] and(String[] some, String... more) {
		List<String> all = new ArrayList<>(Arrays.asList(some));
		all.addAll(Arrays.asList(more));
		return Objects.requireNonNull(all.toArray(String[]::new));
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * The application. Its endpoints answer what the tests want to see on the page.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
					"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
					"io.agenthooks.spring.actuator.HooksEndpointsAutoConfiguration" })
	static class Application {

		@Bean
		StandIns.Calls standInCalls() {
			return new StandIns.Calls();
		}

		@Bean
		StandIns.Hooks standInHooks() {
			return new StandIns.Hooks();
		}

		@Bean
		Page page() {
			return new Page();
		}

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		Filter explainInMvc(StandIns.Hooks hooks) {
			return (request, response, chain) -> {
				if (request instanceof HttpServletRequest http && http.getMethod().equals("POST")
						&& http.getRequestURI().equals(EXPLAIN)) {
					response.setContentType("application/json");
					response.getOutputStream().write(hooks.explain(request.getInputStream().readAllBytes()));
				}
				else {
					chain.doFilter(request, response);
				}
			};
		}

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		WebFilter explainInWebFlux(StandIns.Hooks hooks) {
			return (exchange, chain) -> {
				ServerHttpRequest request = exchange.getRequest();
				ServerHttpResponse response = exchange.getResponse();
				if (!HttpMethod.POST.equals(request.getMethod()) || !request.getPath().value().equals(EXPLAIN)) {
					return chain.filter(exchange);
				}
				response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
				return response.writeWith(DataBufferUtils.join(request.getBody()).map((body) -> {
					byte[] bytes = new byte[body.readableByteCount()];
					body.read(bytes);
					DataBufferUtils.release(body);
					return response.bufferFactory().wrap(hooks.explain(bytes));
				}));
			};
		}

	}

	/**
	 * An application with tools, and with the endpoints of the starter.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
					"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" })
	static class RealApplication {

		@Bean
		ToolExecutor tools() {
			return new Tools();
		}

	}

	static final class Tools implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("done");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("read_file", "delete_customer");
		}

	}

	/**
	 * A page of the application itself.
	 */
	@RestController
	static class Page {

		@GetMapping({ "/own", "/hooks/own" })
		ResponseEntity<String> own() {
			return ResponseEntity.ok("own");
		}

		@PostMapping("/hooks")
		ResponseEntity<String> posted() {
			return ResponseEntity.ok("posted");
		}

	}

}
