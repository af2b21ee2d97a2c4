package io.agenthooks.spring.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** The files of the page. Only these exist: each has a route of its own. */
final class ConsoleFiles {

	static final String PAGE = "console.html";

	static final String SETTINGS = "/settings.json";

	private static final MediaType SCRIPT = new MediaType("text", "javascript", StandardCharsets.UTF_8);

	static final Map<String, MediaType> TYPES = Map.ofEntries(
			Map.entry("console.css", new MediaType("text", "css", StandardCharsets.UTF_8)),
			Map.entry("console.js", SCRIPT), Map.entry("api.js", SCRIPT), Map.entry("approvals.js", SCRIPT),
			Map.entry("calls.js", SCRIPT), Map.entry("chains.js", SCRIPT), Map.entry("charts.js", SCRIPT),
			Map.entry("dom.js", SCRIPT), Map.entry("explain.js", SCRIPT), Map.entry("json.js", SCRIPT),
			Map.entry("setup.js", SCRIPT), Map.entry("versions.js", SCRIPT),
			Map.entry("icon.svg", MediaType.parseMediaType("image/svg+xml")));

	static final MediaType HTML = new MediaType("text", "html", StandardCharsets.UTF_8);

	/** Replaced in the page by where its files are, seen from its address. */
	private static final String BASE = "@base@";

	private static final Map<String, String> HEADERS = headers();

	private final byte[] page;

	private final Map<String, byte[]> files = new LinkedHashMap<>();

	ConsoleFiles(ConsoleConfig config) {
		String path = config.pathOrDefault();
		String base = path.substring(path.lastIndexOf('/') + 1) + "/";
		this.page = new String(read(PAGE), StandardCharsets.UTF_8).replace(BASE, base).getBytes(StandardCharsets.UTF_8);
		TYPES.keySet().forEach((name) -> this.files.put(name, read(name)));
	}

	private static Map<String, String> headers() {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Security-Policy",
				"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
						+ "base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
		headers.put("X-Content-Type-Options", "nosniff");
		headers.put("X-Frame-Options", "DENY");
		headers.put("Referrer-Policy", "no-referrer");
		headers.put("Cross-Origin-Opener-Policy", "same-origin");
		headers.put("Cross-Origin-Resource-Policy", "same-origin");
		headers.put(HttpHeaders.CACHE_CONTROL, "no-store");
		return headers;
	}

	private static byte[] read(String name) {
		try (InputStream file = ConsoleFiles.class.getResourceAsStream(name)) {
			if (file == null) {
				throw new IllegalStateException(
						"The file '%s' of the console is missing from the jar.".formatted(name));
			}
			return file.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** No other path below the page is ours. */
	static List<String> paths(ConsoleConfig config) {
		String path = config.pathOrDefault();
		return Stream
			.concat(Stream.of(path, path + "/", path + SETTINGS),
					TYPES.keySet().stream().map((name) -> path + "/" + name))
			.toList();
	}

	/** The way from the folder of the page to the root of the application. */
	static String up(String path) {
		return "../".repeat((int) path.chars().filter((c) -> c == '/').count());
	}

	byte[] page() {
		return this.page;
	}

	Map<String, byte[]> files() {
		return this.files;
	}

	static void headers(BiConsumer<String, String> headers) {
		HEADERS.forEach(headers);
	}

}
