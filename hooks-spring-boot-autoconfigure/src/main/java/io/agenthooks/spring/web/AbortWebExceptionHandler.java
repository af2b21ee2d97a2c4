package io.agenthooks.spring.web;

import java.util.Locale;

import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

import io.agenthooks.RefusalText;

final class AbortWebExceptionHandler implements WebExceptionHandler, Ordered {

	private final RefusalText refusal;

	AbortWebExceptionHandler(RefusalText refusal) {
		this.refusal = refusal;
	}

	private static Locale localeOf(ServerWebExchange exchange) {
		Locale locale = exchange.getLocaleContext().getLocale();
		return (locale != null) ? locale : Locale.getDefault();
	}

	@Override
	public int getOrder() {
		// Before that of Spring Boot, which answers everything.
		return -2;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable ex) {
		AbortProblem problem = AbortProblem.of(ex, () -> this.refusal.in(localeOf(exchange)));
		ServerHttpResponse response = exchange.getResponse();
		if (problem == null || !response.setStatusCode(problem.status())) {
			return Mono.error(ex);
		}
		response.getHeaders().setContentType(problem.type());
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(problem.body())));
	}

}
