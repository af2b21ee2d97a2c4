package io.agenthooks.spring.webhook;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP server on sockets, so that it can do what no decent server would.
 */
final class FaultyServer implements AutoCloseable {

	static final Behaviour APPROVE = json("{\"verdict\":\"approve\"}");

	private final ServerSocket socket;

	private final String scheme;

	private final Behaviour behaviour;

	private final ExecutorService threads = Executors.newCachedThreadPool((work) -> {
		Thread thread = new Thread(work, "faulty-server");
		thread.setDaemon(true);
		return thread;
	});

	private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

	private final List<Received> received = new CopyOnWriteArrayList<>();

	private final BlockingQueue<Received> arrivals = new LinkedBlockingQueue<>();

	FaultyServer(Behaviour behaviour) {
		this("http", listen(), behaviour);
	}

	FaultyServer(String scheme, ServerSocket socket, Behaviour behaviour) {
		this.scheme = scheme;
		this.socket = socket;
		this.behaviour = behaviour;
		this.threads.execute(this::accept);
	}

	static ServerSocket listen() {
		try {
			return new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Behaviour json(String body) {
		return answer("HTTP/1.1 200 OK", "application/json", body.getBytes(StandardCharsets.UTF_8));
	}

	static Behaviour status(int status, String body) {
		return answer("HTTP/1.1 " + status + " Some Status", "application/json", body.getBytes(StandardCharsets.UTF_8));
	}

	static Behaviour contentType(String type, String body) {
		return answer("HTTP/1.1 200 OK", type, body.getBytes(StandardCharsets.UTF_8));
	}

	static Behaviour answer(String statusLine, String contentType, byte[] body) {
		return (received, socket) -> {
			String type = (contentType.isEmpty()) ? "" : "Content-Type: " + contentType + "\r\n";
			write(socket, statusLine + "\r\n" + type + "Content-Length: " + body.length + "\r\n\r\n");
			socket.getOutputStream().write(body);
		};
	}

	static Behaviour gzipped(byte[] compressed) {
		return (received, socket) -> {
			write(socket, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
					+ "Content-Length: " + compressed.length + "\r\n\r\n");
			socket.getOutputStream().write(compressed);
		};
	}

	/**
	 * Write something, and close the connection.
	 */
	static Behaviour writeAndClose(String text) {
		return (received, socket) -> {
			write(socket, text);
			socket.close();
		};
	}

	/**
	 * Write something, and reset the connection.
	 */
	static Behaviour writeAndReset(String text) {
		return (received, socket) -> {
			write(socket, text);
			socket.setSoLinger(true, 0);
			socket.close();
		};
	}

	/**
	 * Write something, and never write anything again.
	 */
	static Behaviour writeAndHang(String text) {
		return (received, socket) -> {
			write(socket, text);
			new CountDownLatch(1).await();
		};
	}

	/**
	 * Write something, and then a space whenever another is read, for ever.
	 */
	static Behaviour writeAndDrip(String text) {
		return (received, socket) -> {
			write(socket, text);
			while (!new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS)) {
				write(socket, " ");
			}
		};
	}

	static void write(Socket socket, String text) throws IOException {
		OutputStream out = socket.getOutputStream();
		out.write(text.getBytes(StandardCharsets.ISO_8859_1));
		out.flush();
	}

	static byte[] gzip(byte[] content, int times) {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			for (int i = 0; i < times; i++) {
				gzip.write(content);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return compressed.toByteArray();
	}

	String url() {
		return "%s://127.0.0.1:%d/hook".formatted(this.scheme, this.socket.getLocalPort());
	}

	int port() {
		return this.socket.getLocalPort();
	}

	/**
	 * What arrived so far.
	 */
	List<Received> received() {
		return this.received;
	}

	/**
	 * Wait for the next arrival.
	 */
	Received take() throws InterruptedException {
		return Objects.requireNonNull(this.arrivals.poll(10, TimeUnit.SECONDS), "Nothing arrived");
	}

	/**
	 * How many connections are open.
	 */
	int connections() {
		return this.connections.size();
	}

	private void accept() {
		try {
			while (!this.socket.isClosed()) {
				Socket connection = this.socket.accept();
				connection.setTcpNoDelay(true);
				this.connections.add(connection);
				this.threads.execute(() -> serve(connection));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void serve(Socket connection) {
		try (connection) {
			InputStream in = new BufferedInputStream(connection.getInputStream());
			while (!connection.isClosed()) {
				Received request = Received.read(in);
				this.received.add(request);
				this.arrivals.add(request);
				this.behaviour.answer(request, connection);
				if (!connection.isClosed()) {
					connection.getOutputStream().flush();
				}
			}
		}
		catch (Exception ex) {
			// the client went away, or the test is over
		}
		finally {
			this.connections.remove(connection);
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
			for (Socket connection : this.connections) {
				connection.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.shutdownNow();
	}

	/**
	 * What the server does with a request.
	 */
	@FunctionalInterface
	interface Behaviour {

		void answer(Received received, Socket socket) throws Exception;

	}

	/**
	 * What the server received.
	 *
	 * @param line the first line
	 * @param headers the headers
	 * @param body the body
	 */
	record Received(String line, Map<String, String> headers, String body) {

		static Received read(InputStream in) throws IOException {
			String line = readLine(in);
			Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
			for (String header = readLine(in); !header.isEmpty(); header = readLine(in)) {
				int colon = header.indexOf(':');
				headers.put(header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).trim());
			}
			int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
			return new Received(line, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
		}

		private static String readLine(InputStream in) throws IOException {
			ByteArrayOutputStream line = new ByteArrayOutputStream();
			for (int next = in.read(); next != '\n'; next = in.read()) {
				if (next < 0) {
					throw new EOFException();
				}
				if (next != '\r') {
					line.write(next);
				}
			}
			return line.toString(StandardCharsets.ISO_8859_1);
		}

		JsonNode json() {
			return JsonMapper.shared().readTree(this.body);
		}

	}

}
