package io.agenthooks.spring.actuator;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes Spring WebFlux take a call, with its arguments, as the body. It is read when the
 * operation reads it, so behind whatever secures it.
 */
final class CallBodyFilter implements WebFilter, Ordered {

	private static final String ENDPOINTS = "org.springframework.boot.webflux.actuate.endpoint.web.";

	/**
	 * Spring Boot's endpoints are matched by one like it, whatever the application says.
	 */
	private static final PathPatternParser parser = new PathPatternParser();

	private final Supplier<@Nullable String> path;

	CallBodyFilter(Supplier<@Nullable String> path) {
		this.path = path;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		String path = this.path.get();
		if (path == null || !HttpMethod.POST.equals(request.getMethod())
				|| !parser.parse(path).matches(request.getPath().pathWithinApplication())) {
			return chain.filter(exchange);
		}
		BooleanSupplier explains = () -> isOperation(exchange, path);
		return chain.filter(exchange.mutate().request(new WrappedRequest(request, explains)).build());
	}

	/**
	 * With a port of its own for the actuator, the application may have the same path for
	 * itself, so only what was chosen to answer says so.
	 */
	private static boolean isOperation(ServerWebExchange exchange, String path) {
		Object pattern = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
		return exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) instanceof HandlerMethod method
				&& method.getBeanType().getName().startsWith(ENDPOINTS) && pattern instanceof PathPattern matched
				&& matched.getPatternString().equals(path);
	}

	private static final class WrappedRequest extends ServerHttpRequestDecorator {

		private final BooleanSupplier explains;

		WrappedRequest(ServerHttpRequest request, BooleanSupplier explains) {
			super(request);
			this.explains = explains;
		}

		@Override
		public HttpHeaders getHeaders() {
			if (!this.explains.getAsBoolean()) {
				return super.getHeaders();
			}
			HttpHeaders headers = new HttpHeaders();
			headers.putAll(super.getHeaders());
			headers.remove(HttpHeaders.CONTENT_LENGTH);
			return headers;
		}

		@Override
		public Flux<DataBuffer> getBody() {
			return Flux.defer(() -> (this.explains.getAsBoolean()) ? wrapped() : super.getBody());
		}

		private Flux<DataBuffer> wrapped() {
			return DataBufferUtils.join(super.getBody(), CallBody.MAX_BYTES).map((buffer) -> {
				byte[] body = new byte[buffer.readableByteCount()];
				buffer.read(body);
				DataBufferUtils.release(buffer);
				return body;
			})
				.onErrorMap(DataBufferLimitException.class,
						(ex) -> new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE))
				.defaultIfEmpty(new byte[0])
				.map(WrappedRequest::wrap)
				.flux();
		}

		private static DataBuffer wrap(byte[] body) {
			byte[] wrapped = CallBody.wrap(body);
			if (wrapped == null) {
				throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
			}
			return DefaultDataBufferFactory.sharedInstance.wrap(wrapped);
		}

	}

}
