package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolExecutor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An approved call of a tool of an AI service is that one alone: not an equal one that
 * comes meanwhile, even with the id of the same provider, and not one of an agent inside
 * of its tool.
 */
class AiServiceOneCallTests {

	private static final ToolSpecification PAY = ToolSpecification.builder()
		.name("pay")
		.parameters(JsonObjectSchema.builder().addIntegerProperty("amount").required("amount").build())
		.build();

	private static final ToolExecutionRequest FIVE = ScriptedModel.call("call-1", "pay", "{\"amount\": 5}");

	private final List<String> paid = new CopyOnWriteArrayList<>();

	private final AtomicInteger asked = new AtomicInteger();

	/** The first call is approved. */
	private final PreToolHook once = (call) -> (this.asked.getAndIncrement() == 0) ? ToolDecision.approve()
			: ToolDecision.deny("Once is enough");

	@ParameterizedTest
	@EnumSource
	void sameCallOfAnotherIsDecidedWhileTheApprovedOneRuns(Way way) {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		ToolExecutor pay = (request, memoryId) -> {
			inside.countDown();
			await(free);
			this.paid.add(request.arguments());
			return "paid";
		};
		GuardedApplication.withoutHook().withBean("once", PreToolHook.class, () -> this.once).run((context) -> {
			Way.Assistant assistant = way.service(ScriptedModel.thatCalls(FIVE)).tools(Map.of(PAY, pay)).build();
			ScriptedModel model = ScriptedModel.thatCalls(FIVE);
			Way.Assistant other = way.service(model).tools(Map.of(PAY, pay)).build();
			CompletableFuture<String> approved = CompletableFuture.supplyAsync(() -> way.ask(assistant, "s"));
			try {
				await(inside);
				way.ask(other, "s");
				assertThat(model.results()).singleElement()
					.satisfies((result) -> assertThat(result.text()).contains("Once is enough"));
				assertThat(this.paid).isEmpty();
			}
			finally {
				free.countDown();
			}
			approved.get(1, TimeUnit.MINUTES);
			assertThat(this.paid).hasSize(1);
			assertThat(context.getBean(Journal.class).outcomes()).extracting(ToolOutcome::status)
				.containsExactly(ToolCallStatus.DENIED, ToolCallStatus.SUCCEEDED);
		});
	}

	@ParameterizedTest
	@EnumSource
	void sameCallOfAnAgentInsideOfTheToolIsDecided(Way way) {
		ScriptedModel inner = ScriptedModel.thatCalls(FIVE);
		ToolExecutor bare = (request, memoryId) -> {
			this.paid.add(request.arguments());
			return "paid";
		};
		ToolExecutor agent = (request, memoryId) -> Way.SYNC
			.ask(Way.SYNC.service(inner).tools(Map.of(PAY, bare)).build(), "s");
		GuardedApplication.withoutHook().withBean("once", PreToolHook.class, () -> this.once).run((context) -> {
			way.ask(way.service(ScriptedModel.thatCalls(FIVE)).tools(Map.of(PAY, agent)).build(), "s");
			assertThat(inner.results()).singleElement()
				.satisfies((result) -> assertThat(result.text()).contains("Once is enough"));
			assertThat(this.paid).isEmpty();
			assertThat(context.getBean(Journal.class).outcomes()).hasSize(2);
		});
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
