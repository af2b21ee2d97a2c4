package io.agenthooks.spring.external;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * An endpoint that only gets notifications, checked as that of a webhook hook is.
 *
 * @since 0.1.0
 */
public final class WebhookTarget {

	private static final int MAX_HEADERS = 20;

	private static final int MAX_HEADER = 4_000;

	private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

	/** Headers that the client writes itself. */
	private static final Set<String> OWN = Set.of("accept", "connection", "content-encoding", "content-length",
			"content-type", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
			"user-agent", "webhook-id", "webhook-signature", "webhook-timestamp");

	private final URI url;

	private final List<byte[]> signingKeys;

	private final Map<String, String> headers;

	private WebhookTarget(URI url, List<byte[]> signingKeys, Map<String, String> headers) {
		this.url = url;
		this.signingKeys = signingKeys;
		this.headers = headers;
	}

	/**
	 * Check an endpoint.
	 * @param url its address, or {@code null} if that is not written, which is a mistake
	 * @param secret secrets that messages are signed with, as the Standard Webhooks
	 * specification says, or {@code null} for no signature
	 * @param headers headers that are sent as well
	 * @return the endpoint
	 * @throws InvalidHookConfigException if anything is wrong; the places are
	 * {@code url}, {@code secret} and {@code headers} with the name of the header
	 */
	public static WebhookTarget of(@Nullable String url, @Nullable String secret, Map<String, String> headers) {
		List<Problem> problems = new ArrayList<>();
		headers.forEach((name, value) -> check(name, value, problems));
		if (headers.size() > MAX_HEADERS) {
			problems.add(new Problem(List.of("headers"), "There are too many headers.",
					"Write at most %d.".formatted(MAX_HEADERS)));
		}
		URI address = EndpointOptions.url(url, problems);
		List<byte[]> signingKeys = EndpointOptions.signingKeys("secret", secret, problems);
		if (address == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new WebhookTarget(address, signingKeys, Map.copyOf(headers));
	}

	private static void check(String name, String value, List<Problem> problems) {
		List<String> path = List.of("headers", name);
		if (!HEADER.matcher(name).matches()) {
			problems.add(new Problem(List.of("headers"), "A name is not that of a header.",
					"Write letters, digits and dashes, such as 'X-Tenant'."));
		}
		else if (OWN.contains(name.toLowerCase(Locale.ROOT))) {
			problems.add(new Problem(path, "The header is written by the client itself.", "Remove it."));
		}
		else if (value.isEmpty() || value.length() > MAX_HEADER || !value.equals(value.strip())
				|| value.chars().anyMatch((c) -> c < ' ' || c > '~')) {
			problems.add(new Problem(path,
					"The value is empty or too long, has white space at an end, or holds a character that is not printable ASCII.",
					"Check where it comes from; a file with Windows line ends leaves a carriage return."));
		}
	}

	/**
	 * The address.
	 * @return where messages are posted to
	 */
	public URI url() {
		return this.url;
	}

	public List<byte[]> signingKeys() {
		return this.signingKeys;
	}

	public Map<String, String> headers() {
		return this.headers;
	}

	/** No address, since that may be a secret. */
	@Override
	public String toString() {
		return "WebhookTarget";
	}

}
