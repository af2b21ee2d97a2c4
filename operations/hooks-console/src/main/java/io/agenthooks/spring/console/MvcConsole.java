package io.agenthooks.spring.console;

import java.security.Principal;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.agenthooks.spring.web.MvcEndpoints;

record MvcConsole(ConsoleFiles files, ConsoleSettings settings) {

	RouterFunction<ServerResponse> routes(String path) {
		String name = path.substring(path.lastIndexOf('/') + 1);
		RouterFunctions.Builder routes = RouterFunctions.route()
			.GET(path, MvcEndpoints.isExactly(path),
					(request) -> answer(HttpStatus.OK).contentType(ConsoleFiles.HTML).body(this.files.page()))
			.GET(path + "/", MvcEndpoints.isExactly(path + "/"),
					(request) -> answer(HttpStatus.FOUND).header("Location", "../" + name).build())
			.GET(path + ConsoleFiles.SETTINGS, MvcEndpoints.isExactly(path + ConsoleFiles.SETTINGS),
					(request) -> answer(HttpStatus.OK).contentType(MediaType.APPLICATION_JSON)
						.body(this.settings.write(user(request), MvcEndpoints.csrf(request))));
		this.files.files()
			.forEach((file, content) -> routes.GET(path + "/" + file, MvcEndpoints.isExactly(path + "/" + file),
					(request) -> answer(HttpStatus.OK).contentType(type(file)).body(content)));
		return routes.build();
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

}
