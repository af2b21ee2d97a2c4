package io.agenthooks.spring.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Chromium of this machine, without anything that it would do on its own.
 */
final class Chromium {

	/** Milliseconds that tell a page that hangs from a machine that is busy. */
	private static final int LONGEST_WAIT = 60_000;

	/** Looks at all that is seen now; of an open dialog, not at what is behind it. */
	private static final String AXE = """
			async () => (await axe.run(document.querySelector('dialog[open]') ?? document, { resultTypes: ['violations'] })).violations
				.filter((each) => ['serious', 'critical'].includes(each.impact))
				.flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.html} (${node.failureSummary})`))""";

	private Chromium() {
	}

	static Playwright playwright() {
		PlaywrightAssertions.setDefaultAssertionTimeout(LONGEST_WAIT);
		return Playwright
			.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
	}

	static Browser launch(Playwright playwright) {
		return playwright.chromium()
			.launch(new BrowserType.LaunchOptions()
				.setExecutablePath(Path.of(System.getProperty("chromium", "/usr/bin/chromium")))
				.setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking",
						"--disable-component-update", "--disable-sync", "--no-first-run")));
	}

	/**
	 * Checks that axe-core finds nothing that keeps people from using what a page shows.
	 * @param page the page
	 * @param view the name of what it shows
	 */
	static void assertAccessible(Page page, String view) {
		// Not as a script of the page, which its policy forbids.
		page.evaluate(axe() + "\n;undefined");
		assertThat((List<?>) page.evaluate(AXE)).as("what axe finds in %s", view).isEmpty();
	}

	private static String axe() {
		try (InputStream script = Chromium.class.getResourceAsStream("/axe.min.js")) {
			return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
