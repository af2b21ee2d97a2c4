package io.agenthooks.spring.console;

import java.security.Principal;
import java.util.Optional;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

import io.agenthooks.spring.console.ConsoleSettings.Csrf;

/**
 * Serves the page by Spring WebFlux.
 */
final class WebFluxConsole {

	private static final boolean CSRF = ClassUtils.isPresent("org.springframework.security.web.server.csrf.CsrfToken",
			WebFluxConsole.class.getClassLoader());

	private final ConsoleFiles files;

	private final ConsoleSettings settings;

	WebFluxConsole(ConsoleFiles files, ConsoleSettings settings) {
		this.files = files;
		this.settings = settings;
	}

	RouterFunction<ServerResponse> routes(String path) {
		String name = path.substring(path.lastIndexOf('/') + 1);
		RouterFunctions.Builder routes = RouterFunctions.route()
			.GET(path, isExactly(path),
					(request) -> answer(HttpStatus.OK).contentType(ConsoleFiles.HTML).bodyValue(this.files.page()))
			.GET(path + "/", isExactly(path + "/"),
					(request) -> answer(HttpStatus.FOUND).header("Location", "../" + name).build())
			.GET(path + ConsoleFiles.SETTINGS, isExactly(path + ConsoleFiles.SETTINGS), this::settings);
		this.files.files()
			.forEach((file, content) -> routes.GET(path + "/" + file, isExactly(path + "/" + file),
					(request) -> answer(HttpStatus.OK).contentType(type(file)).bodyValue(content)));
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

	private Mono<ServerResponse> settings(ServerRequest request) {
		Mono<Optional<String>> user = request.principal()
			.map(Principal::getName)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		Mono<Optional<Csrf>> csrf = ((CSRF) ? Token.of(request) : Mono.<Csrf>empty()).map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		return Mono.zip(user, csrf)
			.flatMap((both) -> answer(HttpStatus.OK).contentType(MediaType.APPLICATION_JSON)
				.bodyValue(this.settings.write(both.getT1().orElse(null), both.getT2().orElse(null))));
	}

	private static ServerResponse.BodyBuilder answer(HttpStatus status) {
		ServerResponse.BodyBuilder answer = ServerResponse.status(status);
		ConsoleFiles.headers(answer::header);
		return answer;
	}

	/**
	 * Knows Spring Security, which may be missing.
	 */
	private static final class Token {

		static Mono<Csrf> of(ServerRequest request) {
			return (request.exchange().getAttribute(CsrfToken.class.getName()) instanceof Mono<?> token)
					? token.ofType(CsrfToken.class).map((made) -> new Csrf(made.getHeaderName(), made.getToken()))
					: Mono.empty();
		}

	}

}
