package io.agenthooks.spring.webhook;

import java.time.Duration;

import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.SslProvider;

/**
 * A pool, a thread and a name resolver of one webhook: one that hangs holds up no other,
 * and none waits for a thread of the application.
 */
final class NettyConnections implements WebhookConnections {

	/**
	 * Usual servers keep an idle connection five seconds and more: no call meets one that
	 * is just being closed.
	 */
	private static final Duration MAX_IDLE = Duration.ofSeconds(4);

	private static final int CONNECTIONS_FOR_NOTIFICATIONS = 1;

	private final WebhookSettings settings;

	private final ConnectionProvider connections;

	private final LoopResources eventLoop;

	private final DnsAddressResolverGroup resolver;

	NettyConnections(String name, WebhookSettings settings) {
		this.settings = settings;
		this.connections = ConnectionProvider.builder("hooks-" + name)
			.maxConnections(settings.maxConcurrent() + CONNECTIONS_FOR_NOTIFICATIONS)
			.pendingAcquireMaxCount(-1)
			.pendingAcquireTimeout(settings.timeout())
			.maxIdleTime(MAX_IDLE)
			.maxLifeTime(Duration.ofMinutes(5))
			.evictInBackground(Duration.ofSeconds(30))
			.lifo()
			.build();
		this.eventLoop = LoopResources.create("hooks-" + name, 1, true);
		this.resolver = new DnsAddressResolverGroup(
				new DnsNameResolverBuilder().datagramChannelType(NioDatagramChannel.class)
					.socketChannelType(NioSocketChannel.class));
	}

	@Override
	public ClientHttpConnector connector() {
		return new ReactorClientHttpConnector(httpClient());
	}

	private HttpClient httpClient() {
		HttpClient http = HttpClient.create(this.connections)
			.runOn(this.eventLoop, false)
			.resolver(this.resolver)
			.protocol(HttpProtocol.HTTP11)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.max(1, this.settings.timeout().toMillis()))
			.followRedirect(false)
			.compress(true);
		if (!"https".equalsIgnoreCase(this.settings.url().getScheme())) {
			return http;
		}
		SslProvider.GenericSslContextSpec<?> trustOfThePlatform = Http11SslContextSpec.forClient();
		return http.secure((tls) -> tls.sslContext(trustOfThePlatform).handshakeTimeout(this.settings.timeout()));
	}

	@Override
	public void close() {
		this.resolver.close();
		this.connections.disposeLater()
			.onErrorComplete()
			.then(this.eventLoop.disposeLater(Duration.ZERO, Duration.ofSeconds(1)))
			.subscribe();
	}

}
