package io.agenthooks.spring.console;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.CallContext;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * People decide about calls in headless Chromium, as {@code mvn -Pe2e} has it. See
 * {@link ConsoleBrowserTests} for the properties.
 */
class ApprovalsBrowserTests {

	private static final String[] ASKING = { "hooks.approval.enabled=true", "hooks.approval.insecure=true",
			"hooks.approval.timeout=2m", "hooks.tool_call.pre_call[0].type=approval",
			"hooks.tool_call.pre_call[0].name=careful", "hooks.tool_call.pre_call[0].match[0]=delete_customer",
			"hooks.tool_call.pre_call[1].type=policy", "hooks.tool_call.pre_call[1].name=house-rules",
			"hooks.tool_call.pre_call[1].config.deny_argument_patterns.name[0]=^root$" };

	private static Playwright playwright;

	private static Browser browser;

	private final List<String> complaints = new ArrayList<>();

	private final List<BrowserContext> contexts = new ArrayList<>();

	private @Nullable TestConsole console;

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
		this.contexts.forEach(BrowserContext::close);
		if (this.console != null) {
			this.console.close();
		}
		assertThat(this.complaints).as("what the browser complained about").isEmpty();
	}

	private TestConsole start(WebApplicationType type) {
		TestConsole started = TestConsole.startReal(type, List.of(), TestConsole.OPEN, TestConsole.NO_SECURITY, ASKING);
		this.console = started;
		return started;
	}

	/**
	 * An application whose turns end until people have decided.
	 */
	private TestConsole startSuspending(WebApplicationType type) {
		TestConsole started = TestConsole.startReal(type, List.of(Database.class), TestConsole.OPEN,
				TestConsole.NO_SECURITY, ASKING, new String[] { "hooks.approval.jdbc.initialize_schema=always" });
		this.console = started;
		return started;
	}

	private Page open(TestConsole started, int width, ColorScheme scheme) {
		BrowserContext context = browser
			.newContext(new Browser.NewContextOptions().setViewportSize(width, 844).setColorScheme(scheme));
		this.contexts.add(context);
		Page page = context.newPage();
		page.onConsoleMessage((message) -> {
			// The browser reports a refusal, too.
			if ((message.type().equals("error") || message.type().equals("warning"))
					&& !message.text().contains("the server responded with a status of 4")) {
				this.complaints.add(message.text());
			}
		});
		page.onPageError(this.complaints::add);
		page.navigate(started.address() + "/hooks#approvals");
		assertThat(page.locator("#approvals-title")).isVisible();
		return page;
	}

	private static CompletableFuture<ToolResult> ask(TestConsole started, String name) {
		ToolCall call = ToolCall.of("delete_customer", Map.of("name", name),
				CallContext.ofSession("s1").withUser("bob"));
		return execute(started, call);
	}

	private static CompletableFuture<ToolResult> execute(TestConsole started, ToolCall call) {
		return CompletableFuture.supplyAsync(() -> started.bean(ToolExecutor.class).execute(call),
				(task) -> new Thread(task, "agent").start());
	}

	/**
	 * Make a call whose turn ends at once.
	 * @return the id of the question
	 */
	private static String suspend(TestConsole started, String name) {
		ToolCall call = ToolCall.of("delete_customer", Map.of("name", name),
				CallContext.ofSession("s1").withUser("bob").withAgent("clerk"));
		TurnSuspendedException suspended = catchThrowableOfType(TurnSuspendedException.class,
				() -> started.bean(ToolExecutor.class).execute(call));
		assertThat(suspended).isNotNull();
		return suspended.getApprovalId();
	}

	private static Locator card(Page page) {
		return page.locator("#approvals-pending article");
	}

	/**
	 * A button that takes clicks: just after the list has changed none does.
	 */
	private static Locator button(Page page, String name) {
		assertThat(page.locator("#approvals-pending:not([aria-busy])")).hasCount(1);
		return page.locator("#approvals")
			.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void personSeesWhatWillRunAndApproves(WebApplicationType type) throws Exception {
		TestConsole started = start(type);
		Page page = open(started, 1280, ColorScheme.LIGHT);
		assertThat(page.locator("#approvals-note")).hasText("No call waits for a person.");
		CompletableFuture<ToolResult> result = ask(started, "ada\u202E<b>");
		assertThat(card(page)).hasCount(1);
		assertThat(card(page)).containsText("delete_customer");
		assertThat(card(page)).containsText("careful");
		assertThat(card(page)).containsText("bob");
		assertThat(card(page).locator("pre")).containsText("adaU+202E<b>");
		assertThat(page.locator("#approvals-count")).hasText("1");
		button(page, "Approve").click();
		assertThat(result.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
		assertThat(card(page)).hasCount(0);
		assertThat(page.locator("#approvals-settled tbody tr").first()).containsText("approved");
	}

	@Test
	void personDeniesByTheKeyboardAloneAndTheModelReadsWhy() throws Exception {
		TestConsole started = start(WebApplicationType.SERVLET);
		Page page = open(started, 1280, ColorScheme.LIGHT);
		CompletableFuture<ToolResult> result = ask(started, "ada");
		assertThat(card(page)).hasCount(1);
		tabTo(page, "input[id$='-reason']");
		page.keyboard().type("ask her first");
		assertThat(page.locator("#approvals-pending:not([aria-busy])")).hasCount(1);
		tabTo(page, "button.danger");
		page.keyboard().press("Enter");
		ToolResult denied = result.get(1, TimeUnit.MINUTES);
		assertThat(denied.succeeded()).isFalse();
		assertThat(denied.toString() + denied.content()).contains("ask her first");
		assertThat(page.locator("#approvals-settled tbody tr").first()).containsText("ask her first");
	}

	@Test
	void editThatAPolicyDeniesIsRefusedBesideTheFieldAndAnotherOneRuns() throws Exception {
		TestConsole started = start(WebApplicationType.SERVLET);
		Page page = open(started, 1280, ColorScheme.LIGHT);
		CompletableFuture<ToolResult> result = ask(started, "ada");
		assertThat(card(page)).hasCount(1);
		card(page).locator("summary").click();
		Locator arguments = card(page).locator("textarea");
		arguments.fill("{\"name\": ");
		button(page, "Approve as edited").click();
		assertThat(card(page).locator(".error")).containsText("not a JSON object");
		arguments.fill("{\"name\": \"root\"}");
		button(page, "Approve as edited").click();
		assertThat(card(page).locator(".error")).isVisible();
		assertThat(arguments).isFocused();
		assertThat(result).isNotDone();
		arguments.fill("{\"name\": \"eve\"}");
		button(page, "Approve as edited").click();
		assertThat(result.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "390, DARK", "1280, LIGHT" })
	void personReadsWhatWouldHappenAndChoosesByTheKeyboardWhatTheApprovalCountsFor(int width, ColorScheme scheme)
			throws Exception {
		TestConsole started = TestConsole.startReal(WebApplicationType.SERVLET, List.of(), TestConsole.OPEN,
				TestConsole.NO_SECURITY, ASKING,
				new String[] { "hooks.approval.max_scope=tool", "hooks.approval.remember_for=8h",
						"hooks.approval.decisions[0]=approve", "hooks.approval.decisions[1]=deny",
						"hooks.approval.questions.delete_customer=Delete the customer {name} for good" });
		this.console = started;
		Page page = open(started, width, scheme);
		CompletableFuture<ToolResult> call = ask(started, "Ada\u202E }{name}");
		Locator card = card(page);
		assertThat(card.locator(".sentence")).hasText("Delete the customer \"Ada\\u{202E} }{name}\" for good");
		assertThat(card.getByText("Edit the arguments")).hasCount(0);
		Locator scope = card.getByLabel("If you approve, it counts for");
		assertThat(scope).hasValue("once");
		assertThat(card.getByLabel("For how long")).isHidden();
		scope.focus();
		page.keyboard().press("End");
		assertThat(scope).hasValue("tool");
		card.getByLabel("For how long").selectOption("PT3600S");
		check(page, "approval-scope-%d".formatted(width));
		button(page, "Approve").focus();
		page.keyboard().press("Enter");
		assertThat(card.locator(".second")).containsText(
				"Approve not only this call? calls of this tool in its session," + " whatever the arguments, for 1 h.");
		assertThat(button(page, "Back")).isFocused();
		page.keyboard().press("Enter");
		assertThat(card.locator(".second")).isHidden();
		assertThat(button(page, "Approve")).isFocused();
		page.keyboard().press("Enter");
		check(page, "approval-second-%d".formatted(width));
		page.keyboard().press("Tab");
		page.keyboard().press("Enter");
		assertThat(call.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
		assertThat(ask(started, "Bob").get(1, TimeUnit.MINUTES).succeeded()).isTrue();
		page.reload();
		assertThat(page.locator("#approvals-settled")).containsText("for the tool until");
		check(page, "approval-scope-settled-%d".formatted(width));
	}

	@ParameterizedTest
	@CsvSource({ "390, DARK", "390, LIGHT", "1280, LIGHT", "1280, DARK" })
	void personSeesMarkedWhatTheRuleAskedAboutAndApprovesByTheKeyboard(int width, ColorScheme scheme) throws Exception {
		TestConsole started = TestConsole.startReal(WebApplicationType.SERVLET, List.of(), TestConsole.OPEN,
				TestConsole.NO_SECURITY, ASKING,
				new String[] { "hooks.tool_call.pre_call[1].config.ask_argument_patterns.amount[0]=^[5-9]..$",
						"hooks.tool_call.pre_call[1].config.ask_argument_patterns.order[0]=o-1",
						"hooks.approval.questions.refund=Refund {amount} EUR for order {order.id}" });
		this.console = started;
		Page page = open(started, width, scheme);
		ToolCall call = ToolCall.of("refund", Map.of("amount", 501, "note", "</mark> \u202E}{amount}", "order",
				Map.of("id", "o-1", "lines", List.of(1, 2))), CallContext.ofSession("s1").withUser("bob"));
		CompletableFuture<ToolResult> result = execute(started, call);
		Locator card = card(page);
		assertThat(card.locator(".sentence")).hasText("Refund 501 EUR for order o-1");
		assertThat(card).containsText("You are asked because of what is marked.");
		assertThat(card.locator("mark")).hasCount(2);
		assertThat(card.locator("mark").first()).hasText("\"amount\": 501,");
		assertThat(card.locator("mark").last()).containsText("\"id\": \"o-1\"");
		assertThat(card.locator("pre")).containsText("\"note\": \"</mark> U+202E}{amount}\"");
		check(page, "approval-marked-%d-%s".formatted(width, scheme));
		approveByKeyboard(page);
		assertThat(result.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "390, DARK", "390, LIGHT", "1280, LIGHT", "1280, DARK" })
	void personSeesWhatTheCallWouldDoAndNothingOfItLeavesItsCell(int width, ColorScheme scheme) throws Exception {
		TestConsole started = startWithEffects();
		Page page = open(started, width, scheme);
		CompletableFuture<ToolResult> result = ask(started, "Acme");
		Locator card = card(page);
		Locator preview = card.locator(".preview");
		assertThat(preview.locator("tbody tr")).hasCount(50);
		assertThat(preview.locator("tbody tr").first()).containsText("<button>Approve</button> U+202E");
		assertThat(card).containsText("And 10 more rows.");
		assertThat(card).containsText("If this changes until the call runs, your approval is void.");
		assertThat(card).containsText("Version of what it is about");
		assertThat(button(page, "Approve")).hasCount(1);
		assertThat(card.getByText("Edit the arguments")).hasCount(0);
		check(page, "approval-preview-%d-%s".formatted(width, scheme));
		approveByKeyboard(page);
		assertThat(result.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "1280, DARK" })
	void approvalOfAnEffectThatHasChangedIsVoidAndThePersonIsAskedAboutTheNewOne(int width, ColorScheme scheme)
			throws Exception {
		TestConsole started = startWithEffects();
		Page page = open(started, width, scheme);
		CompletableFuture<ToolResult> first = ask(started, "Acme");
		Locator preview = card(page).locator(".preview");
		assertThat(preview.locator("tbody tr").last()).containsText("paid");
		started.bean(Said.class).state = "sent";
		approveByKeyboard(page);
		ToolResult denied = first.get(1, TimeUnit.MINUTES);
		assertThat(denied.succeeded()).isFalse();
		CompletableFuture<ToolResult> second = ask(started, "Acme");
		assertThat(preview.locator("tbody tr").last()).containsText("sent");
		check(page, "approval-changed-%d-%s".formatted(width, scheme));
		approveByKeyboard(page);
		assertThat(second.get(1, TimeUnit.MINUTES).succeeded()).isTrue();
		page.navigate(started.address() + "/hooks#calls");
		Locator calls = page.locator("#calls-table tbody tr");
		assertThat(calls).hasCount(2);
		assertThat(calls.first()).containsText("succeeded");
		assertThat(calls.last()).containsText("denied");
		check(page, "approval-void-%d-%s".formatted(width, scheme));
	}

	private TestConsole startWithEffects() {
		TestConsole started = TestConsole.startReal(WebApplicationType.SERVLET, List.of(Effects.class),
				TestConsole.OPEN, TestConsole.NO_SECURITY, ASKING,
				new String[] { "hooks.approval.previews.delete_customer=effects.preview",
						"hooks.approval.versions.delete_customer=effects.version",
						"hooks.approval.preview_must_match=true" });
		this.console = started;
		return started;
	}

	private static void approveByKeyboard(Page page) {
		assertThat(button(page, "Approve")).hasCount(1);
		tabTo(page, "button.primary");
		page.keyboard().press("Enter");
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "1280, DARK" })
	void approveAndDenyStandFarApart(int width, ColorScheme scheme) throws Exception {
		TestConsole started = start(WebApplicationType.SERVLET);
		Page page = open(started, width, scheme);
		CompletableFuture<ToolResult> result = ask(started, "ada");
		assertThat(card(page)).hasCount(1);
		BoundingBox approve = button(page, "Approve").boundingBox();
		BoundingBox deny = button(page, "Deny").boundingBox();
		double beside = deny.x - (approve.x + approve.width);
		double below = deny.y - (approve.y + approve.height);
		assertThat(Math.max(beside, below)).isGreaterThan(100);
		BoundingBox reason = card(page).locator("input[id$='-reason']").boundingBox();
		assertThat(reason.y).isLessThan(deny.y);
		assertThat((width < 800) ? reason.y : reason.x)
			.isGreaterThan((width < 800) ? approve.y + approve.height : approve.x + approve.width);
		check(page, "approval-apart-%d".formatted(width));
		button(page, "Deny").click();
		assertThat(result.get(1, TimeUnit.MINUTES).succeeded()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "390, DARK", "1280, LIGHT" })
	void settledQuestionIsOpenedWithItsArgumentsAndHasAnAddress(int width, ColorScheme scheme) throws Exception {
		TestConsole started = start(WebApplicationType.SERVLET);
		Page page = open(started, width, scheme);
		CompletableFuture<ToolResult> first = ask(started, "ada");
		assertThat(card(page)).hasCount(1);
		card(page).locator("input[id$='-reason']").fill("ask her first");
		button(page, "Deny").click();
		first.get(1, TimeUnit.MINUTES);
		CompletableFuture<ToolResult> second = ask(started, "grace");
		assertThat(card(page)).containsText("grace");
		button(page, "Approve").click();
		second.get(1, TimeUnit.MINUTES);
		Locator rows = page.locator("#approvals-settled tbody tr");
		assertThat(rows).hasCount(2);
		assertThat(rows.first().locator(".glimpse")).hasText("{\"name\":\"grace\"}");
		assertThat(rows.last().locator(".caller")).hasText("bob");
		List<String> times = rows.locator("td.time time")
			.all()
			.stream()
			.map((time) -> time.getAttribute("datetime"))
			.toList();
		assertThat(times).hasSize(2).isSortedAccordingTo(Comparator.reverseOrder());
		assertFits(page);
		rows.last()
			.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("delete_customer").setExact(true))
			.click();
		Locator asked = page.locator("#asked");
		assertThat(asked).containsText("\"name\": \"ada\"");
		assertThat(asked).containsText("ask her first");
		assertThat(asked).containsText("careful");
		check(page, "approval-asked-%d".formatted(width));
		String sent = page.url();
		assertThat(sent).contains("#approvals?question=");
		page.keyboard().press("Escape");
		assertThat(page).hasURL(Pattern.compile(".*#approvals$"));
		Page colleague = page.context().newPage();
		colleague.navigate(sent);
		assertThat(colleague.locator("#asked")).containsText("\"name\": \"ada\"");
	}

	@Test
	void everyViewIsToBeSeenInTheBarOfAPhone() {
		TestConsole started = start(WebApplicationType.SERVLET);
		Page page = open(started, 390, ColorScheme.LIGHT);
		Locator links = page.locator("nav a");
		assertThat(links).hasCount(7);
		for (Locator link : links.all()) {
			assertThat(link).isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
		}
	}

	@Test
	void ofTwoPeopleWhoRaceOneIsTooLate() throws Exception {
		TestConsole started = start(WebApplicationType.SERVLET);
		Page one = open(started, 1280, ColorScheme.LIGHT);
		Page two = open(started, 1280, ColorScheme.DARK);
		CompletableFuture<ToolResult> result = ask(started, "ada");
		assertThat(card(one)).hasCount(1);
		assertThat(card(two)).hasCount(1);
		// The second page learns nothing from now on.
		two.route("**/hooks/approvals?*", (route) -> route.abort());
		button(one, "Deny").click();
		assertThat(result.get(1, TimeUnit.MINUTES).succeeded()).isFalse();
		button(two, "Approve").click();
		assertThat(card(two).locator(".error")).isVisible();
		two.context().close();
		this.complaints.removeIf((text) -> text.contains("net::ERR_FAILED"));
	}

	@ParameterizedTest
	@CsvSource({ "390, LIGHT", "390, DARK", "1280, LIGHT", "1280, DARK" })
	void pageFitsPhonesAndDesks(int width, ColorScheme scheme) throws Exception {
		TestConsole started = start(WebApplicationType.SERVLET);
		Page page = open(started, width, scheme);
		CompletableFuture<ToolResult> first = ask(started, "ada " + "x".repeat(300));
		assertThat(card(page)).hasCount(1);
		button(page, "Approve").click();
		first.get(1, TimeUnit.MINUTES);
		CompletableFuture<ToolResult> second = ask(started, "grace");
		assertThat(card(page)).containsText("grace");
		card(page).locator("summary").click();
		check(page, "approvals-%d-%s".formatted(width, scheme));
		button(page, "Deny").click();
		second.get(1, TimeUnit.MINUTES);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void callWhoseTurnHasEndedIsApprovedAndThenResumed(WebApplicationType type) {
		TestConsole started = startSuspending(type);
		Page page = open(started, 1280, ColorScheme.LIGHT);
		String id = suspend(started, "ada");
		assertThat(card(page)).hasCount(1);
		assertThat(card(page)).containsText("delete_customer");
		button(page, "Approve").click();
		assertThat(card(page)).hasCount(0);
		assertThat(page.locator("#approvals-settled tbody tr").first()).containsText("approved");
		ResumedTurn turn = started.bean(ToolApprovals.class).resume(id);
		assertThat(turn.complete()).isTrue();
		assertThat(turn.turn().replies()).extracting(SuspendedTurn.Reply::text).containsExactly("done");
	}

	@Test
	void callWhoseTurnHasEndedIsDeniedWithAReasonForTheModel() {
		TestConsole started = startSuspending(WebApplicationType.SERVLET);
		Page page = open(started, 1280, ColorScheme.LIGHT);
		String id = suspend(started, "ada");
		assertThat(card(page)).hasCount(1);
		card(page).locator("input[id$='-reason']").fill("ask her first");
		button(page, "Deny").click();
		assertThat(page.locator("#approvals-settled tbody tr").first()).containsText("ask her first");
		assertThat(started.bean(ToolApprovals.class).resume(id).turn().replies()).singleElement()
			.satisfies((reply) -> assertThat(reply.text()).contains("ask her first"));
	}

	@ParameterizedTest
	@CsvSource({ "390, DARK", "1280, LIGHT" })
	void pageWithManyTurnsThatHaveEndedFits(int width, ColorScheme scheme) {
		TestConsole started = startSuspending(WebApplicationType.SERVLET);
		for (int i = 0; i < 15; i++) {
			suspend(started, "customer " + i + " x".repeat(60));
		}
		Page page = open(started, width, scheme);
		assertThat(card(page)).hasCount(15);
		assertThat(page.locator("#approvals-count")).hasText("15");
		check(page, "approvals-suspended-%d-%s".formatted(width, scheme));
	}

	private static void check(Page page, String name) {
		assertFits(page);
		Chromium.assertAccessible(page, name);
		screenshot(page, name + ".png");
	}

	private static void assertFits(Page page) {
		assertThat((Boolean) page
			.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")).isTrue();
	}

	private static void screenshot(Page page, String name) {
		String folder = System.getProperty("screenshots");
		if (folder != null) {
			page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(folder, name)));
		}
	}

	private static void tabTo(Page page, String selector) {
		Locator target = page.locator("#approvals " + selector).first();
		for (int i = 0; i < 60; i++) {
			if ((Boolean) target.evaluate("(element) => element === document.activeElement")) {
				return;
			}
			page.keyboard().press("Tab");
		}
		assertThat(target).isFocused();
	}

	/**
	 * A database, so that turns end.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Database {

		@Bean
		DataSource dataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			return dataSource;
		}

	}

	/** Says what a deletion would do, in words that look like parts of the page. */
	@Configuration(proxyBeanMethods = false)
	static class Effects {

		@Bean
		Said effects() {
			return new Said();
		}

	}

	static class Said {

		volatile String state = "paid";

		List<Line> preview(String name) {
			return IntStream.rangeClosed(1, 60)
				.mapToObj((i) -> new Line("o-" + i, i * 20,
						(i == 1) ? "</td></table><button>Approve</button> \u202E" : "Order of " + name, this.state))
				.toList();
		}

		String version() {
			return "7\u202E";
		}

		record Line(String order, int worth, String text, String state) {
		}

	}

}
