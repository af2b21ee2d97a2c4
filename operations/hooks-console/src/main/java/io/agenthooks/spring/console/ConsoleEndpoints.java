package io.agenthooks.spring.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointHttpMethod;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.web.WebOperation;

/**
 * As Spring Boot Actuator exposes them: what the operator did not allow is not among
 * them.
 */
final class ConsoleEndpoints {

	private static final List<String> IDS = List.of("toolhooks", "toolcalls", "toolaudit");

	private final WebEndpointsSupplier endpoints;

	private final String basePath;

	private final String up;

	ConsoleEndpoints(WebEndpointsSupplier endpoints, String basePath, String path) {
		this.endpoints = endpoints;
		this.basePath = basePath;
		this.up = ConsoleFiles.up(path);
	}

	/**
	 * By their id: {@code url} seen from the folder of the page, and whether {@code
	 * explain} and {@code switch} are allowed.
	 */
	Map<String, Map<String, Object>> describe() {
		Map<String, Map<String, Object>> described = new LinkedHashMap<>();
		for (ExposableWebEndpoint endpoint : this.endpoints.getEndpoints()) {
			String id = endpoint.getEndpointId().toLowerCaseString();
			if (IDS.contains(id)) {
				String root = endpoint.getRootPath();
				String url = this.up + pathOf(root).substring(1);
				described.put(id, Map.of("url", url, "explain", accepts(endpoint, root, true), "switch",
						accepts(endpoint, root, false)));
			}
		}
		return described;
	}

	List<String> paths() {
		return this.endpoints.getEndpoints()
			.stream()
			.filter((endpoint) -> IDS.contains(endpoint.getEndpointId().toLowerCaseString()))
			.map((endpoint) -> pathOf(endpoint.getRootPath()))
			.toList();
	}

	private String pathOf(String root) {
		return ("/" + this.basePath + "/" + root).replaceAll("/{2,}", "/");
	}

	/** Whether the endpoint takes what is posted to it, or to something below it. */
	private static boolean accepts(ExposableWebEndpoint endpoint, String root, boolean itself) {
		return endpoint.getOperations()
			.stream()
			.map(WebOperation::getRequestPredicate)
			.anyMatch((predicate) -> predicate.getHttpMethod() == WebEndpointHttpMethod.POST
					&& predicate.getPath().equals(root) == itself);
	}

}
