package io.agenthooks.spring.web;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

import io.agenthooks.RefusalText;

final class AbortExceptionResolver implements HandlerExceptionResolver, Ordered {

	private final RefusalText refusal;

	AbortExceptionResolver(RefusalText refusal) {
		this.refusal = refusal;
	}

	@Override
	public int getOrder() {
		// The exception handlers of the application come first.
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		AbortProblem problem = AbortProblem.of(ex, () -> this.refusal.in(LocaleContextHolder.getLocale()));
		if (problem == null || response.isCommitted()) {
			return null;
		}
		response.setStatus(problem.status().value());
		response.setContentType(problem.type().toString());
		try {
			response.getOutputStream().write(problem.body());
		}
		catch (IOException | IllegalStateException failure) {
			// The client is gone, or the handler writes itself: the container ends it.
			return null;
		}
		return new ModelAndView();
	}

}
