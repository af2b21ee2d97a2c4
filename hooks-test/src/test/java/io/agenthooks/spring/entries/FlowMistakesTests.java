package io.agenthooks.spring.entries;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Mistakes in entries of the type {@code flow}: the start stops, and the message says
 * where the mistake is, what it is and what to write.
 */
class FlowMistakesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{untrusted: [a], sinks: [{tools: [s]}], trustd: [b]} | .trustd | is not | trusted
					{untrusted: [a], sinks: [{tools: [s], name_by: {to: [user]}}]} | .sinks[0].name_by | is not | named_by
					{untrusted: [a], sinks: []} | .sinks | not said which calls have effects | [{tools: ["send_*"]
					{untrusted: [a], sinks: [{tools: []}]} | .sinks[0] | not said for which tools | 'tools: ["send_*"]'
					{untrusted: [a], sinks: [{tools: [s], named_by: {to: [usr]}}]} | .sinks[0].named_by.to[0] | no source | Write user
					{untrusted: [a], sinks: [{tools: [s], named_by: {to: []}}]} | .sinks[0].named_by.to | Nobody may | Write who may
					{untrusted: [a], sinks: [{tools: [s], named_by: {to: [{bean: b}]}}]} | .sinks[0].named_by.to[0].bean | no bean | @Bean
					{untrusted: [a], sinks: [{tools: [s], named_by: {to: [{beans: b}]}}]} | .sinks[0].named_by.to[0].beans | is not | bean
					{untrusted: [a], sinks: [{tools: [s]}], then: abort} | .then | is not one of ask, deny | Write one of these words
					{untrusted: {tool: a}, sinks: [{tools: [s]}]} | .untrusted | a list is expected | Write it as a list
					{untrusted: [[a]], sinks: [{tools: [s]}]} | .untrusted[0] | is a list where options are expected | tools, mcp_servers
					{untrusted: [a], sinks: send} | .sinks | is a single value | tools, named_by
					{untrusted: [a], sinks: [send]} | .sinks[0] | is a single value | tools, named_by
					{untrusted: [a], sinks: [{tools: [s], named_by: [to]}]} | .sinks[0].named_by | names are expected | Write names
					{untrusted: [a], sinks: [{tools: [s], named_by: {to: {list: {a: b}}}}]} | .sinks[0].named_by.to | a list is expected | Write it as a list
					{untrusted: [], sinks: [{tools: [s]}]} | .untrusted | The list is empty | always: true
					{untrusted: [{mcp_servers: []}], sinks: [{tools: [s]}]} | .untrusted[0].mcp_servers | The list is empty | Fill it
					{untrusted: [{mcp_servers: [m], tools: []}], sinks: [{tools: [s]}]} | .untrusted[0].tools | The list is empty | Fill it
					{untrusted: [a], sinks: [{tools: [{mcp_servers: [], tools: [s]}]}]} | .sinks[0].tools[0].mcp_servers | The list is empty | Fill it
					{untrusted: [a], sinks: [{tools: [s]}], always: maybe} | .always | is not true or false | Write one of the two
					{untrusted: [a], sinks: [{tools: [s]}], max_runs: many} | .max_runs | is not a whole number | Write digits
					""")
	void messageSaysWhereItIsAndWhatToWrite(String config, String place, String mistake, String fix) {
		assertThat(message(config)).contains("'hooks.tool_call.pre_call[0].config" + place + "'", mistake, fix);
	}

	@Test
	void allMistakesOfAnEntryAreToldAtOnce() {
		assertThat(message("{sinks: [{tools: [], named_by: {to: [usr, {bean: book}], amount: []}}], max_runs: 0}"))
			.contains("config.untrusted'", "config.sinks[0]'", "named_by.to[0]'", "named_by.to[1].bean'",
					"named_by.amount'", "config.max_runs'");
	}

	private static String message(String config) {
		try (ToolHooksTester hooks = ToolHooksTester
			.ofYaml("hooks: {tool_call: {pre_call: [{type: flow, config: " + config + "}]}}")) {
			Throwable failure = catchThrowable(hooks::start);
			assertThat(failure).isNotNull();
			return String.valueOf(failure.getMessage());
		}
	}

}
