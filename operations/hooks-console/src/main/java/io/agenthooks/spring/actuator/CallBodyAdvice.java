package io.agenthooks.spring.actuator;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Makes Spring MVC take a call, with its arguments, as the body. */
@ControllerAdvice
final class CallBodyAdvice extends RequestBodyAdviceAdapter {

	private static final String ENDPOINTS = "org.springframework.boot.webmvc.actuate.endpoint.web.";

	private final Supplier<@Nullable String> path;

	CallBodyAdvice(Supplier<@Nullable String> path) {
		this.path = path;
	}

	@Override
	public boolean supports(MethodParameter parameter, Type targetType,
			Class<? extends HttpMessageConverter<?>> converterType) {
		return parameter.getDeclaringClass().getName().startsWith(ENDPOINTS);
	}

	@Override
	public HttpInputMessage beforeBodyRead(HttpInputMessage message, MethodParameter parameter, Type targetType,
			Class<? extends HttpMessageConverter<?>> converterType) throws IOException {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		Object pattern = (request != null)
				? request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, RequestAttributes.SCOPE_REQUEST)
				: null;
		if (pattern == null || !pattern.toString().equals(this.path.get())) {
			return message;
		}
		byte[] body = message.getBody().readNBytes(CallBody.MAX_BYTES + 1);
		if (body.length > CallBody.MAX_BYTES) {
			throw new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE);
		}
		byte[] wrapped = CallBody.wrap(body);
		if (wrapped == null) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
		}
		return new Wrapped(message.getHeaders(), wrapped);
	}

	private static final class Wrapped implements HttpInputMessage {

		private final HttpHeaders headers;

		private final InputStream body;

		Wrapped(HttpHeaders headers, byte[] body) {
			this.headers = headers;
			this.body = new ByteArrayInputStream(body);
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

		@Override
		public InputStream getBody() {
			return this.body;
		}

	}

}
