package io.agenthooks.sample;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Refuses requests that name another host than this machine, or come from a page of
 * another host. The sample listens on the loopback address only, but a browser on this
 * machine does, too, what any page in it wants: by a host name of its own that suddenly
 * means 127.0.0.1 (DNS rebinding) such a page could otherwise run commands and read the
 * answers.
 */
@Component
class LocalOnlyFilter implements WebFilter, Ordered {

	private static final String LOOPBACK = "(localhost"
			+ "|127(\\.(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])){3}|\\[::1\\])(:[0-9]{1,5})?";

	private static final Pattern HOST = Pattern.compile(LOOPBACK, Pattern.CASE_INSENSITIVE);

	private static final Pattern ORIGIN = Pattern.compile("https?://" + LOOPBACK, Pattern.CASE_INSENSITIVE);

	private static final byte[] REFUSAL = ("{\"error\":\"Only this machine may ask: "
			+ "use localhost or 127.0.0.1, and no page of another host\"}")
		.getBytes(StandardCharsets.UTF_8);

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return (isLocal(exchange.getRequest())) ? chain.filter(exchange) : refuse(exchange.getResponse());
	}

	/**
	 * Whether what the client itself sent names this machine. What a proxy says of it,
	 * such as {@code X-Forwarded-Host}, makes no difference.
	 */
	private static boolean isLocal(ServerHttpRequest request) {
		HttpHeaders headers = request.getHeaders();
		List<String> hosts = headers.getOrEmpty(HttpHeaders.HOST);
		List<String> origins = headers.getOrEmpty(HttpHeaders.ORIGIN);
		if (hosts.size() != 1 || !HOST.matcher(hosts.get(0)).matches() || !namesNoHost(request)) {
			return false;
		}
		// A picture or a link of another page has no origin.
		return (origins.isEmpty()) ? !headers.getOrEmpty("Sec-Fetch-Site").contains("cross-site")
				: origins.stream().allMatch((origin) -> ORIGIN.matcher(origin).matches());
	}

	/** Whether the first line of the request leaves the host to its header. */
	private static boolean namesNoHost(ServerHttpRequest request) {
		ServerHttpRequest undecorated = request;
		while (undecorated instanceof ServerHttpRequestDecorator decorator) {
			undecorated = decorator.getDelegate();
		}
		return !(undecorated instanceof AbstractServerHttpRequest sent
				&& sent.getNativeRequest() instanceof HttpServerRequest line)
				|| (line.uri().startsWith("/") && !line.uri().startsWith("//"));
	}

	private static Mono<Void> refuse(ServerHttpResponse response) {
		response.setStatusCode(HttpStatus.FORBIDDEN);
		response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
		response.getHeaders().setContentLength(REFUSAL.length);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(REFUSAL.clone())));
	}

}
