package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.langchain4j.agent.tool.Tool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.ToolCallStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rules beside the methods that are tools of AI services.
 */
class ToolPolicyOfServicesTests {

	@ParameterizedTest
	@EnumSource
	void ruleOfABeanCounts(Way way) {
		GuardedApplication.withoutHook().withBean(Refunds.class).run((context) -> {
			Refunds refunds = context.getBean(Refunds.class);
			ScriptedModel model = ScriptedModel
				.inRounds(List.of(List.of(ScriptedModel.call("refund", Map.of("amount", 700))),
						List.of(ScriptedModel.call("refund", Map.of("amount", 70)))));
			assertThat(way.ask(way.service(model).tools(refunds).build(), "s")).isEqualTo("Done");
			assertThat(refunds.amounts).containsExactly(70);
			assertThat(context.getBean(Journal.class).outcomes()).satisfiesExactly((outcome) -> {
				assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
				assertThat(outcome.decidedBy()).isEqualTo("ToolPolicyOfServicesTests.Refunds.refund");
			}, (outcome) -> assertThat(outcome.status()).isEqualTo(ToolCallStatus.SUCCEEDED));
		});
	}

	@ParameterizedTest
	@EnumSource
	void ruleOfAnObjectThatIsNoBeanDeniesEachCall(Way way) {
		GuardedApplication.withoutHook().run((context) -> {
			Refunds refunds = new Refunds();
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("refund", Map.of("amount", 70)));
			way.ask(way.service(model).tools(refunds).build(), "s");
			assertThat(refunds.amounts).isEmpty();
			assertThat(context.getBean(Journal.class).outcome().status()).isEqualTo(ToolCallStatus.DENIED);
		});
	}

	@ParameterizedTest
	@EnumSource
	void ruleOfAClassCountsForToolsThatItInherits(Way way) {
		GuardedApplication.withoutHook().run((context) -> {
			for (Plain refunds : List.of(new Ruled(), new OfInterface())) {
				ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("refund", Map.of("amount", 700)));
				way.ask(way.service(model).tools(refunds).build(), "s");
				assertThat(refunds.amounts).as(refunds.getClass().getSimpleName()).isEmpty();
			}
		});
	}

	static class Plain {

		final List<Integer> amounts = new CopyOnWriteArrayList<>();

	}

	static class Inherited extends Plain {

		@Tool("Refunds")
		String refund(int amount) {
			this.amounts.add(amount);
			return "done";
		}

	}

	@ToolPolicy(deny = "args.amount > 500")
	static class Ruled extends Inherited {

	}

	interface Paying {

		List<Integer> amounts();

		@Tool("Refunds")
		default String refund(int amount) {
			amounts().add(amount);
			return "done";
		}

	}

	@ToolPolicy(deny = "args.amount > 500")
	static class OfInterface extends Plain implements Paying {

		@Override
		public List<Integer> amounts() {
			return this.amounts;
		}

	}

	static class Refunds {

		final List<Integer> amounts = new CopyOnWriteArrayList<>();

		@Tool("Refunds")
		@ToolPolicy(deny = "args.amount > 500")
		String refund(int amount) {
			this.amounts.add(amount);
			return "done";
		}

	}

}
