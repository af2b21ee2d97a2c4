package io.agenthooks.spring.console;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;

/**
 * The Chromium of this machine, without anything that it would do on its own.
 */
final class Chromium {

	private Chromium() {
	}

	static Playwright playwright() {
		return Playwright.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
	}

	static Browser launch(Playwright playwright) {
		return playwright.chromium()
			.launch(new BrowserType.LaunchOptions()
				.setExecutablePath(Path.of(System.getProperty("chromium", "/usr/bin/chromium")))
				.setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking",
						"--disable-component-update", "--disable-sync", "--no-first-run")));
	}

}
