package io.agenthooks.spring.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.FileSystemUtils;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/**
 * A real Redis in a process of its own, and its clients.
 */
public final class TestRedis implements AutoCloseable {

	private static final int SLOTS = 16_384;

	private static final String HOST = "127.0.0.1";

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/** The nodes of a cluster talk to each other on a port so much higher. */
	private static final int BUS = 10_000;

	/** Those of each JVM begin elsewhere. */
	private static final AtomicInteger NEXT_PORT = new AtomicInteger(
			(int) ((ProcessHandle.current().pid() + 5_000) % 10_000));

	private final List<LettuceConnectionFactory> clients = new CopyOnWriteArrayList<>();

	private final int port;

	/** Keeps others from the port of this server, also while that is stopped. */
	private final ServerSocket reservation;

	private final boolean isCluster;

	private final RedisServer server;

	private @Nullable String frozen;

	private TestRedis(Path directory, boolean isCluster, String... settings) throws IOException {
		this.reservation = reserve();
		this.port = this.reservation.getLocalPort() - BUS;
		this.isCluster = isCluster;
		if (isCluster) {
			// It needs its bus itself, and is never stopped.
			this.reservation.close();
		}
		RedisServerBuilder builder = RedisServer.newRedisServer()
			.port(this.port)
			.bind(HOST)
			.setting("save \"\"")
			.setting("dir " + directory)
			.soutListener((line) -> {
			})
			.serrListener((line) -> {
			});
		for (String setting : settings) {
			builder.setting(setting);
		}
		this.server = builder.build();
		this.server.start();
	}

	/**
	 * The server of this JVM, which nobody stops or changes: for tests that are content
	 * to begin without keys.
	 */
	public static TestRedis shared() {
		return Shared.SERVER;
	}

	public static TestRedis start(Path directory, String... settings) throws IOException {
		return new TestRedis(directory, false, settings);
	}

	/**
	 * A server that loses nothing when it is stopped.
	 */
	public static TestRedis startDurable(Path directory) throws IOException {
		return start(directory, "appendonly yes", "appendfsync always");
	}

	/**
	 * A cluster of one node that has all slots. It refuses scripts whose keys lie in
	 * several ones all the same.
	 */
	public static TestRedis startCluster(Path directory) throws IOException {
		TestRedis redis = new TestRedis(directory, true, "cluster-enabled yes");
		byte[][] slots = Stream.concat(Stream.of("ADDSLOTS"), IntStream.range(0, SLOTS).mapToObj(String::valueOf))
			.map(TestRedis::bytes)
			.toArray(byte[][]::new);
		RedisConfiguration standalone = new RedisStandaloneConfiguration(HOST, redis.port);
		StringRedisTemplate template = new StringRedisTemplate(redis.client(standalone, TIMEOUT));
		template.execute((RedisCallback<@Nullable Object>) (connection) -> connection.execute("CLUSTER", slots));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			Object info = template.execute(
					(RedisCallback<@Nullable Object>) (connection) -> connection.execute("CLUSTER", bytes("INFO")));
			return new String((byte[]) Objects.requireNonNull(info), StandardCharsets.UTF_8)
				.contains("cluster_state:ok");
		});
		return redis;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The port of the bus for a port that, like it, nobody gets who does not ask for it.
	 * Whoever starts a server takes both, so the bus alone keeps others away.
	 */
	private static ServerSocket reserve() throws IOException {
		while (true) {
			int port = 10_000 + NEXT_PORT.getAndIncrement() % 10_000;
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return new ServerSocket(socket.getLocalPort() + BUS, 1, InetAddress.getLoopbackAddress());
			}
			catch (BindException ex) {
				// The next one may be free.
			}
		}
	}

	public int port() {
		return this.port;
	}

	/**
	 * The client of one more node of the application.
	 */
	public LettuceConnectionFactory client() {
		return client(TIMEOUT);
	}

	public LettuceConnectionFactory client(Duration timeout) {
		return client((this.isCluster) ? new RedisClusterConfiguration(List.of(HOST + ":" + this.port))
				: new RedisStandaloneConfiguration(HOST, this.port), timeout);
	}

	/**
	 * A client that reaches it by another port.
	 */
	public LettuceConnectionFactory clientAt(int port) {
		return client(new RedisStandaloneConfiguration(HOST, port), TIMEOUT);
	}

	private LettuceConnectionFactory client(RedisConfiguration configuration, Duration timeout) {
		LettuceConnectionFactory client = new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder()
					.commandTimeout(timeout)
					.shutdownTimeout(Duration.ZERO)
					.shutdownQuietPeriod(Duration.ZERO)
					.build());
		client.afterPropertiesSet();
		client.start();
		this.clients.add(client);
		return client;
	}

	/**
	 * What looks into it, and changes it by hand.
	 */
	public StringRedisTemplate template() {
		return new StringRedisTemplate(client());
	}

	public void set(String setting, String value) {
		RedisCallback<Boolean> set = (connection) -> {
			connection.serverCommands().setConfig(setting, value);
			return true;
		};
		template().execute(set);
	}

	public void stop() throws IOException {
		this.server.stop();
	}

	/**
	 * Stop the process where it is: it stays connected, and takes connections, but
	 * answers nothing.
	 */
	public void freeze() throws IOException {
		RedisCallback<String> process = (connection) -> Objects.requireNonNull(
				Objects.requireNonNull(connection.serverCommands().info("server")).getProperty("process_id"));
		this.frozen = Objects.requireNonNull(template().execute(process));
		signal("-STOP", this.frozen);
	}

	/**
	 * Let the process go on.
	 */
	public void thaw() throws IOException {
		String process = this.frozen;
		this.frozen = null;
		if (process != null) {
			signal("-CONT", process);
		}
	}

	private static void signal(String signal, String process) throws IOException {
		Process kill = new ProcessBuilder("kill", signal, process).start();
		if (kill.onExit().join().exitValue() != 0) {
			throw new IOException("The process cannot be signalled");
		}
	}

	public void restart() throws IOException {
		this.server.start();
	}

	public void closeClients() {
		this.clients.forEach(LettuceConnectionFactory::destroy);
		this.clients.clear();
	}

	@Override
	public void close() throws IOException {
		thaw();
		closeClients();
		this.server.stop();
		this.reservation.close();
	}

	private static final class Shared {

		static final TestRedis SERVER = startUntilTheEnd();

		private static TestRedis startUntilTheEnd() {
			try {
				Path directory = Files.createTempDirectory("redis");
				TestRedis started = start(directory);
				Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(started, directory)));
				return started;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static void stop(TestRedis server, Path directory) {
			try {
				server.close();
				FileSystemUtils.deleteRecursively(directory);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
