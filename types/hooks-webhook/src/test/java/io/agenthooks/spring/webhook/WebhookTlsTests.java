package io.agenthooks.spring.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.Verdict;
import io.agenthooks.spring.EndedProgram;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WebhookToolHook} over TLS. The certificates come from an authority
 * that the JVM is told to trust, so each is refused for its own fault only.
 */
@Timeout(60)
class WebhookTlsTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	static Path directory;

	@BeforeAll
	static void makeCertificates() throws Exception {
		keytool("ca", "-genkeypair", "-dname", "CN=Test CA", "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
		keytool("good", "-genkeypair", "-signer", "ca", "-dname", "CN=good", "-ext", "san=dns:localhost,ip:127.0.0.1");
		keytool("wrong-host", "-genkeypair", "-signer", "ca", "-dname", "CN=127.0.0.1", "-ext",
				"san=dns:other.example");
		keytool("expired", "-genkeypair", "-signer", "ca", "-dname", "CN=expired", "-ext", "san=ip:127.0.0.1",
				"-startdate", "-30d", "-validity", "2");
		keytool("self-signed", "-genkeypair", "-dname", "CN=self", "-ext", "san=ip:127.0.0.1");
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("ca", load().getCertificate("ca"));
		Path trustStore = directory.resolve("trusted.p12");
		try (var out = Files.newOutputStream(trustStore)) {
			trusted.store(out, PASSWORD.toCharArray());
		}
		System.setProperty("javax.net.ssl.trustStore", trustStore.toString());
		System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
	}

	@AfterAll
	static void forgetTrust() {
		System.clearProperty("javax.net.ssl.trustStore");
		System.clearProperty("javax.net.ssl.trustStorePassword");
	}

	@Test
	void preCallOfTrustedEndpointWorks() {
		try (FaultyServer server = server("good", FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=false", "timeout=20s")) {
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
		}
	}

	// W21
	@ParameterizedTest
	@ValueSource(strings = { "self-signed", "wrong-host", "expired" })
	void preCallOfEndpointThatCannotBeTrustedIsDeniedInAnyCase(String certificate) {
		try (FaultyServer server = server(certificate, FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=true", "timeout=20s")) {
			assertThat(hook.preCall(Webhooks.CALL))
				.isEqualTo(ToolDecision.deny("The webhook cannot be trusted: its TLS connection failed"));
			assertThat(server.received()).isEmpty();
		}
	}

	@Test
	void preCallOfEndpointThatDoesNotSpeakTlsIsDeniedInAnyCase() throws Exception {
		try (ServerSocket socket = FaultyServer.listen();
				WebhookToolHook hook = Webhooks.hook("https://127.0.0.1:" + socket.getLocalPort() + "/",
						"fail_open=true", "timeout=20s")) {
			CompletableFuture<Void> server = CompletableFuture.runAsync(() -> {
				try (Socket connection = socket.accept()) {
					FaultyServer.write(connection, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
					connection.getInputStream().readAllBytes();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
			assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(Verdict.DENY);
			assertThat(server).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	@Test
	void preCallOfEndpointThatHangsInTheHandshakeIsAnOutage() throws Exception {
		try (ServerSocket socket = FaultyServer.listen();
				WebhookToolHook hook = Webhooks.hook("https://127.0.0.1:" + socket.getLocalPort() + "/",
						"fail_open=true", "timeout=500ms")) {
			for (int i = 0; i < 5; i++) {
				assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(Verdict.APPROVE);
			}
		}
	}

	@Test
	void preCallToTlsEndpointWithoutTlsIsDenied() {
		try (FaultyServer server = server("good", FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url().replace("https:", "http:"), "fail_open=false")) {
			assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(Verdict.DENY);
		}
	}

	@Test
	void preCallWhenTrustedEndpointHasAnOutageFailsOpen() {
		try (FaultyServer server = server("good", FaultyServer.status(503, ""));
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=true", "timeout=20s")) {
			assertThat(hook.preCall(Webhooks.CALL))
				.isEqualTo(ToolDecision.failedOpen("The webhook answered with status 503"));
		}
	}

	private static FaultyServer server(String certificate, FaultyServer.Behaviour behaviour) {
		try {
			KeyStore all = load();
			KeyStore one = KeyStore.getInstance("PKCS12");
			one.load(null, null);
			char[] password = PASSWORD.toCharArray();
			one.setKeyEntry(certificate, all.getKey(certificate, password), password,
					all.getCertificateChain(certificate));
			KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			keys.init(one, password);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(keys.getKeyManagers(), null, null);
			ServerSocket socket = context.getServerSocketFactory()
				.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
			return new FaultyServer("https", socket, behaviour);
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore load() throws GeneralSecurityException, IOException {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(directory.resolve("all.p12"))) {
			store.load(in, PASSWORD.toCharArray());
		}
		return store;
	}

	private static void keytool(String alias, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
		command.addAll(List.of(arguments));
		command.addAll(List.of("-alias", alias, "-keyalg", "EC", "-groupname", "secp256r1", "-keystore",
				directory.resolve("all.p12").toString(), "-storepass", PASSWORD, "-J-XX:TieredStopAtLevel=1",
				"-J-XX:+UseSerialGC"));
		EndedProgram ended = EndedProgram.run(command);
		assertThat(ended.status()).as(ended.output()).isZero();
	}

}
