package io.agenthooks.spring.approval;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what an approval is bound to, with real files of two nodes: what the rules
 * say, and not where they stand.
 */
class ApprovalBindingTests {

	private static final String RULES = """
			hooks:
			  approval:
			    timeout: 30s
			  tool_call:
			    pre_call:
			      - type: approval
			        name: people
			      - type: policy
			        name: token_guard
			        authorities: [CLERK]
			        config:
			          deny_tools: [format_disk]
			          deny_argument_patterns:
			            api_key: ["^sk-live"]
			          rules:
			            - name: amounts
			              tools: [pay]
			              when: args.amount > 100
			              then: deny
			""";

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	@AutoClose
	private final ApprovalApplication other = new ApprovalApplication();

	private final AtomicInteger folders = new AtomicInteger();

	@TempDir
	private Path folder;

	private ApplicationContextRunner node(ApprovalApplication application, String file, String text) {
		Path path = this.folder.resolve("node" + this.folders.incrementAndGet()).resolve(file);
		try {
			Files.createDirectories(path.getParent());
			Files.writeString(path, text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		DataSource database = ApprovalApplication.h2(this.folder);
		return application.runner()
			.withBean(DataSource.class, () -> database)
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always",
					"spring.config.location=file:" + path.getParent() + "/")
			.withInitializer(new ConfigDataApplicationContextInitializer());
	}

	/**
	 * Resume on a second node what people approved on the first.
	 */
	private String resumed(String file, String text) {
		String[] id = new String[1];
		this.application.run(node(this.application, "application.yaml", RULES),
				(context) -> id[0] = SuspendedCallsContract.approved(this.application, ApprovalApplication.CALL));
		String[] result = new String[1];
		this.other.run(node(this.other, file, text), (context) -> result[0] = String
			.valueOf(SuspendedCallsContract.text(this.other.approvals().resume(id[0]), 0)));
		assertThat(this.other.ran).hasSize("ran".equals(result[0]) ? 1 : 0);
		return result[0];
	}

	static String[] sameRules() {
		return new String[] { RULES, "# a comment\n" + RULES, "\n\n\n" + RULES.replace("\n", "   # why\n"),
				"spring:\n  application:\n    name: shop\n" + RULES,
				RULES.replaceAll("(?m)^( +)(?=[a-z])", "$1$1").replaceAll("(?m)^( +)(?=-)", "$1$1  "),
				RULES.replace("[format_disk]", "\n          - 'format_disk'"), RULES.replace("30s", "\"30s\"") };
	}

	@ParameterizedTest
	@MethodSource("sameRules")
	void approvalHoldsForTheSameRulesInAnotherPlace(String text) {
		assertThat(resumed("application.yaml", text)).isEqualTo("ran");
	}

	@Test
	void approvalHoldsForTheSameRulesInAnotherFile() {
		assertThat(resumed("application.yml", RULES)).isEqualTo("ran");
	}

	@Test
	void approvalHoldsForTheSameRulesInAFileOfProperties() {
		assertThat(resumed("application.properties", """
				hooks.tool_call.pre_call[0].type=approval
				hooks.tool_call.pre_call[0].name=people
				hooks.tool_call.pre_call[1].type=policy
				hooks.tool_call.pre_call[1].name=token_guard
				hooks.tool_call.pre_call[1].authorities[0]=CLERK
				hooks.tool_call.pre_call[1].config.deny_tools[0]=format_disk
				hooks.tool_call.pre_call[1].config.deny_argument_patterns.api_key[0]=^sk-live
				hooks.tool_call.pre_call[1].config.rules[0].name=amounts
				hooks.tool_call.pre_call[1].config.rules[0].tools[0]=pay
				hooks.tool_call.pre_call[1].config.rules[0].when=args.amount > 100
				hooks.tool_call.pre_call[1].config.rules[0].then=deny
				""")).isEqualTo("ran");
	}

	@ParameterizedTest
	@ValueSource(strings = { "format_disk=>format_disks", "CLERK=>BOSS", "sk-live=>sk-test", "api_key=>api_keys",
			"args.amount > 100=>args.amount > 1000", "then: deny=>then: ask", "tools: [pay]=>tools: [pay, send]",
			"name: amounts=>name: sums", "token_guard=>guard" })
	void approvalIsVoidIfARuleSaysSomethingElse(String change) {
		String[] words = change.split("=>", -1);
		assertThat(RULES).contains(words[0]);
		assertThat(resumed("application.yaml", RULES.replace(words[0], words[1]))).contains(Resumption.VOID);
	}

	@Test
	void approvalIsVoidIfRulesStandInAnotherOrder() {
		int first = RULES.indexOf("      - type: approval");
		int second = RULES.indexOf("      - type: policy");
		assertThat(resumed("application.yaml",
				RULES.substring(0, first) + RULES.substring(second) + RULES.substring(first, second)))
			.contains(Resumption.VOID);
	}

}
