package io.agenthooks.spring.approval;

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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.PlainPasswords;
import io.agenthooks.spring.ThreadsOfTomcat;

/**
 * A real application with questions, on a port of its own.
 */
final class TestApprovalServer implements AutoCloseable {

	static final String PATH = "/hooks/approvals";

	private static final JsonMapper json = new JsonMapper();

	private final HttpClient client;

	private final ConfigurableApplicationContext context;

	private final String address;

	private final boolean lent;

	private TestApprovalServer(ConfigurableApplicationContext context, HttpClient client, boolean lent) {
		this.context = context;
		this.client = client;
		this.lent = lent;
		ThreadsOfTomcat.outlive(context);
		this.address = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
	}

	/**
	 * Start an application with people and no other chain than that of Spring Boot.
	 */
	static TestApprovalServer start(WebApplicationType type, Class<?>... more) {
		List<Class<?>> all = new ArrayList<>(Arrays.asList(more));
		all.add((type == WebApplicationType.SERVLET) ? MvcUsers.class : WebFluxUsers.class);
		all.add(Approvers.class);
		return start(type, all);
	}

	static TestApprovalServer start(WebApplicationType type, List<Class<?>> more, String... properties) {
		List<Class<?>> sources = new ArrayList<>(more);
		sources.add(Application.class);
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setWebApplicationType(type);
		// Reactor Netty 1.3.6 may stop to read a connection that it keeps (its issue
		// 4361).
		application.setDefaultProperties(Map.of("server.netty.max-keep-alive-requests", "1"));
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--server.address=127.0.0.1", "--spring.main.banner-mode=off",
						"--spring.ai.mcp.server.enabled=false", "--spring.ai.mcp.client.enabled=false"));
		Arrays.stream(properties).map((property) -> "--" + property).forEach(arguments::add);
		return new TestApprovalServer(application.run(arguments.toArray(String[]::new)),
				HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), false);
	}

	/**
	 * The same server for one of the tests that share it: its end leaves no question.
	 */
	TestApprovalServer lend() {
		return new TestApprovalServer(this.context, this.client, true);
	}

	/**
	 * Start an application whose chain wants a login, and no token.
	 */
	static TestApprovalServer startWithoutTokens(WebApplicationType type) {
		return start(type, (type == WebApplicationType.SERVLET) ? MvcWithoutTokens.class : WebFluxWithoutTokens.class);
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	MemoryApprovals approvals() {
		return this.context.getBean(MemoryApprovals.class);
	}

	HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
		return send(request(path, headers).GET());
	}

	HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
		return send(request(path, and(headers, "Content-Type", "application/json"))
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	HttpRequest.Builder request(String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.address + path))
			.timeout(Duration.ofSeconds(30));
		return (headers.length > 0) ? request.headers(headers) : request;
	}

	HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
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

	/**
	 * Listen to events.
	 */
	Events events(String... headers) throws Exception {
		return eventsOf(PATH + "/events", headers);
	}

	Events eventsOf(String path, String... headers) throws Exception {
		HttpResponse<Stream<String>> response = this.client
			.sendAsync(request(path, headers).GET().build(), HttpResponse.BodyHandlers.ofLines())
			.get(30, TimeUnit.SECONDS);
		return new Events(response);
	}

	/**
	 * The headers of a person with a token against forged requests.
	 */
	String[] withToken(String person) throws Exception {
		HttpResponse<String> list = get(PATH, as(person));
		JsonNode csrf = json.readTree(list.body()).get("csrf");
		String cookie = list.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
		return and(as(person), "Cookie", cookie, csrf.get("header").asString(), csrf.get("token").asString());
	}

	static String[] as(String person, String... more) {
		String both = Base64.getEncoder().encodeToString((person + ":" + person).getBytes(StandardCharsets.UTF_8));
		return and(new String[] { "Authorization", "Basic " + both }, more);
	}

	static String[] and(String[] some, String... more) {
		return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
	}

	private static UserDetails[] users() {
		return Stream.of("ann", "bob", "eve")
			.map((name) -> User.withUsername(name)
				.password(name)
				.authorities("ROLE_USER", (name.equals("eve")) ? "ROLE_GUEST" : MemoryApprovals.APPROVER)
				.build())
			.toArray(UserDetails[]::new);
	}

	@Override
	public void close() {
		if (this.lent) {
			approvals().forget();
		}
		else {
			this.context.close();
		}
	}

	/**
	 * What a client hears.
	 */
	static final class Events implements AutoCloseable {

		private final HttpResponse<Stream<String>> response;

		private final Queue<String> lines = new ConcurrentLinkedQueue<>();

		private volatile boolean ended;

		Events(HttpResponse<Stream<String>> response) {
			this.response = response;
			Thread reader = new Thread(this::read, "events of a test");
			reader.setDaemon(true);
			reader.start();
		}

		private void read() {
			try {
				this.response.body().forEach(this.lines::add);
				this.ended = true;
			}
			catch (RuntimeException ex) {
				this.lines.add("broken: " + ex);
			}
		}

		int status() {
			return this.response.statusCode();
		}

		HttpResponse<?> response() {
			return this.response;
		}

		List<String> lines() {
			return List.copyOf(this.lines);
		}

		/**
		 * Whether the server ended it in good order.
		 */
		boolean ended() {
			return this.ended;
		}

		@Override
		public void close() {
			this.response.body().close();
		}

	}

	/**
	 * The application.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
					"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" })
	static class Application {

		@Bean
		MemoryApprovals approvals(ApplicationEventPublisher publisher) {
			return new MemoryApprovals(publisher);
		}

		/**
		 * Of its own: whichever application ends closes those that all share.
		 */
		@Bean
		ReactorResourceFactory reactorResources() {
			ReactorResourceFactory resources = new ReactorResourceFactory();
			resources.setUseGlobalResources(false);
			resources.setShutdownQuietPeriod(Duration.ZERO);
			return resources;
		}

		@Bean
		Page page() {
			return new Page();
		}

	}

	/**
	 * What is configured in most tests.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Approvers {

		@Bean
		ApprovalWeb approvalWeb() {
			return new ApprovalWeb(PATH, Set.of(MemoryApprovals.APPROVER), false);
		}

	}

	/**
	 * People who may log in, and nothing else.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcUsers {

		@Bean
		PlainPasswords passwords() {
			return new PlainPasswords();
		}

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(TestApprovalServer.users());
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxUsers {

		@Bean
		PlainPasswords passwords() {
			return new PlainPasswords();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(TestApprovalServer.users());
		}

	}

	/**
	 * A chain for a login and without tokens, as for clients that are no browsers.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcWithoutTokens {

		@Bean
		SecurityFilterChain all(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(AbstractHttpConfigurer::disable)
				.build();
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxWithoutTokens {

		@Bean
		SecurityWebFilterChain all(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.build();
		}

	}

	/**
	 * A chain that wants a login for all paths, and a token.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcClosed {

		@Bean
		SecurityFilterChain all(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxClosed {

		@Bean
		SecurityWebFilterChain all(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * A chain for other paths alone.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcOther {

		@Bean
		SecurityFilterChain other(HttpSecurity http) {
			return http.securityMatcher("/other/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxOther {

		@Bean
		SecurityWebFilterChain other(ServerHttpSecurity http) {
			return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/other/**"))
				.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * Paths in any letter case, as some applications want it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcAnyCase implements WebMvcConfigurer {

		@Override
		public void configurePathMatch(PathMatchConfigurer configurer) {
			PathPatternParser parser = new PathPatternParser();
			parser.setCaseSensitive(false);
			configurer.setPatternParser(parser);
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxAnyCase implements WebFluxConfigurer {

		@Override
		public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer configurer) {
			configurer.setUseCaseSensitiveMatch(false);
		}

	}

	/**
	 * A page of the application itself.
	 */
	@RestController
	static class Page {

		@GetMapping("/own")
		ResponseEntity<String> own() {
			return ResponseEntity.ok("own");
		}

	}

}
