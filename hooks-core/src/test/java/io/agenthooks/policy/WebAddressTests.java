package io.agenthooks.policy;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WebAddress} and {@link HostName}.
 */
class WebAddressTests {

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com", "https://example.com/", "HTTPS://EXAMPLE.COM/",
			"http://example.com:80/a", "https://example.com:8443/a?b=c#d", "https://example.com.",
			"https://www.example.com/", "https://a.b.example.com/x", "https://ann@example.com/",
			"https://ann:pw@example.com/", "https://a%40b@example.com/", "https://example.com?x=evil.net",
			"https://example.com#evil.net", "https://example.com/https://evil.net",
			"https://example.com/?u=https://evil.net/", "https://example.com/a@evil.net",
			"https://example.com//evil.net/", "https://example.com/..//evil.net", "https://example.com/\\@evil.net",
			" https://example.com/a ", "https://example.com/a\n", "ws://example.com/", "wss://example.com/s",
			"ftp://example.com/f", "git+ssh://example.com/r", "https://ｅxample.com/", "https://exam\u00adple.com/",
			"https://example。com/", "https://example.com:/", "https://example.com:00443/", "https://x_y.example.com/",
			"https://xn--bcher-kva.example.com/", "https://bücher.example.com/", "https://example.com/a b" })
	void urlThatLeadsToADomainIsRead(String text) throws UnreadableValueException {
		assertThat(HostName.isUnder(WebAddress.of(text).host(), "example.com")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com.evil.net/", "https://example.com@evil.net/",
			"https://example.community/", "https://example.com:443@evil.net/", "https://example.com%2f@evil.net/",
			"https://evil.net/example.com", "https://evil.net?example.com", "https://evil.net#.example.com",
			"https://evil.net\\.example.com/", "https://evil.net\\@example.com/", "https://evil.net\t.example.com/",
			"https://evil.net%2f.example.com/", "https://evil.net%23.example.com", "https://evil.net;.example.com/",
			"https://evil.net,example.com/", "https://evil.net example.com/", "https://a@evil.net@example.com/",
			"https://evil.net／.example.com/", "https://evil.net＃.example.com/", "https://evil.net？.example.com",
			"https://example.com＠evil.net/", "https:example.com", "https:/example.com", "https:\\\\example.com",
			"https:///example.com", "https://\\example.com", "//example.com", "example.com", "example.com/a",
			"example.com:443/a", "localhost:80//example.com", "https://?.example.com", "https://#@example.com/",
			"https://evil.net?@example.com/", "https://notexample.com/", "https://example.com-evil.net/",
			"https://еxample.com/", "https://example.com\u0000.evil.net/", "http\n://example.com/",
			"view-source:https://example.com/", "jar:https://example.com!/", "blob:https://example.com/1",
			"javascript:location='https://example.com'", "data:text/html,https://example.com", "https://[example.com]/",
			"https://example.com:99999/", "https://example.com:80a/", "https://example..com/", "https://.example.com/",
			"https://-x.example.com/", "https://x.example.com-/", "https://exa\u2044mple.com/",
			"https://faß.example.com/", "https://ex\u200dample.com/", "https://{x,example.com}/",
			"https://example.com[1]/", "", " ", "https://", "https://user@/", "http://example.com%00.evil.net/",
			"https://127.0.0.1/example.com" })
	void urlThatLeadsElsewhereOrIsReadDifferentlyIsNot(String text) {
		assertThat(host(text)).satisfiesAnyOf((host) -> assertThat(host).isNull(),
				(host) -> assertThat(HostName.isUnder(String.valueOf(host), "example.com")).isFalse());
	}

	private static @Nullable String host(String text) {
		try {
			return WebAddress.of(text).host();
		}
		catch (UnreadableValueException ex) {
			assertThat(ex.reason()).isNotBlank().doesNotContain("evil", "example");
			return null;
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "https://a.example/x | https | | 443 | /x",
			"http://Ann:pw@a.example:81/x/../y/./z/ | http | Ann | 81 | /y/z/", "ws://a.example | ws | | 80 | /",
			"ssh://git@a.example/r | ssh | git | -1 | /r", "https://a.example/%61%2e%2e/b | https | | 443 | /a../b",
			"https://a.example/a/%2e%2e/b | https | | 443 | /b", "https://a.example//a///b | https | | 443 | /a/b",
			"https://a.example/../../etc | https | | 443 | /etc", "https://a.example/a/.. | https | | 443 | /" })
	void partsAreRead(String text, String scheme, @Nullable String user, int port, String path)
			throws UnreadableValueException {
		assertThat(WebAddress.of(text))
			.isEqualTo(new WebAddress(scheme, (user != null) ? user : "", "a.example", port, path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://a.example/a%2f..%2fb", "https://a.example/a\\b", "https://a.example/%5c",
			"https://a.example/%252e%252e/", "https://a.example/a;x/../b", "https://a.example/%00" })
	void pathThatServersReadDifferentlyIsNotSaid(String text) throws UnreadableValueException {
		assertThat(WebAddress.of(text).path()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "127.0.0.1, 127.0.0.1", "127.1, 127.0.0.1", "127.0.1, 127.0.0.1", "2130706433, 127.0.0.1",
			"0x7f000001, 127.0.0.1", "0x7F.1, 127.0.0.1", "0x7f.0x0.0x0.0x1, 127.0.0.1", "::1, 0:0:0:0:0:0:0:1",
			"[::1], 0:0:0:0:0:0:0:1", "[0:0::0:1], 0:0:0:0:0:0:0:1", "[::ffff:127.0.0.1], 127.0.0.1",
			"[::ffff:7f00:1], 127.0.0.1", "10.1, 10.0.0.1", "１２７.0.0.1, 127.0.0.1", "127。0。0。1, 127.0.0.1",
			"127.0.0.1., 127.0.0.1", "00.0.0.0, 0.0.0.0", "BÜCHER.example, xn--bcher-kva.example" })
	void hostHasOneSpelling(String written, String host) throws UnreadableValueException {
		assertThat(HostName.of(written)).isEqualTo(host);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0177.0.0.1", "010.0.0.1", "127.0.0.256", "1.2.3.4.5", "127.0.0.x1.1", "1..2",
			"4294967296", "[::1%25eth0]", "fe80::1%eth0", "[::1", "[]", ":", "a:b", "a b", "a/b", "a@b", "0x",
			"09.0.0.1", "a.0x1g.1", "a.\u00df" })
	void hostThatClientsReadDifferentlyIsNot(String written) {
		assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> HostName.of(written));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://[::1]/",
					"http://[::ffff:127.0.0.1]/", "http://localhost/", "http://a.localhost:8080/", "http://10.0.0.5/",
					"http://192.168.1.1/", "http://169.254.169.254/latest/", "http://metadata.google.internal/",
					"http://127-0-0-1.nip.io/", "http://[fd00::1]/", "http://172.16.0.1/", "http://user@127.0.0.1:81/",
					"http://LOCALHOST./", "http://１２７.1/", "file:///etc/passwd", "unix:///var/run/docker.sock" })
	void internalUrlIsKnown(String text) throws UnreadableValueException {
		assertThat(WebAddress.of(text).isInternal()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://example.com/", "http://93.184.216.34/", "http://[2606:2800::1]/",
			"http://8.8.8.8/", "https://example.com/?u=http://127.0.0.1/", "https://127.0.0.1.example.com/",
			"mailto:a@example.com", "https://localhost.example.com/", "http://11.0.0.1/",
			"https://ten.example/10.0.0.1" })
	void otherUrlIsNotInternal(String text) throws UnreadableValueException {
		assertThat(WebAddress.of(text).isInternal()).isFalse();
	}

	/**
	 * What is read has the host that {@link URI} reads, if it reads one.
	 */
	@Test
	void agreesWithTheReaderOfTheJdk() {
		Random random = new Random(11);
		List<String> parts = List.of("http", "https", ":", "/", "//", "example.com", "evil.net", "@", "?", "#", "a",
				".", "%2f", "%40", ":80", "[::1]", "\\", "..", "b-c", "127.0.0.1", ";", "&", "=", "_", "x@",
				"localhost");
		int read = 0;
		for (int i = 0; i < 200_000; i++) {
			StringBuilder text = new StringBuilder((i % 2 == 0) ? "https://" : "");
			int count = 1 + random.nextInt(6);
			for (int j = 0; j < count; j++) {
				text.append(parts.get(random.nextInt(parts.size())));
			}
			String host = host(text.toString());
			String other = hostOfJdk(text.toString());
			if (host != null && !host.isEmpty() && other != null) {
				read++;
				assertThat(host).as(text.toString()).isEqualTo(other);
			}
		}
		assertThat(read).isGreaterThan(5_000);
	}

	private static @Nullable String hostOfJdk(String text) {
		try {
			String host = new URI(text).getHost();
			if (host == null) {
				return null;
			}
			String plain = host.toLowerCase(Locale.ROOT);
			plain = (plain.endsWith(".")) ? plain.substring(0, plain.length() - 1) : plain;
			return (plain.equals("[::1]")) ? "0:0:0:0:0:0:0:1" : plain;
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

}
