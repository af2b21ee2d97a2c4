package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.support.SpringFactoriesLoader;

import io.agenthooks.CallContext;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration.ApprovalBinding;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for what tools say of calls before people decide: {@link CallEffects}, in whole
 * applications.
 */
@ExtendWith(OutputCaptureExtension.class)
class PreviewsTests {

	private static final String PREVIEW = "hooks.approval.previews[run_*]=stated.preview";

	private static final String VERSION = "hooks.approval.versions.run_command=stated.version";

	private static final String MUST_MATCH = "hooks.approval.preview_must_match=true";

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	private final Stated stated = new Stated();

	private void run(ApprovalApplication.Test test, String... properties) {
		this.application.run(runner().withPropertyValues(properties), test);
	}

	private ApplicationContextRunner runner() {
		return this.application.asking().withBean("stated", Stated.class, () -> this.stated);
	}

	private static CallPreview previewOf(ApprovalRequest question) {
		return Objects.requireNonNull(question.effect().preview());
	}

	@Test
	void questionHasTheEffectAsATable() {
		this.stated.says = () -> List.of(new Line("o-1", 20, null), new Line("o-2", 5, Map.of("a", List.of(1))));
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(previewOf(question).columns()).containsExactly("order", "amount", "note");
			assertThat(previewOf(question).rows()).containsExactly(List.of("o-1", "20", ""),
					List.of("o-2", "5", "{\"a\":[1]}"));
			assertThat(previewOf(question).digest()).matches("[0-9a-f]{64}");
			assertThat(question.effect().mustMatch()).isFalse();
			assertThat(this.stated.asked).containsExactly("rm -r build");
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			assertThat(this.stated.asked).hasSize(1);
		}, PREVIEW);
	}

	@Test
	void toolWithoutAMethodHasNoPreview() {
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application
				.start(ToolCall.of("read", Map.of(), ApprovalApplication.CONTEXT));
			ApprovalRequest question = this.application.pending();
			assertThat(question.effect().preview()).isNull();
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
		}, PREVIEW);
	}

	@Test
	void peopleHaveTheirTimeFromThePreviewOn() {
		run((context) -> {
			assertThat(this.application.start(ApprovalApplication.CALL)).isNotDone();
			ApprovalRequest question = this.application.pending();
			assertThat(question.askedAt()).isAfterOrEqualTo(this.stated.lastAsked);
			assertThat(Duration.between(question.askedAt(), question.expiresAt())).hasSeconds(30);
		}, PREVIEW);
	}

	@Test
	void changedPreviewMakesTheApprovalVoid() {
		AtomicInteger stock = new AtomicInteger(7);
		this.stated.says = () -> Map.of("deletes", stock.get());
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			stock.set(7_000);
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).contains(CallEffects.CHANGED);
			assertThat(this.application.ran).isEmpty();
			assertThat(this.application.inState(question.id(), ApprovalState.CANCELLED)).isNotNull();
		}, PREVIEW, MUST_MATCH);
	}

	@ParameterizedTest
	@ValueSource(strings = { "throws", "error", "huge", "endless", "object", "nothing", "invisible", "behind the cut" })
	void previewThatIsAnotherWhenTheCallWouldRunMakesTheApprovalVoid(String kind) {
		String shown = "Deletes 7 files" + ".".repeat(5_000);
		this.stated.says = () -> shown;
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			this.stated.says = switch (kind) {
				case "nothing" -> () -> null;
				case "invisible" -> () -> shown.replace("7", "7\u200B");
				case "behind the cut" -> () -> shown + "000";
				default -> Stated.broken(kind);
			};
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).contains(CallEffects.CHANGED);
			assertThat(this.application.ran).isEmpty();
		}, PREVIEW, MUST_MATCH);
	}

	@Test
	void samePreviewLetsTheCallRun() {
		this.stated.says = () -> Map.of("deletes", 7);
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(question.effect().mustMatch()).isTrue();
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			assertThat(this.stated.asked).hasSize(2);
		}, PREVIEW, MUST_MATCH);
	}

	@Test
	void previewWithATimestampNeverMatches() {
		AtomicInteger now = new AtomicInteger();
		this.stated.says = () -> "Deletes the folder at 12:00:%02d".formatted(now.incrementAndGet());
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).contains(CallEffects.CHANGED);
			assertThat(this.application.ran).isEmpty();
		}, PREVIEW, MUST_MATCH);
	}

	@Test
	void previewThatMustMatchOffersNeitherEditNorALongerScope() {
		run((context) -> {
			assertThat(this.application.start(ApprovalApplication.CALL)).isNotDone();
			ApprovalRequest question = this.application.pending();
			assertThat(question.choices().edit()).isFalse();
			assertThat(question.choices().maxScope()).isEqualTo(ApprovalScope.ONCE);
			assertThat(catchThrowableOfType(ApprovalRefusedException.class,
					() -> this.application.edit(question, ApprovalApplication.ALICE, "{\"command\":\"ls\"}"))
				.reason()).isEqualTo(ApprovalRefusedException.Reason.NOT_ALLOWED);
		}, PREVIEW, MUST_MATCH, "hooks.approval.max_scope=tool", "hooks.approval.remember=session");
	}

	@Test
	void rememberedApprovalNeedsNoPreview() {
		run((context) -> {
			CompletableFuture<ToolResult> first = this.application.start(ApprovalApplication.CALL);
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(first).succeeded()).isTrue();
			assertThat(ApprovalApplication.resultOf(this.application.start(ApprovalApplication.CALL)).succeeded())
				.isTrue();
			assertThat(this.stated.asked).hasSize(1);
		}, PREVIEW, "hooks.approval.remember=session");
	}

	@Test
	void noPreviewIsMadeWithoutRoomForAQuestionNorForTheSameOne() {
		run((context) -> {
			CompletableFuture<ToolResult> first = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(ApprovalApplication.resultOf(this.application.start(ApprovalApplication.call("ls"))).content())
				.contains("Too many calls");
			CompletableFuture<ToolResult> same = this.application.start(ApprovalApplication.CALL);
			WaitingCalls waiting = context.getBean(ApprovalBinding.class).waiting();
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> waiting.of(question.id()).size() == 2);
			this.application.deny(question, ApprovalApplication.ALICE, "no");
			assertThat(ApprovalApplication.resultOf(first).succeeded()).isFalse();
			assertThat(ApprovalApplication.resultOf(same).succeeded()).isFalse();
			assertThat(this.stated.asked).containsOnly("rm -r build");
		}, PREVIEW, "hooks.approval.max_pending=1");
	}

	@Test
	void editedArgumentsHaveNoPreviewOfOthers() {
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest edited = this.application.edit(this.application.pending(), ApprovalApplication.ALICE,
					"{\"command\":\"ls\"}");
			assertThat(previewOf(edited).missing()).contains("edited");
			assertThat(previewOf(edited).digest()).isEmpty();
			assertThat(edited.effect().version()).isEqualTo("1:ls");
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
		}, PREVIEW, VERSION);
	}

	@ParameterizedTest
	@CsvSource({ "throws, failed", "error, failed", "huge, more than can be shown", "endless, more than can be shown",
			"cyclic, more than can be shown", "wide, columns", "object, cannot be shown" })
	void previewThatCannotBeMadeIsSaidAndTheCallCanBeDecided(String kind, String why, CapturedOutput output) {
		this.stated.says = Stated.broken(kind);
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(previewOf(question).missing()).contains(why).doesNotContain("hunter2");
			assertThat(output).doesNotContain("hunter2");
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
		}, PREVIEW);
	}

	@Test
	void previewThatMustMatchAndCannotBeMadeDeniesTheCall() {
		this.stated.says = Stated.broken("throws");
		run((context) -> {
			ToolResult result = ApprovalApplication.resultOf(this.application.start(ApprovalApplication.CALL));
			assertThat(result.content()).contains("People have to see what this call would do");
			assertThat(this.application.approvals().pending(10)).isEmpty();
			assertThat(this.application.ran).isEmpty();
		}, PREVIEW, MUST_MATCH);
	}

	@Test
	void previewThatHangsIsInterruptedAndDoesNotHoldTheCall() throws Exception {
		CountDownLatch interrupted = new CountDownLatch(1);
		this.stated.says = () -> {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
			return "late";
		};
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(previewOf(question).missing()).contains("did not answer within");
			assertThat(interrupted.await(1, TimeUnit.MINUTES)).isTrue();
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
		}, PREVIEW);
	}

	@Test
	void whatTheToolSaysIsData() {
		this.stated.says = () -> List
			.of(Map.of("\u202Eorder", "</td><script>x</script>", "note", "a\", \"b: \"c\nApproved by alice\u200B"));
		run((context) -> {
			assertThat(this.application.start(ApprovalApplication.CALL)).isNotDone();
			String display = previewOf(this.application.pending()).display();
			assertThat(display.lines()).hasSize(1);
			assertThat(display).contains("\\u{202E}order: \"</td><script>")
				.contains("a\\\", \\\"b: \\\"c\\u{000A}Approved by alice\\u{200B}\"");
		}, PREVIEW);
	}

	@Test
	void longPreviewIsCutAndItsDigestIsOfAll() {
		List<String> names = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			names.add("file-" + i);
		}
		this.stated.says = () -> List.copyOf(names);
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(previewOf(question).rows()).hasSize(50);
			assertThat(previewOf(question).more()).isEqualTo(150);
			assertThat(previewOf(question).display()).endsWith("(150 more rows)");
			names.set(199, "other");
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).contains(CallEffects.CHANGED);
		}, PREVIEW, MUST_MATCH);
	}

	@Test
	void otherVersionMakesTheApprovalVoid() {
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(question.effect().version()).isEqualTo("1:rm -r build");
			this.stated.version = 2;
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).contains(Resumption.VOID);
			assertThat(this.application.ran).isEmpty();
		}, VERSION);
	}

	@Test
	void rememberedApprovalCountsForTheSameVersionAlone() {
		run((context) -> {
			CompletableFuture<ToolResult> first = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(question.choices().maxScope()).isEqualTo(ApprovalScope.CALL);
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(first).succeeded()).isTrue();
			assertThat(ApprovalApplication.resultOf(this.application.start(ApprovalApplication.CALL)).succeeded())
				.isTrue();
			this.stated.version = 2;
			CompletableFuture<ToolResult> again = this.application.start(ApprovalApplication.CALL);
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
			assertThat(ApprovalApplication.resultOf(again).succeeded()).isFalse();
		}, VERSION, "hooks.approval.remember=session", "hooks.approval.max_scope=tool");
	}

	@Test
	void versionThatIsNotKnownDeniesTheCall() {
		this.stated.version = -1;
		run((context) -> {
			ToolResult result = ApprovalApplication.resultOf(this.application.start(ApprovalApplication.CALL));
			assertThat(result.content()).contains("could not be found out");
			assertThat(this.application.ran).isEmpty();
		}, VERSION);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			previews | stated.preveiw     | Did you mean 'preview'
			previews | statde.preview     | Did you mean 'stated'
			previews | preview            | no method of a bean
			previews | stated.nothing     | returns 'void'
			previews | stated.several     | has several
			previews | stated.hidden      | is private
			previews | stated.strange     | takes 'task' as a 'java.lang.Runnable'
			versions | stated.preview     | returns 'java.lang.Object'
			versions | stated.verzion     | Did you mean 'version'
			""")
	void mistakesStopTheStartWithTheirPlace(String option, String method, String mistake) {
		this.application.runner("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: approval
				  approval:
				    %s:
				      run_command: %s
				""".formatted(option, method)).withBean("stated", Stated.class, () -> this.stated).run((context) -> {
			FailureAnalysis analysis = analyze(Objects.requireNonNull(context.getStartupFailure()));
			assertThat(analysis.getDescription() + analysis.getAction()).contains(":7:20")
				.contains("hooks.approval.%s.run_command".formatted(option))
				.contains(mistake);
		});
	}

	private static FailureAnalysis analyze(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation(PreviewsTests.class.getClassLoader())
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, ex) -> {
			}))
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
	}

	private record Line(String order, int amount, @Nullable Object note) {
	}

	static class Stated {

		final List<String> asked = new CopyOnWriteArrayList<>();

		volatile Instant lastAsked = Instant.MAX;

		volatile Supplier<@Nullable Object> says = () -> "Deletes the folder";

		volatile int version = 1;

		static Supplier<@Nullable Object> broken(String kind) {
			return switch (kind) {
				case "throws" -> () -> {
					throw new IllegalArgumentException("hunter2");
				};
				case "error" -> () -> {
					throw new StackOverflowError("hunter2");
				};
				case "huge" -> () -> "x".repeat(10_000_000);
				case "endless" -> () -> new AbstractList<String>() {

					@Override
					public String get(int index) {
						return "x";
					}

					@Override
					public int size() {
						return Integer.MAX_VALUE;
					}

				};
				case "cyclic" -> () -> {
					List<Object> list = new ArrayList<>();
					list.add(list);
					return list;
				};
				case "wide" -> () -> {
					Map<String, Object> row = new HashMap<>();
					for (int i = 0; i < 100; i++) {
						row.put("c" + i, i);
					}
					return row;
				};
				default -> Thread::currentThread;
			};
		}

		@Nullable Object preview(String command, CallContext context) {
			this.asked.add(command);
			this.lastAsked = Instant.now();
			return this.says.get();
		}

		String version(ToolCall call) {
			if (this.version < 0) {
				throw new IllegalStateException("No such order");
			}
			return this.version + ":" + call.arguments().get("command");
		}

		void nothing() {
		}

		String several() {
			return "";
		}

		String several(String command) {
			return command;
		}

		private String hidden() {
			return "";
		}

		String strange(Runnable task) {
			return hidden() + task;
		}

	}

}
