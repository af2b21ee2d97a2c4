package io.agenthooks.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FilePath}.
 */
class FilePathTests {

	/**
	 * Whether it is, or {@code null} if that cannot be said.
	 */
	private static @Nullable Boolean isUnder(String path, @Nullable String base, String folder) {
		try {
			return FilePath.of(path, base).isUnder(folder);
		}
		catch (UnreadableValueException ex) {
			assertThat(ex.reason()).isNotBlank().doesNotContain("secret", "data");
			return null;
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/data", "/data/", "/data/a", "/data/a/b.txt", "/data//a", "//data/a", "/data/./a",
			"/./data/a", "/data/x/../a", "/other/../data/a", "/../data/a", "/data/...a", "/data/.a", "/data/a..b",
			"/data/a.tar.gz", "/data/a b", "/data/ünter", "/data/a$b.class", "/data/~a", "/data/(1)", "/data/100%", "a",
			"./a", "a/../b", "b/c", ".hidden", "x/./y", "file:///data/a", "FILE:///data/a%20b", "file:/data/a",
			"file://localhost/data/a", "/data/[a]", "/data/a#1", "/data/a?b", "/data/a;b", "/data/a&b", "a=b" })
	void pathBelowAFolderIs(String path) {
		assertThat(isUnder(path, "/data", "/data")).isTrue();
	}

	/**
	 * What leads out of the folder, or does for one who reads it.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/etc/passwd", "/data/../etc/passwd", "/data/..", "/data2/a", "/database", "/", "..",
			"../a", "a/../../b", "/data/a/../../etc", "../data2/x", "../../data/../etc", "/data/%2e%2e/etc",
			"/data/%2E./etc", "/data/%252e%252e/etc", "%2e%2e/x", "..%2fx", "..%5cx", "/data\\..\\etc", "..\\x",
			"a\\..\\..\\x", "/data/..\\etc", "\\etc\\passwd", "C:\\Windows", "c:/Windows", "C:x", "\\\\server\\share",
			"\\\\?\\C:\\x", "~", "~/x", "~root/x", "~/../data/a", "$HOME/x", "${HOME}/x", "%USERPROFILE%\\x",
			"$(pwd)/x", "`pwd`/x", "/data/.. /etc", "/data/.../x", "/data/..  /x", "/data/a\u0000/../../etc",
			"/data/a\n", "", " ", "file:///etc/passwd", "file:///data/../etc", "file:///data/%2e%2e/etc",
			"file://evil/etc/passwd", "/DATA/a", "/Data/a", " /data/a/../../etc", " /etc/passwd",
			"/proc/self/root/etc/passwd", "/data/../proc/self/cwd/x", "/dev/fd/3", "/data/x/../../etc/./passwd",
			"//?/C:/x", "/data/../data2", "/data/./../etc", "/data//../etc", "/ data/a" })
	void pathThatLeadsOutIsNot(String path) {
		assertThat(isUnder(path, "/data", "/data")).isNotEqualTo(true);
	}

	/**
	 * A rule that denies a folder is told of each way in which a system may get there.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/etc/secret", "/etc//secret", "/etc/./secret", "/x/../etc/secret", "//etc/secret",
			"/etc/secret/a", "../etc/secret", "/data/../etc/secret", "/ETC/secret", "/etc/SECRET", "/etc/secret.",
			"/etc/secret ", "/etc /secret", "\\etc\\secret", "..\\etc\\secret", "/etc\\secret", "/etc/%73ecret",
			"%2fetc%2fsecret", "file:///etc/secret", "file:/etc/secret", "/etc/secret::$DATA", "/etc/secret:x",
			"/proc/self/root/etc/secret", " /etc/secret", "/etc/secret\n", "$X/etc/secret", "/etc/secret/../secret",
			"/etc/secret/.", "\\\\?\\/etc/secret", "/etc./secret", "/etc/secret. .", "..%2fetc%2fsecret",
			"..%255cetc%255csecret" })
	void pathThatMayLeadThereIsNotSaidToBeElsewhere(String path) {
		assertThat(isUnder(path, "/data", "/etc/secret")).isNotEqualTo(false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/etc/secrets", "/etc", "/etc/secret-not", "/data/etc/secret", "etc/secret", "a",
			"/etc/x/secret", "/etc/secret/../other", "/secret", "~/secret" })
	void otherPathIsElsewhere(String path) {
		assertThat(isUnder(path, "/data", "/etc/secret")).isFalse();
	}

	@Test
	void homeIsKnownInItsSpellings() {
		String home = System.getProperty("user.home");
		assertThat(isUnder("~/.ssh/id_rsa", null, "~/.ssh")).isTrue();
		assertThat(isUnder("~/x/../.ssh/id_rsa", null, "~/.ssh")).isTrue();
		assertThat(isUnder(home + "/.ssh/id_rsa", null, "~/.ssh")).isTrue();
		assertThat(isUnder("~/.ssh/id_rsa", null, home + "/.ssh")).isTrue();
		assertThat(isUnder("~/.sshx", null, "~/.ssh")).isFalse();
		assertThat(isUnder("~/../x", null, "~/.ssh")).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "/a/b.TXT, b.TXT, txt", "/a/b/.., a, ''", "/a/.env, .env, ''", "/a/b.tar.gz, b.tar.gz, gz",
			"x/y, y, ''", "/a/b/, b, ''" })
	void nameIsRead(String path, String name, String ext) throws UnreadableValueException {
		assertThat(FilePath.of(path, null).name()).isEqualTo(name);
		assertThat(FilePath.of(path, null).ext()).isEqualTo(ext);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a/b.php.", "/a/b.php ", "/a/b.php::$DATA", "/a/b%2ephp", "/a\\b.php" })
	void nameThatSystemsReadDifferentlyIsNotSaid(String path) throws UnreadableValueException {
		FilePath read = FilePath.of(path, null);
		assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(read::name);
	}

	@Test
	void linksAreFollowedIfThatIsWanted(@TempDir Path written) throws IOException, UnreadableValueException {
		Path folder = written.toRealPath();
		Files.createDirectories(folder.resolve("data"));
		Files.writeString(folder.resolve("secret"), "x");
		Files.createSymbolicLink(folder.resolve("data/link"), folder.resolve("secret"));
		String data = folder.resolve("data").toString();
		assertThat(FilePath.of("link", data).isUnder(data)).isTrue();
		assertThat(FilePath.of("link", data).real().isUnder(data)).isFalse();
		assertThat(FilePath.of("new/file", data).real().isUnder(data)).isTrue();
		assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> FilePath.of("a", null).real());
	}

	/**
	 * Nothing that {@link Path} finds in the folder is said to be elsewhere, and the
	 * other way round.
	 */
	@Test
	void agreesWithTheSystem() {
		Random random = new Random(5);
		List<String> parts = List.of("data", "etc", "..", ".", "", "a", "a.b", "...", "x y", "DATA", "~", "data2",
				"%2e");
		int said = 0;
		for (int i = 0; i < 100_000; i++) {
			StringBuilder text = new StringBuilder((random.nextBoolean()) ? "/" : "");
			int count = 1 + random.nextInt(6);
			for (int j = 0; j < count; j++) {
				text.append((j > 0) ? "/" : "").append(parts.get(random.nextInt(parts.size())));
			}
			if (text.isEmpty()) {
				continue;
			}
			boolean there = Path.of("/data").resolve(text.toString()).normalize().startsWith("/data");
			Boolean read = isUnder(text.toString(), "/data", "/data");
			if (read != null && !text.toString().startsWith("~")) {
				said++;
				assertThat(read).as(text.toString()).isEqualTo(there);
			}
		}
		assertThat(said).isGreaterThan(20_000);
	}

}
