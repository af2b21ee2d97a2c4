package io.agenthooks.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.Asker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for entries and rules that say who decides about what they ask, what, and for
 * which calls.
 */
class ApprovalTermsTests {

	private static final String APPROVAL = """
			hooks:
			  approval:
			    enabled: true
			    approvers: [ROLE_APPROVER]
			    max_scope: tool
			    remember_for: 8h
			""";

	private static final String ENTRY = """
			  tool_call:
			    pre_call:
			      - type: approval
			        match: [refund]
			        %s
			""";

	private static final String RULES = """
			  tool_call:
			    pre_call:
			      - type: policy
			        config:
			          deny_tools: [format_disk]
			          rules:
			            - {name: any, tools: [refund], then: ask, reason: "A refund"}
			            - {name: large, tools: [refund], when: "args.amount > 500", then: ask, reason: "A large one", %s}
			""";

	private static final Map<String, Object> SMALL = Map.of("amount", 5);

	private static final Map<String, Object> LARGE = Map.of("amount", 501);

	private static ToolHooksTester tester(String part, String option) {
		return ToolHooksTester.ofYaml(APPROVAL + part.formatted(option)).inSession("s1").asUser("carol");
	}

	private static void refused(Reason reason, Runnable answer) {
		assertThatExceptionOfType(ApprovalRefusedException.class).isThrownBy(answer::run)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(reason));
	}

	@ParameterizedTest
	@ValueSource(strings = { "approval:|approval:\n    decisions: [approve, deny]",
			"match: [refund]|match: [refund]\n        decisions: [deny, approve]" })
	void peopleCannotEditWhereThatIsNoDecision(String change) {
		String[] both = change.split("\\|", -1);
		try (ToolHooksTester hooks = ToolHooksTester
			.ofYaml((APPROVAL + ENTRY.formatted("")).replace(both[0], both[1]))) {
			TestedQuestion question = hooks.approvals().as("alice", "ROLE_APPROVER").ask("refund", LARGE);
			refused(Reason.NOT_ALLOWED, () -> question.edit(SMALL));
			assertThat(question.request().revision()).isOne();
			assertThat(question.approve().call()).isApproved().hasSucceeded();
		}
	}

	@Test
	void entryAsksSomeOfTheApprovers() {
		try (ToolHooksTester hooks = tester(ENTRY, "approvers: [ROLE_FINANCE, ROLE_CFO]")) {
			TestedQuestion question = hooks.approvals().ask("refund", LARGE);
			refused(Reason.NOT_ALLOWED, () -> question.as("alice", "ROLE_APPROVER").approve());
			refused(Reason.NOT_ALLOWED, () -> question.as("frank", "ROLE_FINANCE").approve());
			refused(Reason.NOT_ALLOWED, () -> question.as("carol", "ROLE_APPROVER", "ROLE_CFO").approve());
			assertThat(question.as("frank", "ROLE_APPROVER", "ROLE_FINANCE").approve().call()).isApproved();
		}
	}

	@Test
	void ruleAsksSomeOfTheApprovers() {
		try (ToolHooksTester hooks = tester(RULES, "approvers: [ROLE_FINANCE]")) {
			TestedQuestion large = hooks.approvals().ask("refund", LARGE);
			refused(Reason.NOT_ALLOWED, () -> large.as("alice", "ROLE_APPROVER").approve());
			assertThat(large.as("frank", "ROLE_FINANCE", "ROLE_APPROVER").approve().call()).isApproved();
			assertThat(hooks.approvals().as("alice", "ROLE_APPROVER").ask("refund", SMALL).approve().call())
				.isApproved();
		}
	}

	@Test
	void questionNamesEachRuleThatAsks() {
		try (ToolHooksTester hooks = tester(RULES, "")) {
			TestedQuestion large = hooks.approvals().as("alice", "ROLE_APPROVER").ask("refund", LARGE);
			assertThat(large.request().askers()).extracting(Asker::rule).containsExactly("any", "large");
			assertThat(large.approve().call()).isApproved();
		}
	}

	@Test
	void ofTwoEntriesAPersonNeedsAnAuthorityOfEach() {
		try (ToolHooksTester hooks = tester(ENTRY, """
				approvers: [ROLE_FINANCE]
				      - type: approval
				        match: [refund]
				        approvers: [ROLE_LEGAL]
				        decisions: [approve, deny]
				""")) {
			TestedQuestion question = hooks.approvals().ask("refund", LARGE);
			refused(Reason.NOT_ALLOWED, () -> question.as("frank", "ROLE_APPROVER", "ROLE_FINANCE").approve());
			refused(Reason.NOT_ALLOWED, () -> question.as("lea", "ROLE_APPROVER", "ROLE_LEGAL").approve());
			TestedQuestion both = question.as("max", "ROLE_APPROVER", "ROLE_LEGAL", "ROLE_FINANCE");
			refused(Reason.NOT_ALLOWED, () -> both.edit(SMALL));
			refused(Reason.NOT_ALLOWED, () -> both.approve(ApprovalScope.TOOL, null));
			assertThat(both.approve().call()).isApproved();
		}
	}

	@Test
	void nobodyEditsACallIntoWhatOthersHaveToDecide() {
		try (ToolHooksTester hooks = tester(RULES, "approvers: [ROLE_FINANCE]")) {
			TestedQuestion small = hooks.approvals().as("alice", "ROLE_APPROVER").ask("refund", SMALL);
			refused(Reason.INVALID_EDIT, () -> small.edit(LARGE));
			assertThat(small.edit(Map.of("amount", 6)).call()).isModified().toArguments(Map.of("amount", 6));
		}
	}

	@Test
	void approvalOfTheToolIsForTheRuleThatAskedAndNotForAnother() {
		try (ToolHooksTester hooks = tester(RULES, "decisions: [approve, deny]")) {
			TestedApprovals alice = hooks.approvals().as("alice", "ROLE_APPROVER");
			assertThat(alice.ask("refund", SMALL).approve(ApprovalScope.TOOL, Duration.ofHours(1)).call()).isApproved();
			assertThat(hooks.call("refund", Map.of("amount", 7))).isApproved();
			TestedQuestion large = alice.ask("refund", LARGE);
			refused(Reason.NOT_ALLOWED, () -> large.approve(ApprovalScope.TOOL, null));
			assertThat(large.deny("no").call()).isDenied();
			assertThat(hooks.call("format_disk", Map.of())).isDenied();
			assertThat(hooks.asUser("dan").approvals().ask("refund", SMALL).expire().call()).isDenied();
		}
	}

	@Test
	void approvalOfTheToolOpensNothingThatARuleDenies() {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(APPROVAL + """
				  tool_call:
				    pre_call:
				      - type: approval
				        name: people
				        match: [refund]
				      - type: policy
				        name: never
				        config:
				          rules:
				            - {tools: [refund], when: "args.amount > 500", then: deny}
				""").inSession("s1").asUser("carol")) {
			TestedApprovals alice = hooks.approvals().as("alice", "ROLE_APPROVER");
			assertThat(alice.ask("refund", SMALL).approve(ApprovalScope.TOOL, null).call()).isApproved();
			assertThat(hooks.call("refund", Map.of("amount", 400))).isApproved();
			assertThat(hooks.call("refund", LARGE)).isDenied();
		}
	}

	@Test
	void entryNarrowsTheScope() {
		try (ToolHooksTester hooks = tester(ENTRY, "max_scope: call")) {
			TestedApprovals alice = hooks.approvals().as("alice", "ROLE_APPROVER");
			TestedQuestion question = alice.ask("refund", SMALL);
			refused(Reason.NOT_ALLOWED, () -> question.approve(ApprovalScope.TOOL, null));
			assertThat(question.approve(ApprovalScope.CALL, null).call()).isApproved();
			assertThat(hooks.call("refund", SMALL)).isApproved();
			TestedQuestion other = alice.ask("refund", LARGE);
			assertThat(other.request().state()).isEqualTo(ApprovalState.PENDING);
			assertThat(other.deny("no").call()).isDenied();
		}
	}

	@Test
	void sentenceOfTheToolSaysWhatTheCallWouldDoAlsoAfterAnEdit() {
		String yaml = APPROVAL + """
				    questions:
				      refund: "Refund {amount} EUR"
				      "[re*]": "something of {amount}"
				""" + ENTRY.formatted("").replace("[refund]", "['re*', 'pay']");
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml).withProperty("hooks.approval.four_eyes", "2")) {
			TestedApprovals alice = hooks.approvals().as("alice", "ROLE_APPROVER");
			TestedQuestion question = alice.ask("refund", LARGE);
			assertThat(question.request().sentence()).isEqualTo("Refund 501 EUR");
			question.edit(SMALL);
			assertThat(question.request().sentence()).isEqualTo("Refund 5 EUR");
			assertThat(question.deny("no").call()).isDenied();
			TestedQuestion other = alice.ask("return", LARGE);
			assertThat(other.request().sentence()).isEqualTo("something of 501");
			assertThat(other.deny("no").call()).isDenied();
			TestedQuestion none = alice.ask("pay", LARGE);
			assertThat(none.request().sentence()).isNull();
			assertThat(none.deny("no").call()).isDenied();
		}
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> {
			try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml.replace("{amount} EUR", "{amount EUR"))) {
				hooks.call("refund", SMALL);
			}
		}).withStackTraceContaining("questions");
	}

	@Test
	void valuesInASentenceAreDataAlsoIfTheyHaveBracesOrTurnTheOrder() {
		String yaml = APPROVAL + """
				    questions:
				      refund: "Refund {amount} EUR for {order} {{sic}}"
				""" + ENTRY.formatted("");
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml)) {
			TestedQuestion question = hooks.approvals()
				.as("alice", "ROLE_APPROVER")
				.ask("refund",
						Map.of("amount", "501{order}", "order", "{amount} }} {{x}} \u202E5 \u2066free\u2069\u200B"));
			assertThat(question.request().sentence())
				.isEqualTo("Refund \"501{order}\" EUR for \"{amount} }} {{x}} \\u{202E}5 \\u{2066}free\\u{2069}"
						+ "\\u{200B}\" {sic}");
			assertThat(question.deny("no").call()).isDenied();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "approvers: []", "approvers: ['*']", "approvers: [\"hasRole('FINANCE')\"]",
			"decisions: [approve]", "decisions: [edit, deny]", "decisions: []", "decisions: [revoke, approve, deny]",
			"max_scope: session" })
	void termsWithAMistakeStopTheStart(String option) {
		for (String part : List.of(ENTRY, RULES)) {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> {
				try (ToolHooksTester hooks = tester(part, option)) {
					hooks.call("refund", SMALL);
				}
			}).withStackTraceContaining(option.substring(0, option.indexOf(':')));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "approvers: [ROLE_A]", "decisions: [approve, deny]", "max_scope: once" })
	void termsOfWhatAsksNobodyStopTheStart(String option) {
		String name = option.substring(0, option.indexOf(':'));
		for (String yaml : List.of("""
				  tool_call:
				    post_call:
				      - type: redact
				        %s
				""", """
				  llm_call:
				    pre_call:
				      - type: policy
				        config: {deny_patterns: [x]}
				        %s
				""", """
				  tool_call:
				    pre_call:
				      - type: policy
				        config:
				          rules:
				            - {tools: [refund], then: deny, %s}
				""")) {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> {
				try (ToolHooksTester hooks = tester(yaml, option)) {
					hooks.call("refund", SMALL);
				}
			}).withStackTraceContaining(name);
		}
	}

}
