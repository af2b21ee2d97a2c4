package io.agenthooks.test

import io.agenthooks.spring.ToolHookFactory
import io.agenthooks.spring.annotation.AfterToolCall
import io.agenthooks.spring.annotation.Arg
import io.agenthooks.spring.annotation.BeforeToolCall
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration
import io.agenthooks.toolcall.PreToolHook
import io.agenthooks.toolcall.ToolCall
import io.agenthooks.toolcall.ToolDecision
import io.agenthooks.toolcall.ToolHookChain
import io.agenthooks.toolcall.ToolOutcome
import io.agenthooks.toolcall.ToolResult
import java.math.BigDecimal
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.delay
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.context.annotation.Bean

/**
 * Tests for hooks that are written in Kotlin.
 */
class KotlinHooksTests {

	private val runner = ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ToolCallHooksAutoConfiguration::class.java))

	@ParameterizedTest
	@CsvSource("refund, 10, true", "refund, 501, false", "nothing, 10, true", "later, 10, false", "thrown, 10, false", "none, 10, false")
	fun suspendMethodDecides(tool: String, amount: Int, runs: Boolean) {
		runner.withBean(Guards::class.java).run { context ->
			val result = execute(context.getBean(ToolHookChain::class.java), tool, mapOf("amount" to amount))
			assertThat(result.succeeded()).isEqualTo(runs)
			assertThat(context.getBean(Guards::class.java).ended).containsExactly(tool)
		}
	}

	@Test
	fun suspendMethodThatTakesTooLongDenies() {
		runner.withBean(Sleepy::class.java).run { context ->
			assertThat(execute(context.getBean(ToolHookChain::class.java), "t", mapOf()).succeeded()).isFalse()
		}
	}

	@Test
	fun dataClassesAndNullableParametersAreBound() {
		runner.withBean(Orders::class.java).run { context ->
			val chain = context.getBean(ToolHookChain::class.java)
			assertThat(execute(chain, "order", mapOf("order" to mapOf("id" to "a"))).succeeded()).isTrue()
			assertThat(execute(chain, "order", mapOf("order" to mapOf("id" to "a", "count" to 7))).succeeded()).isFalse()
			assertThat(execute(chain, "order", mapOf("order" to mapOf("count" to 1))).content()).contains("'id' is missing")
			assertThat(execute(chain, "order", mapOf("order" to mapOf("id" to "a"), "note" to "no")).succeeded()).isFalse()
			assertThat(execute(chain, "order", mapOf()).content()).contains("'order' is missing")
		}
	}

	@Test
	fun dataClassIsTheConfigurationOfAFactory() {
		runner.withUserConfiguration(Words::class.java)
			.withPropertyValues(
				"hooks.tool-call.pre-call[0].type=words",
				"hooks.tool-call.pre-call[0].config.words[0]=secret"
			)
			.run { context ->
				val chain = context.getBean(ToolHookChain::class.java)
				assertThat(execute(chain, "t", mapOf("text" to "a secret")).content()).contains("No secret (3)")
				assertThat(execute(chain, "t", mapOf("text" to "hello")).succeeded()).isTrue()
			}
		runner.withUserConfiguration(Words::class.java)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=words", "hooks.tool-call.pre-call[0].config.wrods[0]=x")
			.run { context -> assertThat(context).getFailure().rootCause().hasMessageContaining("wrods") }
	}

	private fun execute(chain: ToolHookChain, tool: String, arguments: Map<String, Any?>): ToolResult =
		chain.execute(ToolCall.of(tool, arguments)) { ToolResult.success("ran") }

	open class Guards {

		val ended = CopyOnWriteArrayList<String>()

		@BeforeToolCall(tools = ["refund"])
		suspend fun small(@Arg amount: BigDecimal): Boolean {
			delay(1)
			return amount <= BigDecimal(500)
		}

		@BeforeToolCall(tools = ["nothing"])
		suspend fun nothing() {
			yield()
		}

		@BeforeToolCall(tools = ["later"])
		suspend fun later(call: ToolCall): ToolDecision {
			yield()
			return ToolDecision.deny("Not " + call.tool())
		}

		@BeforeToolCall(tools = ["thrown"])
		suspend fun thrown(): Boolean {
			yield()
			throw IllegalStateException("boom")
		}

		@BeforeToolCall(tools = ["none"])
		suspend fun none(): ToolDecision? {
			yield()
			return null
		}

		@AfterToolCall
		suspend fun ended(outcome: ToolOutcome) {
			yield()
			ended.add(outcome.effective().tool())
		}

	}

	class Sleepy {

		@BeforeToolCall(timeout = "20ms")
		suspend fun sleep(): Boolean {
			delay(60_000)
			return true
		}

	}

	data class Order(val id: String, val count: Int = 1)

	class Orders {

		@BeforeToolCall
		fun few(@Arg order: Order, @Arg note: String?): Boolean = order.count < 5 && note != "no"

	}

	data class WordsConfig(val words: List<String>, val limit: Int = 3)

	class Words {

		@Bean
		fun words(): ToolHookFactory<WordsConfig> = ToolHookFactory.of("words", WordsConfig::class.java) { _, config ->
			PreToolHook { call ->
				val found = config.words.firstOrNull { word -> call.arguments().values.any { it.toString().contains(word) } }
				if (found == null) ToolDecision.approve() else ToolDecision.deny("No $found (${config.limit})")
			}
		}

	}

}
