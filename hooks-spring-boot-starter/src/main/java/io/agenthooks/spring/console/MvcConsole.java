package io.agenthooks.spring.console;

import java.security.Principal;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.agenthooks.spring.console.ConsoleSettings.Csrf;

/**
 * Serves the page by Spring MVC.
 */
final class MvcConsole {

	private static final boolean CSRF = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			MvcConsole.class.getClassLoader());

	private final ConsoleFiles files;

	private final ConsoleSettings settings;

	MvcConsole(ConsoleFiles files, ConsoleSettings settings) {
		this.files = files;
		this.settings = settings;
	}

	RouterFunction<ServerResponse> routes(String path) {
		String name = path.substring(path.lastIndexOf('/') + 1);
		RouterFunctions.Builder routes = RouterFunctions.route()
			.GET(path, isExactly(path),
					(request) -> answer(HttpStatus.OK).contentType(ConsoleFiles.HTML).body(this.files.page()))
			.GET(path + "/", isExactly(path + "/"),
					(request) -> answer(HttpStatus.FOUND).header("Location", "../" + name).build())
			.GET(path + ConsoleFiles.SETTINGS, isExactly(path + ConsoleFiles.SETTINGS),
					(request) -> answer(HttpStatus.OK).contentType(MediaType.APPLICATION_JSON)
						.body(this.settings.write(user(request), (CSRF) ? Token.of(request.servletRequest()) : null)));
		this.files.files()
			.forEach((file, content) -> routes.GET(path + "/" + file, isExactly(path + "/" + file),
					(request) -> answer(HttpStatus.OK).contentType(type(file)).body(content)));
		return routes.build();
	}

	/**
	 * Whether a path is written as the filter chains know it. An application may take
	 * paths in any letter case, or decoded, where its chains do not.
	 */
	private static RequestPredicate isExactly(String path) {
		return (request) -> request.requestPath().pathWithinApplication().value().equals(path);
	}

	private static MediaType type(String file) {
		return ConsoleFiles.TYPES.getOrDefault(file, MediaType.APPLICATION_OCTET_STREAM);
	}

	private static ServerResponse.BodyBuilder answer(HttpStatus status) {
		ServerResponse.BodyBuilder answer = ServerResponse.status(status);
		ConsoleFiles.headers(answer::header);
		return answer;
	}

	private static @Nullable String user(ServerRequest request) {
		return request.principal().map(Principal::getName).orElse(null);
	}

	/**
	 * Knows Spring Security, which may be missing.
	 */
	private static final class Token {

		static @Nullable Csrf of(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? new Csrf(token.getHeaderName(), token.getToken()) : null;
		}

	}

}
