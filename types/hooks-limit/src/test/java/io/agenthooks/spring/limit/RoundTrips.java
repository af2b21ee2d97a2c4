package io.agenthooks.spring.limit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and its server, and counts how often the client waits for the
 * server: each time it sends something after an answer. What it sends in two pieces
 * without waiting counts twice if the server answers the first one meanwhile. To be used
 * by one connection at a time.
 */
final class RoundTrips implements AutoCloseable {

	private final ServerSocket listener;

	private final int serverPort;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final AtomicBoolean answered = new AtomicBoolean(true);

	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Open a port in front of a server on this machine.
	 */
	RoundTrips(int serverPort) throws IOException {
		this.serverPort = serverPort;
		this.listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * How often the client waited while something was done.
	 */
	int of(Runnable work) {
		int before = this.count.get();
		work.run();
		return this.count.get() - before;
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.listener.accept();
				Socket server = new Socket(InetAddress.getLoopbackAddress(), this.serverPort);
				this.sockets.addAll(List.of(client, server));
				start(() -> forward(client, server, true));
				start(() -> forward(server, client, false));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void forward(Socket from, Socket to, boolean isClient) {
		byte[] buffer = new byte[65_536];
		try (from; to) {
			InputStream input = from.getInputStream();
			OutputStream output = to.getOutputStream();
			for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
				if (isClient && this.answered.getAndSet(false)) {
					this.count.incrementAndGet();
				}
				else if (!isClient) {
					this.answered.set(true);
				}
				output.write(buffer, 0, read);
				output.flush();
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "round-trips");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.listener.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
