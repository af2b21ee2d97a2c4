package io.agenthooks.spring.console;

import java.security.Principal;
import java.util.Optional;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

import io.agenthooks.spring.web.CsrfHeader;
import io.agenthooks.spring.web.WebFluxEndpoints;

record WebFluxConsole(ConsoleFiles files, ConsoleSettings settings) {

	RouterFunction<ServerResponse> routes(String path) {
		String name = path.substring(path.lastIndexOf('/') + 1);
		RouterFunctions.Builder routes = RouterFunctions.route()
			.GET(path, WebFluxEndpoints.isExactly(path),
					(request) -> answer(HttpStatus.OK).contentType(ConsoleFiles.HTML).bodyValue(this.files.page()))
			.GET(path + "/", WebFluxEndpoints.isExactly(path + "/"),
					(request) -> answer(HttpStatus.FOUND).header("Location", "../" + name).build())
			.GET(path + ConsoleFiles.SETTINGS, WebFluxEndpoints.isExactly(path + ConsoleFiles.SETTINGS),
					this::settings);
		this.files.files()
			.forEach((file, content) -> routes.GET(path + "/" + file, WebFluxEndpoints.isExactly(path + "/" + file),
					(request) -> answer(HttpStatus.OK).contentType(type(file)).bodyValue(content)));
		return routes.build();
	}

	private static MediaType type(String file) {
		return ConsoleFiles.TYPES.getOrDefault(file, MediaType.APPLICATION_OCTET_STREAM);
	}

	private Mono<ServerResponse> settings(ServerRequest request) {
		Mono<Optional<String>> user = request.principal()
			.map(Principal::getName)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		Mono<Optional<CsrfHeader>> csrf = WebFluxEndpoints.csrf(request)
			.map(Optional::of)
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

}
