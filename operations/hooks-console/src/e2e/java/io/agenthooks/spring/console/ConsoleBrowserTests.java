package io.agenthooks.spring.console;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drives the console in headless Chromium, as {@code mvn -Pe2e} does. The property
 * {@code chromium} names another program than {@code /usr/bin/chromium}; the property
 * {@code screenshots} names a folder to keep pictures in.
 */
class ConsoleBrowserTests {

	private static final String EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";

	private static final List<String> VIEWS = List.of("Calls", "Charts", "Chains", "Tools", "Explain", "Audit");

	/** Texts whose contrast with what is behind them is below 4.5, as WCAG counts it. */
	private static final String CONTRAST = """
			() => {
				const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
				const rgb = (color, below) => {
					canvas.fillStyle = `rgb(${below.join()})`;
					canvas.fillRect(0, 0, 1, 1);
					canvas.fillStyle = color;
					canvas.fillRect(0, 0, 1, 1);
					return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
				};
				const light = (color) => color.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
					.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
				const behind = (e) => e ? rgb(getComputedStyle(e).backgroundColor, behind(e.parentElement)) : [255, 255, 255];
				const root = document.querySelector('dialog[open]') ?? document.body;
				return [...root.querySelectorAll('*')].filter((e) => e.checkVisibility() && !e.disabled
						&& [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())).map((e) => {
					const back = behind(e);
					const [a, b] = [light(back), light(rgb(getComputedStyle(e).color, back))];
					return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 40)];
				}).filter(([ratio]) => ratio < 4.5).map((found) => found.join(' '));
			}""";

	private static Playwright playwright;

	private static Browser browser;

	private final List<String> complaints = new ArrayList<>();

	private @Nullable TestConsole console;

	@SuppressWarnings("NullAway.Init") // with each page that a test opens
	private BrowserContext context;

	@SuppressWarnings("NullAway.Init")
	private Page page;

	@BeforeAll
	static void launch() {
		playwright = Chromium.playwright();
		browser = Chromium.launch(playwright);
	}

	@AfterAll
	static void quit() {
		playwright.close();
	}

	@AfterEach
	void stop() {
		this.context.close();
		if (this.console != null) {
			this.console.close();
		}
		assertThat(this.complaints).as("what the browser complained about").isEmpty();
	}

	private TestConsole console() {
		return Objects.requireNonNull(this.console);
	}

	private void open(WebApplicationType type, String... properties) {
		open(type, 1280, ColorScheme.LIGHT, properties);
	}

	private void open(WebApplicationType type, int width, ColorScheme scheme, String... properties) {
		TestConsole started = TestConsole.start(type, List.of(), TestConsole.OPEN, TestConsole.NO_SECURITY, properties);
		this.console = started;
		browse(started, new Browser.NewContextOptions().setViewportSize(width, 844).setColorScheme(scheme));
	}

	private void browse(TestConsole started, Browser.NewContextOptions options) {
		this.context = browser.newContext(options);
		this.page = this.context.newPage();
		this.page.onConsoleMessage((message) -> {
			if (message.type().equals("error") || message.type().equals("warning")) {
				this.complaints.add(message.text());
			}
		});
		this.page.onPageError(this.complaints::add);
		this.page.navigate(started.address() + "/hooks");
	}

	private void happens(Map<String, @Nullable Object> call) {
		console().bean(StandIns.Calls.class).calls.add(0, call);
	}

	private void happenSome() {
		Instant start = Instant.now().minusSeconds(1500);
		List<String> tools = List.of("read_file", "send_email", "run_command", "refund_order", "delete_customer");
		for (int i = 0; i < 60; i++) {
			String tool = tools.get((i * 7) % 5);
			String outcome = (tool.startsWith("delete") || i % 11 == 3) ? "denied"
					: (i % 13 == 5) ? "failed" : "succeeded";
			happens(StandIns.call("c-" + i, tool, outcome, start.plusSeconds(i * 25L - (i * i) % 40).toString(),
					Map.of("path", "notes/" + i + ".txt")));
		}
		happens(StandIns.call("evil", EVIL, "denied", Instant.now().toString(),
				Map.of("command", "rm \u202Egpj.exe\u0007", "html", EVIL)));
	}

	private void view(String name) {
		this.page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true)).click();
		assertThat(this.page.getByRole(AriaRole.HEADING,
				new Page.GetByRoleOptions().setName(name).setExact(true).setLevel(2)))
			.isVisible();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void callsAppearAsTheyEnd(WebApplicationType type) {
		open(type);
		assertThat(this.page.locator("#live-text")).hasText("Live");
		assertThat(this.page.locator("#calls-table")).containsText("No call to show.");
		happens(StandIns.call("c-1", "send_email", "succeeded", Instant.now().toString(), Map.of("to", "a@b.example")));
		Locator rows = this.page.locator("#calls-table tbody tr");
		assertThat(rows).hasCount(1);
		happens(StandIns.call("c-2", "delete_customer", "denied", Instant.now().toString(), Map.of("id", 7)));
		assertThat(rows).hasCount(2);
		assertThat(rows.first()).containsText("delete_customer");
		assertThat(rows.first()).containsText("denied");
		assertThat(rows.first()).containsText("house-rules");
		rows.first().getByRole(AriaRole.BUTTON).click();
		Locator dialog = this.page.getByRole(AriaRole.DIALOG);
		assertThat(dialog).containsText("deny_tools");
		assertThat(dialog).containsText("application.yaml:11:25");
		assertThat(dialog).containsText("\"id\": 7");
		assertThat(dialog.locator("tbody tr")).hasCount(2);
		assertThat(dialog.locator("tbody tr").last()).containsText("2 resets");
	}

	@Test
	void textOfCallsIsShownAsText() {
		open(WebApplicationType.REACTIVE);
		happens(StandIns.call("evil", EVIL, "denied", Instant.now().toString(),
				Map.of("command", "rm \u202Egpj.exe\u0007\u200B", "html", EVIL)));
		Locator name = this.page.locator("#calls-table tbody button");
		assertThat(name).hasText(EVIL);
		name.click();
		Locator arguments = this.page.locator("#call-content pre");
		assertThat(arguments).containsText("rm U+202Egpj.exe");
		assertThat(arguments).containsText("U+200B");
		assertThat(arguments.locator(".hidden-char")).not().hasCount(0);
		assertThat(arguments).containsText("<script>document.title='owned'</script>");
		assertThat(this.page.locator("main img, dialog img, main script, dialog script").count()).isZero();
		this.page.keyboard().press("Escape");
		view("Charts");
		assertThat(this.page.locator("#charts-content")).containsText(EVIL);
		assertThat(this.page.title()).isEqualTo("Charts · Agent Hooks");
	}

	@Test
	void explainTellsWhatWouldHappen() {
		open(WebApplicationType.SERVLET, "management.endpoint.toolhooks.access=unrestricted");
		view("Explain");
		this.page.getByLabel("Tool", new Page.GetByLabelOptions().setExact(true)).fill("run_command");
		Locator arguments = this.page.getByLabel("Arguments in JSON");
		arguments.fill("{\"command\": ");
		this.page.locator("#explain-submit").click();
		assertThat(this.page.locator("#explain-arguments-error")).containsText("not a JSON object");
		assertThat(arguments).isFocused();
		arguments.fill("{\"command\": \"rm -rf /\"}");
		this.page.locator("#explain-submit").click();
		Locator result = this.page.locator("#explain-result");
		assertThat(result).containsText("The policy denies this value of the argument 'command'");
		assertThat(result).containsText("not asked");
		assertThat(result).containsText("application.yaml:12:22");
		assertThat(this.page.locator("#explain-arguments-error")).isHidden();
	}

	@Test
	void listSaysForWhomWithWhichArgumentsWhyItFailedAndWhoApproved() {
		open(WebApplicationType.SERVLET);
		happens(StandIns.call("c-1", "read_file", "failed", Instant.now().toString(), Map.of("path", "notes.txt")));
		Map<String, @Nullable Object> approved = StandIns.call("c-2", "refund_order", "succeeded",
				Instant.now().toString(), Map.of("order", "A-17"));
		approved.put("approval", Map.of("answer", "approve", "person", "boss", "approver", "people", "asked_by",
				"big-refunds", "remembered_since", Instant.now().toString()));
		happens(approved);
		Locator rows = this.page.locator("#calls-table tbody tr");
		assertThat(rows).hasCount(2);
		assertThat(rows.first().locator(".glimpse")).hasText("{\"order\":\"A-17\"}");
		assertThat(rows.first().locator(".caller")).hasText("annhelper · s-1");
		assertThat(rows.first().locator(".decider")).hasText("bossapproved earlier");
		assertThat(rows.last().locator(".reason")).hasText("There is no file 'notes.txt'");
		this.page.getByLabel("Search").fill("a-17");
		assertThat(rows).hasCount(1);
		this.page.getByLabel("Search").fill("no file");
		assertThat(rows.locator(".main")).containsText("read_file");
		rows.getByRole(AriaRole.BUTTON).click();
		assertThat(this.page.locator("#call .verdict")).hasText("failed There is no file 'notes.txt'");
	}

	@Test
	void searchAndOpenCallHaveAnAddressThatCanBeSent() {
		open(WebApplicationType.SERVLET);
		happens(StandIns.call("c-1", "read_file", "failed", Instant.now().toString(), Map.of()));
		happens(StandIns.call("c-2", "send_email", "denied", Instant.now().toString(), Map.of("to", "a & b")));
		happens(StandIns.call("c-3", "send_email", "succeeded", Instant.now().toString(), Map.of("to", "a & b")));
		Locator rows = this.page.locator("#calls-table tbody tr");
		assertThat(rows).hasCount(3);
		this.page.getByLabel("Search").fill("a & b");
		this.page.getByLabel("Outcome").selectOption("denied");
		assertThat(rows).hasCount(1);
		view("Charts");
		view("Calls");
		assertThat(rows).hasCount(1);
		rows.getByRole(AriaRole.BUTTON).click();
		String sent = this.page.url();
		assertThat(sent).endsWith("/hooks#calls?q=a+%26+b&outcome=denied&call=c-2");
		this.page.keyboard().press("Escape");
		assertThat(this.page).hasURL(Pattern.compile(".*#calls\\?q=a\\+%26\\+b&outcome=denied$"));
		Page colleague = this.context.newPage();
		colleague.navigate(sent);
		assertThat(colleague.locator("#call")).isVisible();
		assertThat(colleague.locator("#call-title")).hasText("send_email");
		assertThat(colleague.locator("#call")).containsText("house-rules");
		assertThat(colleague.locator("#calls-table tbody tr")).hasCount(1);
		assertThat(colleague.getByLabel("Search")).hasValue("a & b");
		colleague.goBack();
		colleague.navigate(sent.replace("c-2", "gone"));
		assertThat(colleague.locator("#call")).containsText("does not keep this call any more");
	}

	@Test
	void backClosesACallThatWasOpened() {
		open(WebApplicationType.SERVLET);
		happens(StandIns.call("c-1", "read_file", "succeeded", Instant.now().toString(), Map.of()));
		this.page.locator("#calls-table tbody button").click();
		assertThat(this.page.locator("#call")).isVisible();
		this.page.goBack();
		assertThat(this.page.locator("#call")).isHidden();
		this.page.goForward();
		assertThat(this.page.locator("#call")).isVisible();
	}

	@Test
	void chartsAreOfThePeriodThatIsChosen() {
		open(WebApplicationType.SERVLET);
		Instant now = Instant.now();
		happens(StandIns.call("c-1", "read_file", "succeeded", now.minusSeconds(90_000).toString(), Map.of()));
		happens(StandIns.call("c-2", "read_file", "denied", now.minusSeconds(1_800).toString(), Map.of()));
		happens(StandIns.call("c-3", "read_file", "failed", now.minusSeconds(60).toString(), Map.of()));
		view("Charts");
		Locator note = this.page.locator("#charts-note");
		assertThat(note).containsText("3 of the last 3 calls.");
		assertThat(this.page.locator(".axis text").first()).containsText(", ");
		this.page.getByLabel("Period").selectOption("Last hour");
		assertThat(note).containsText("2 of the last 3 calls.");
		assertThat(this.page.locator(".legend")).hasText("failed 1denied 1");
		assertThat(this.page.locator(".most li")).hasText(new String[] { "1", "0" });
		this.page.getByLabel("Period").selectOption("Last 15 minutes");
		assertThat(this.page.locator(".legend")).hasText("failed 1");
		this.page.reload();
		assertThat(this.page.getByLabel("Period")).hasValue("900");
		assertThat(note).containsText("1 of the last 3 calls.");
	}

	@Test
	void callTakesThreeLinesOnAPhone() {
		open(WebApplicationType.SERVLET, 390, ColorScheme.LIGHT);
		happens(StandIns.call("c-1", "refund_order", "denied", Instant.now().toString(),
				Map.of("order", "A-17", "amount", 600)));
		Locator row = this.page.locator("#calls-table tbody tr");
		assertThat(row).hasCount(1);
		assertThat(row.boundingBox().height).isLessThan(110);
		assertThat(row).containsText("house-rules");
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "390, DARK", "1280, LIGHT", "1280, DARK" })
	void auditOfLongNamesFits(int width, ColorScheme scheme) throws Exception {
		TestConsole started = TestConsole.start(WebApplicationType.SERVLET, List.of(StandIns.Audit.class),
				TestConsole.OPEN, TestConsole.NO_SECURITY);
		this.console = started;
		browse(started, new Browser.NewContextOptions().setViewportSize(width, 844).setColorScheme(scheme));
		view("Audit");
		this.page.locator("#verify").click();
		assertThat(this.page.locator("#audit-content")).containsText("shop-1-000000017.jsonl:17");
		check(width, scheme, "Audited");
	}

	@Test
	void nameThatNoToolHasIsNotApprovedInGreen() {
		open(WebApplicationType.SERVLET, "management.endpoint.toolhooks.access=unrestricted");
		view("Explain");
		this.page.locator("#explain-tool").fill("send_emial");
		this.page.locator("#explain-submit").click();
		Locator result = this.page.locator("#explain-result");
		assertThat(result.locator(".verdict")).hasText("unknown tool No tool of this name is known here.");
		assertThat(result.locator("p .badge.good")).hasCount(0);
		result.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("send_email").setExact(true)).click();
		assertThat(result.locator(".verdict")).hasText("approve No hook objects.");
		assertThat(this.page.locator("#explain-tool")).hasValue("send_email");
	}

	@Test
	void explainOffersTheArgumentsOfAToolAndForWhomItWasCalledLast() {
		open(WebApplicationType.SERVLET, "management.endpoint.toolhooks.access=unrestricted");
		happens(StandIns.call("c-1", "send_email", "succeeded", Instant.now().toString(), Map.of()));
		assertThat(this.page.locator("#calls-table tbody tr")).hasCount(1);
		view("Explain");
		this.page.locator("#explain-agent").fill("clerk");
		this.page.locator("#explain-tool").fill("send_email");
		assertThat(this.page.locator("#explain-arguments")).hasValue("{\n  \"to\": \"\"\n}");
		assertThat(this.page.locator("#explain-session")).isVisible();
		assertThat(this.page.locator("#explain-session")).hasValue("s-1");
		assertThat(this.page.locator("#explain-user")).hasValue("ann");
		assertThat(this.page.locator("#explain-agent")).hasValue("clerk");
		this.page.locator("#explain-arguments").fill("{\"to\": \"a@b.example\"}");
		this.page.locator("#explain-tool").fill("read_file");
		assertThat(this.page.locator("#explain-session")).hasValue("");
		assertThat(this.page.locator("#explain-arguments")).hasValue("{\"to\": \"a@b.example\"}");
	}

	@Test
	void callsThatWaitForPeopleAreNotCountedAsFailed() {
		open(WebApplicationType.SERVLET);
		happens(StandIns.call("c-1", "refund_order", "pending", Instant.now().toString(), Map.of()));
		happens(StandIns.call("c-2", "refund_order", "pending", Instant.now().toString(), Map.of()));
		assertThat(this.page.locator("#calls-table tbody tr")).hasCount(2);
		Locator failed = this.page.locator(".tile").filter(new Locator.FilterOptions().setHasText("by the tool"));
		assertThat(failed.locator(".value")).hasText("0");
		happens(StandIns.call("c-3", "refund_order", "failed", Instant.now().toString(), Map.of()));
		assertThat(failed.locator(".value")).hasText("1");
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "390, DARK", "1280, LIGHT", "1280, DARK" })
	void whileToolsAreOffABarOverEachViewSaysWhoAndSinceWhen(int width, ColorScheme scheme) throws Exception {
		open(WebApplicationType.SERVLET, width, scheme);
		Locator bar = this.page.locator("#alarm");
		assertThat(this.page.locator("#switch")).containsText("tools are on");
		assertThat(bar).isHidden();
		console().bean(StandIns.Hooks.class).enabled = false;
		this.page.reload();
		for (String view : VIEWS) {
			view(view);
			assertThat(bar).isVisible();
		}
		assertThat(bar).containsText("this instance denies every call. Since ");
		assertThat(bar).containsText(", by ann.");
		assertThat(bar.locator("time")).hasCount(1);
		check(width, scheme, "Off");
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "1280, DARK" })
	void barSaysWhichToolsAreOffAndSwitchesEachOnByItself(int width, ColorScheme scheme) throws Exception {
		open(WebApplicationType.SERVLET, width, scheme, "management.endpoint.toolhooks.access=unrestricted");
		Locator bar = this.page.locator("#alarm");
		assertThat(this.page.locator("#switch")).containsText("tools are on");
		console().bean(StandIns.Hooks.class).parts.addAll(List.of("send_*", "delete_<b>"));
		this.page.reload();
		assertThat(this.page.locator("#switch")).containsText("tools are on");
		assertThat(bar).containsText("Tools send_* are off. Since ");
		assertThat(bar).containsText("Tools delete_<b> are off. Since ");
		assertThat(bar).containsText(", by ann.");
		check(width, scheme, "Parts");
		bar.getByRole(AriaRole.BUTTON).first().click();
		assertThat(this.page.getByRole(AriaRole.DIALOG)).containsText("Tools send_*: Tools run again");
		this.page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Switch on").setExact(true)).click();
		assertThat(bar).not().containsText("send_*");
		assertThat(bar).containsText("Tools delete_<b> are off");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void killSwitchAsksFirst(WebApplicationType type) {
		open(type, "management.endpoint.toolhooks.access=unrestricted");
		Locator button = this.page.locator("#switch-button");
		assertThat(this.page.locator("#switch")).containsText("tools are on");
		button.click();
		Locator question = this.page.getByRole(AriaRole.DIALOG);
		assertThat(question).containsText("Really switch all tools off?");
		this.page.getByText("Cancel").click();
		assertThat(question).isHidden();
		assertThat(console().bean(StandIns.Hooks.class).enabled).isTrue();
		button.click();
		this.page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Switch off").setExact(true)).click();
		assertThat(this.page.locator("#switch")).containsText("tools are off");
		assertThat(console().bean(StandIns.Hooks.class).enabled).isFalse();
	}

	/**
	 * Nothing here is a stand-in: a real call, the endpoints of the starter, real rules.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void realApplicationShowsExplainsSwitchesAndExports(WebApplicationType type, @TempDir Path directory)
			throws Exception {
		Path yaml = directory.resolve("application.yaml");
		Files.writeString(yaml, """
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        name: house-rules
				        config:
				          deny_tools: ["delete_*"]
				  audit:
				    enabled: true
				    node: n1
				    file: {path: "%s"}
				management.endpoint.toolhooks.access: unrestricted
				""".formatted(directory.resolve("audit")));
		TestConsole started = TestConsole.startReal(type, List.of(), TestConsole.OPEN, TestConsole.NO_SECURITY,
				new String[] { "spring.config.location=" + yaml.toUri() });
		this.console = started;
		browse(started, new Browser.NewContextOptions().setViewportSize(1280, 844));
		Locator rows = this.page.locator("#calls-table tbody tr");
		assertThat(this.page.locator("#calls-table")).containsText("No call to show.");
		ToolExecutor tools = started.bean(ToolExecutor.class);
		tools.execute(ToolCall.of("delete_customer", Map.of("id", new BigInteger("12345678901234567890"))));
		assertThat(rows).hasCount(1);
		tools.execute(ToolCall.of("read_file", Map.of("path", "a.txt")));
		assertThat(rows).hasCount(2);
		assertThat(rows.first()).containsText("read_file");
		assertThat(rows.last()).containsText("denied");
		rows.last().getByRole(AriaRole.BUTTON).click();
		Locator call = this.page.locator("#call");
		assertThat(call).containsText("house-rules");
		assertThat(call).containsText("deny_tools");
		assertThat(call).containsText("application.yaml:7:");
		assertThat(call).containsText("\"id\": 12345678901234567890");
		call.getByText("Explain this call").click();
		assertThat(this.page.locator("#explain-arguments")).hasValue("{\n  \"id\": 12345678901234567890\n}");
		this.page.locator("#explain-submit").click();
		Locator result = this.page.locator("#explain-result");
		assertThat(result).containsText("deny");
		assertThat(result).containsText("application.yaml:7:");
		assertThat(result).containsText("12345678901234567890");

		assertThat(this.page.locator("#switch")).containsText("tools are on");
		this.page.locator("#switch-button").click();
		assertThat(this.page.locator("#question")).containsText("Really switch all tools off?");
		assertThat(tools.execute(ToolCall.of("read_file", Map.of())).succeeded()).isTrue();
		this.page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Switch off").setExact(true)).click();
		assertThat(this.page.locator("#switch")).containsText("tools are off");
		assertThat(tools.execute(ToolCall.of("read_file", Map.of())).succeeded()).isFalse();
		view("Calls");
		assertThat(rows).hasCount(4);
		assertThat(rows.first()).containsText("disabled");

		view("Audit");
		Download download = this.page.waitForDownload(() -> this.page.locator("#export-submit").click());
		assertThat(this.page.locator("#audit-content")).containsText("unbroken");
		assertThat(this.page.locator("#export-note")).containsText("records are in the file.");
		Path file = directory.resolve("export.jsonl");
		download.saveAs(file);
		assertThat(Files.readAllLines(file)).isNotEmpty().allMatch((line) -> line.contains("\"hash\":\""));
		assertThat(Files.readString(file)).contains("delete_customer");
		this.page.locator("#export-until").fill("2020-01-01T00:00");
		this.page.locator("#export-from").fill("2019-01-01T00:00");
		Download none = this.page.waitForDownload(() -> this.page.locator("#export-submit").click());
		assertThat(this.page.locator("#export-note")).containsText("0 records are in the file.");
		assertThat(none.suggestedFilename()).endsWith(".jsonl");
	}

	@Test
	void whatIsSwitchedOffSaysWhatSwitchesItOn() {
		open(WebApplicationType.SERVLET);
		this.page.locator("#switch-button").click();
		assertThat(this.page.getByRole(AriaRole.DIALOG))
			.containsText("management.endpoint.toolhooks.access: unrestricted");
		this.page.keyboard().press("Escape");
		view("Explain");
		assertThat(this.page.locator("#explain-off"))
			.containsText("management.endpoint.toolhooks.access: unrestricted");
		assertThat(this.page.locator("#explain-submit")).isDisabled();
		view("Audit");
		assertThat(this.page.locator("#audit-content")).containsText("management.endpoints.web.exposure.include");
	}

	@Test
	void withoutEndpointsThePageSaysWhichPropertyExposesThem() {
		open(WebApplicationType.REACTIVE, "management.endpoints.web.exposure.include=health");
		assertThat(this.page.locator("#calls-table")).containsText("management.endpoints.web.exposure.include");
		view("Tools");
		assertThat(this.page.locator("#tools-content")).containsText("toolhooks,toolcalls,toolaudit");
	}

	@Test
	void chainsAndToolsSayWhereRulesAreAndWhatIsUnguarded() {
		open(WebApplicationType.SERVLET);
		view("Chains");
		assertThat(this.page.locator("#chains-content")).containsText("application.yaml:8:9");
		view("Tools");
		Locator first = this.page.locator("#tools-content tbody tr").first();
		assertThat(first).containsText("legacy_export");
		assertThat(first).containsText("unguarded");
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "390, DARK", "1280, LIGHT", "1280, DARK" })
	void versionOfTheChainIsOpenedAndSaysWhatChanged(int width, ColorScheme scheme) throws Exception {
		open(WebApplicationType.SERVLET, width, scheme);
		StandIns.Hooks hooks = console().bean(StandIns.Hooks.class);
		Map<String, Object> rules = new LinkedHashMap<>(
				StandIns.Hooks.hook("house-rules", "policy", "application.yaml:8:9", 0));
		rules.put("rules", List.of(rule("deny_tools", "application.yaml:11:25", "delete_*"),
				rule("refunds", "application.yaml:14:25", "refund_order")));
		hooks.before = List.of(StandIns.Hooks.hook("secret-files", "bean", "SecretFileHook", 0), rules,
				StandIns.Hooks.hook("mail-approval", "webhook", "application.yaml:17:9", 1));
		this.page.reload();
		this.page.locator("#foot a").click();
		Locator version = this.page.locator("#chains-version");
		assertThat(version).containsText("Version 4f1c09aa");
		assertThat(version).containsText("4 hooks around tool calls, 2 rules");
		assertThat(version).containsText("This browser has seen no other version yet.");

		rules.put("origin", "application.yaml:9:9");
		rules.put("mode", "observe");
		rules.put("rules", List.of(rule("deny_tools", "application.yaml:12:25", "delete_*"),
				rule("refunds", "application.yaml:15:25", "refund_order", "cancel_order\u202E<b>")));
		hooks.before = List.of(rules, StandIns.Hooks.hook("secret-files", "bean", "SecretFileHook", 0),
				StandIns.Hooks.hook("night-shift", "registered", "run time", 2));
		hooks.version = "77aa01bc";
		this.page.reload();
		assertThat(version).containsText("Version 77aa01bc");
		assertThat(this.page.getByLabel("What changed since").locator("option"))
			.containsText(new String[] { "4f1c09aa" });
		Locator changes = version.locator(".changes > li");
		assertThat(changes).hasText(new Pattern[] {
				Pattern.compile("changed house-rules policy, tool calls, before the call" + "mode not set → observe"
						+ "new rule refunds deny refund_order, cancel_orderU\\+202E<b> application.yaml:15:25"
						+ "rule no longer there refunds deny refund_order ?"),
				Pattern.compile("added night-shift registered, tool calls, before the call"),
				Pattern.compile("removed mail-approval webhook, tool calls, before the call"), Pattern.compile(
						"order tool calls, before the call, now asked in this order: house-rules, secret-files") });
		check(width, scheme, "Version");

		hooks.version = "0c0c0c0c";
		this.page.reload();
		assertThat(version).containsText("Version 0c0c0c0c");
		assertThat(version.locator("#version-changes")).containsText("Nothing that this page shows.");
		this.page.getByLabel("What changed since").selectOption("4f1c09aa");
		assertThat(changes).hasCount(4);
	}

	private static Map<String, Object> rule(String name, String origin, String... tools) {
		return Map.of("name", name, "then", "deny", "tools", List.of(tools), "origin", origin);
	}

	@Test
	void hookThatIsRegisteredAtRunTimeIsAChangeOfTheVersion() {
		TestConsole started = TestConsole.startReal(WebApplicationType.SERVLET, List.of(), TestConsole.OPEN,
				TestConsole.NO_SECURITY);
		this.console = started;
		browse(started, new Browser.NewContextOptions().setViewportSize(1280, 844));
		view("Chains");
		assertThat(this.page.locator("#chains-version")).containsText("1 hook around tool calls");
		ActiveHooks.Registration registration = started.bean(ToolHooks.class)
			.register("night-shift", (PreToolHook) (call) -> ToolDecision.approve());
		Locator changes = this.page.locator(".changes > li");
		assertThat(changes).containsText(new String[] { "added night-shift" });
		registration.close();
		assertThat(changes).containsText(new String[] { "removed night-shift" });
		started.bean(ToolHooks.class).disableTools();
		assertThat(changes).containsText(new String[] { "tools are off" });
	}

	@Test
	void browserThatKeepsNothingStillSaysWhatIsInTheVersion() {
		open(WebApplicationType.SERVLET);
		this.page.addInitScript(
				"Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })");
		this.page.reload();
		view("Chains");
		assertThat(this.page.locator("#chains-version")).containsText("4 hooks around tool calls");
		console().bean(StandIns.Hooks.class).version = "77aa01bc";
		assertThat(this.page.locator("#version-changes")).containsText("Nothing that this page shows.");
	}

	@Test
	void keyboardIsEnough() {
		open(WebApplicationType.SERVLET, "management.endpoint.toolhooks.access=unrestricted");
		happens(StandIns.call("c-1", "send_email", "succeeded", Instant.now().toString(), Map.of()));
		assertThat(this.page.locator("#calls-table tbody tr")).hasCount(1);
		tabTo("#skip");
		this.page.keyboard().press("Enter");
		assertThat(this.page.locator("main")).isFocused();
		tabTo("#calls-table tbody button");
		this.page.keyboard().press("Enter");
		assertThat(this.page.locator("#call")).isVisible();
		this.page.keyboard().press("Escape");
		assertThat(this.page.locator("#call")).isHidden();
		assertThat(this.page.locator("#calls-table tbody button")).isFocused();
		tabTo("#switch-button");
		this.page.keyboard().press("Enter");
		assertThat(this.page.locator("#question-no")).isFocused();
		this.page.keyboard().press("Tab");
		this.page.keyboard().press("Enter");
		assertThat(this.page.locator("#switch")).containsText("tools are off");
		tabTo("nav a[href='#explain']");
		this.page.keyboard().press("Enter");
		tabTo("#explain-tool");
		this.page.keyboard().type("send_email");
		this.page.keyboard().press("Enter");
		assertThat(this.page.locator("#explain-result")).containsText("No hook objects.");
	}

	/**
	 * Presses the tab key until an element has the focus.
	 */
	private void tabTo(String selector) {
		for (int i = 0; i < 60; i++) {
			if ((Boolean) this.page.locator(selector).first().evaluate("(e) => e === document.activeElement")) {
				return;
			}
			this.page.keyboard().press("Tab");
		}
		throw new AssertionError("No tab leads to " + selector);
	}

	@Test
	void everythingHasANameForAScreenReader() {
		open(WebApplicationType.SERVLET, "management.endpoint.toolhooks.access=unrestricted");
		happenSome();
		for (String view : VIEWS) {
			view(view);
			Object nameless = this.page.evaluate(
					"""
							() => [...document.querySelectorAll('button, a, input, select, textarea, section, nav, dialog[open]')]
								.filter((e) => e.checkVisibility())
								.filter((e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.length
									|| e.textContent.trim()))
								.map((e) => e.outerHTML)""");
			assertThat((List<?>) nameless).as(view).isEmpty();
		}
		assertThat(this.page.getByRole(AriaRole.MAIN)).hasCount(1);
		assertThat(this.page.getByRole(AriaRole.BANNER)).hasCount(1);
		assertThat(this.page.getByRole(AriaRole.NAVIGATION)).hasCount(1);
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "390, DARK", "1280, LIGHT", "1280, DARK" })
	void nothingIsWiderThanTheWindowAndEverythingCanBeRead(int width, ColorScheme scheme) throws Exception {
		open(WebApplicationType.REACTIVE, width, scheme, "management.endpoint.toolhooks.access=unrestricted");
		happenSome();
		assertThat(this.page.locator("#calls-table tbody tr")).hasCount(61);
		for (String view : VIEWS) {
			view(view);
			if (view.equals("Explain")) {
				this.page.locator("#explain-tool").fill("run_command");
				this.page.locator("#explain-arguments").fill("{\"command\": \"rm -rf /\"}");
				this.page.locator("#explain-submit").click();
				assertThat(this.page.locator("#explain-result")).containsText("denies this value");
			}
			check(width, scheme, view);
		}
		view("Calls");
		this.page.locator("#calls-table tbody button").first().click();
		assertThat(this.page.locator("#call")).isVisible();
		check(width, scheme, "Call");
		this.page.keyboard().press("Escape");
		this.page.locator("#switch-button").click();
		check(width, scheme, "Switch");
	}

	private void check(int width, ColorScheme scheme, String view) throws Exception {
		Object wider = this.page.evaluate("""
				() => [document.documentElement, ...document.querySelectorAll('dialog[open]')]
					.map((e) => e.scrollWidth - e.clientWidth)""");
		assertThat((List<?>) wider).as("%s at %d", view, width).allMatch((more) -> ((Number) more).intValue() <= 0);
		assertThat((List<?>) this.page.evaluate(CONTRAST)).as("what is hard to read in %s, %s", view, scheme).isEmpty();
		Chromium.assertAccessible(this.page, "%s at %d, %s".formatted(view, width, scheme));
		String folder = System.getProperty("screenshots");
		if (folder != null) {
			Files.createDirectories(Path.of(folder));
			this.page.screenshot(new Page.ScreenshotOptions()
				.setPath(Path.of(folder,
						"console-%s-%d-%s.png".formatted(view.toLowerCase(Locale.ROOT), width,
								scheme.name().toLowerCase(Locale.ROOT))))
				.setFullPage(!List.of("Calls", "Call", "Switch").contains(view)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "session", "cookie" })
	void postsCarryTheTokenAgainstForgedRequests(String kind) {
		TestConsole started = TestConsole.start(WebApplicationType.SERVLET,
				(kind.equals("cookie")) ? List.of(TestSecurity.MvcUsers.class, TestSecurity.MvcCookies.class)
						: List.of(TestSecurity.MvcUsers.class),
				new String[] { "hooks.console.enabled=true", "management.endpoint.toolhooks.access=unrestricted" });
		this.console = started;
		browse(started, new Browser.NewContextOptions().setHttpCredentials("ann", "ann").setViewportSize(1280, 844));
		if (kind.equals("session")) {
			this.page.getByLabel("Username").fill("ann");
			this.page.getByLabel("Password").fill("ann");
			this.page.keyboard().press("Enter");
		}
		assertThat(this.page.locator("#switch")).containsText("tools are on");
		assertThat(this.page.locator("#foot")).containsText("ann");
		this.page.locator("#switch-button").click();
		this.page.locator("#question-yes").click();
		assertThat(this.page.locator("#switch")).containsText("tools are off");
		assertThat(started.bean(StandIns.Hooks.class).enabled).isFalse();
	}

}
