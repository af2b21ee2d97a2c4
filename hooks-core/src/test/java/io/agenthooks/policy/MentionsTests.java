package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Mentions}: what is wholly understood, and the law that nothing else
 * changes what a pack denies. The texts name "boom", which no machine has.
 */
class MentionsTests {

	private static final PolicyToolHook POLICY = policy(List.of("never"), List.of("boom"));

	private static PolicyToolHook policy(List<String> patterns, List<String> commandPatterns) {
		RulePack pack = new RulePack("mine", 1, List.of(new RulePack.Rule("boom", "It is loud", "It is loud.",
				List.of("ASI02"), patterns, commandPatterns, List.of(), List.of())));
		return new PolicyToolHook(new PolicyConfig(null, null, null, null, null, null, null, null, List.of("mine"),
				null, false, false, null, null, null, null, null, null, null, null, null), List.of(pack), null);
	}

	private static boolean denies(Map<String, Object> arguments) {
		return POLICY.preCall(ToolCall.of("run", arguments)).verdict() == Verdict.DENY;
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo boom", "echo \"boom\"", "echo 'boom; boom'", "  echo  -n  'boom' \n",
			"grep -rn 'boom' docs/", "grep -e 'boom' -A 3 x.md", "grep -rnA 3 boom .",
			"grep --include='*.md' -r boom .", "cat <<'EOF'\nboom\nEOF", "cat << \"END_1\"\n$(boom)\n\tEND_1 \nEND_1\n",
			"cat <<'EOF'\nEOF", "git commit -m \"boom & boom | boom\"", "git commit -am 'boom'",
			"git commit --message='boom' x", "git commit -q -F - <<'EOF'\nboom\nEOF",
			"git add -A && git commit -m 'boom\n\nboom'", "git grep -n boom | head -20 | wc -l",
			"rg -n --glob='*.md' boom", "grep boom x 2>/dev/null | tail -n 3", "cd docs && grep -c boom x.md 2>&1",
			"echo it\"'s a \"'boom'" })
	void commandOfTheGrammarIsOnlyAMention(String text) {
		assertThat(Mentions.isOnly(text)).isTrue();
		assertThat(denies(Map.of("command", text))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\n", "boom", "git", "git boom", "\"echo\" boom\"", "'echo' boom", "\\echo boom",
			"e''cho boom", "git 'commit' -m boom", "/bin/echo boom", "./echo boom", "ECHO boom", "A=b echo boom",
			"env echo boom", "echo boom; boom", "echo boom & boom", "echo boom || boom", "echo boom |& boom",
			"echo boom | boom", "echo boom && boom", "echo boom &&", "&& echo boom", "| cat boom", "echo boom > x",
			"echo boom >> x", "echo boom 2> x", "echo boom < x", "echo boom 2>/dev/nullx", "echo boom 2>/dev/null;boom",
			"echo $(boom)", "echo `boom`", "echo \"$(boom)\"", "echo \"`boom`\"", "echo \"$boom\"", "echo $boom",
			"echo ${boom}", "echo \"boom!\"", "echo 'boom!'", "echo \"%boom%\"", "echo '%boom%'", "echo 'boom & boom'",
			"echo 'boom | boom'", "echo 'boom > x'", "echo 'a\"' \"& boom\"", "echo 'boom\\'", "echo 'boom\\' ' boom'",
			"echo \"boom\\\"\"", "echo boom\\", "echo boom\\\nboom", "echo boom\nboom", "echo boom\r\nboom",
			"echo boom\rboom", "echo 'boom\r'", "echo boom\tboom", "echo \"boom\u00A0\"", "echo\u00A0boom",
			"echo \"\u2028boom\"", "echo ‘boom’", "echo \"boom\0\"", "echo *boom", "echo ?boom", "echo [b]oom",
			"echo {boom,x}", "echo ~boom", "echo (boom)", "echo #boom", "echo @boom", "echo boom'", "echo \"boom",
			"echo --boom", "echo -z boom", "echo \"-z\" boom", "echo - boom", "echo -- boom", "grep -f boom x",
			"grep --file=boom x", "grep -A boom x", "grep -e -f boom", "grep boom -e", "grep -rnAB 3 boom",
			"grep --inc=boom x", "rg --pre boom x", "rg --pre=boom x", "rg -z boom", "git -c a=boom grep x",
			"git -C x grep boom", "git --no-pager grep boom", "git grep -Oboom x", "git grep -O boom",
			"git grep --open-files-in-pager=boom x", "git grep --textconv boom", "git commit -m 'boom' --edit",
			"git commit -e -m boom", "git commit boom", "git commit -a boom", "git commit -F boom",
			"git commit -F - boom", "git commit -m x -F boom", "git commit -c boom -m x", "git commit -S -m boom",
			"git commit --trailer=boom -m x", "git commit --template=boom -m x", "git commit -m",
			"git commit -m -n boom", "git commit -m 'boom' --amend=x", "git log --grep=boom", "git add -p boom",
			"git add -e boom", "git commit -m x <<'EOF'\nboom\nEOF", "git grep x <<'EOF'\nboom\nEOF",
			"grep x <<'EOF'\nboom\nEOF", "cat <<EOF\nboom\nEOF", "cat <<\\EOF\nboom\nEOF", "cat <<E'O'F\nboom\nEOF",
			"cat <<-'EOF'\nboom\nEOF", "cat <<'EOF'\nx", "cat <<'BOOM'\nboom", "cat <<<'boom'", "cat <<''\nboom\n",
			"cat <<'EOF'\nboom", "cat <<'EOF'\nx\nEOF\nboom", "cat <<'EOF'\nx\nEOF\nboom\nEOF",
			"cat <<'EOF' | boom\nx\nEOF", "cat <<'EOF' > boom\nx\nEOF", "cat <<'EOF' && boom\nx\nEOF",
			"cat <<'EOF'\nboom\nEOF2", "cat <<'EOF'\nboom\r\nEOF", "cat <<'EOF'\r\nboom\r\nEOF\r\n",
			"cat <<'E F'\nboom\nE F", "cat 3<<'EOF'\nboom\nEOF", "boom <<'EOF'\nx\nEOF", "<<'EOF'\nboom\nEOF",
			"cat <<'A' <<'B'\nboom\nA\nB", "cat -v boom", "cat -", "head --boom", "tail -f boom", "printf boom",
			"sed -n boom", "awk boom", "find boom", "xargs boom", "less boom", "man boom", "sort -o boom", "tee boom",
			"alias echo=boom", "echo() { boom", "function echo boom", "eval echo boom", "exec echo boom",
			"sh -c 'boom'", "time echo boom", "! echo boom", "cd boom;" })
	void anythingElseIsNoMention(String text) {
		assertThat(Mentions.isOnly(text)).isFalse();
		assertThat(denies(Map.of("command", text))).isEqualTo(text.contains("boom"));
	}

	@Test
	void textThatIsTooLongIsNoMention() {
		assertThat(Mentions.isOnly("echo " + "boom ".repeat(3_000))).isTrue();
		assertThat(Mentions.isOnly("echo " + "boom ".repeat(5_000))).isFalse();
	}

	@Test
	void onlyTheWholeValueOfAnArgumentIsAMention() {
		assertThat(denies(Map.of("command", "echo boom"))).isFalse();
		assertThat(denies(Map.of("boom", "echo x"))).isTrue();
		assertThat(denies(Map.of("boom", "echo boom"))).isTrue();
		assertThat(denies(Map.of("command", List.of("echo boom")))).isTrue();
		assertThat(denies(Map.of("command", List.of("echo", "boom")))).isTrue();
		assertThat(denies(Map.of("command", Map.of("line", "echo boom")))).isTrue();
		assertThat(denies(Map.of("command", "echo boom", "description", "boom"))).isTrue();
		assertThat(denies(Map.of("command", "echo boom", "description", "says something"))).isFalse();
	}

	@Test
	void otherPatternsHoldForMentions() {
		PolicyToolHook policy = policy(List.of("secret"), List.of("boom"));
		assertThat(policy.preCall(ToolCall.of("run", Map.of("command", "echo 'boom secret'"))).verdict())
			.isEqualTo(Verdict.DENY);
		assertThat(policy.preCall(ToolCall.of("run", Map.of("command", "echo boom"))).verdict())
			.isEqualTo(Verdict.APPROVE);
	}

	private static final String[] PIECES = { "echo ", "grep ", "rg ", "git ", "commit ", "add ", "-m ", "cat ", "cd ",
			"head ", " ", " ", " ", "'boom' ", "\"boom\" ", "boom ", "boom", "'", "\"", "\\", "$(", "`", ")", ";", "|",
			" | ", "&", " && ", ">", "<", " 2>&1 ", " 2>/dev/null ", "\n", "\r", "\t", "<<'EOF'\n", "\nEOF", "EOF",
			"-e ", "-F ", "- ", "-rn ", "-O ", "--pre ", "-exec ", "xargs ", "sh ", "-c ", "=", "{", "}", "*", "~", "#",
			"!", "%", "^", "\u00A0", "\u2028", "é", "x.md ", "3 " };

	private static final Set<String> KNOWN = Set.of("echo", "grep", "rg", "cat", "cd", "head", "git commit", "git add",
			"git grep");

	@Test
	void whatIsDeniedIsDeniedUnlessAllOfItIsUnderstood() {
		Random random = new Random(17);
		int mentions = 0;
		for (int i = 0; i < 60_000; i++) {
			StringBuilder text = new StringBuilder(PIECES[random.nextInt(10)]);
			for (int length = random.nextInt(7); length >= 0; length--) {
				text.append(PIECES[random.nextInt(PIECES.length)]);
			}
			mentions += check(text.append((random.nextBoolean()) ? "" : "boom").toString());
		}
		assertThat(mentions).isGreaterThan(1_000);
	}

	@Test
	void whateverIsPutIntoAMentionMakesItNoOther() {
		int mentions = 0;
		for (String text : List.of("grep -rn 'boom' docs/", "git add -A && git commit -m \"boom\"",
				"echo \"boom\" | head -3", "cat <<'EOF'\nboom\nEOF", "git commit -F - <<'EOF'\nboom\nEOF")) {
			for (String piece : PIECES) {
				for (int i = 0; i <= text.length(); i++) {
					mentions += check(text.substring(0, i) + piece + text.substring(i));
				}
			}
		}
		assertThat(mentions).isGreaterThan(1_000);
	}

	/** Hold one text against the law, and against another reader of commands. */
	private static int check(String text) {
		boolean isMention = Mentions.isOnly(text);
		assertThat(denies(Map.of("command", text))).as(text).isEqualTo(text.contains("boom") && !isMention);
		if (isMention) {
			commands(text).forEach((command) -> {
				String name = command.get(0);
				assertThat((name.equals("git")) ? name + " " + command.get(1) : name).as(text).isIn(KNOWN);
				assertThat(command).as(text).doesNotContain("--pre", "-O", "-exec");
			});
		}
		return (isMention && text.contains("boom")) ? 1 : 0;
	}

	private static List<List<String>> commands(String text) {
		List<List<String>> commands = new ArrayList<>();
		List<String> command = new ArrayList<>();
		for (String word : words(text.stripTrailing())) {
			if (Set.of("&&", "|", ";", "&", "||", "|&", "<", ">", ">>", "(", ")").contains(word)) {
				assertThat(word).as(text).isIn("&&", "|");
				commands.add(command);
				command = new ArrayList<>();
			}
			else {
				command.add(word);
			}
		}
		commands.add(command);
		return commands;
	}

	private static List<String> words(String text) {
		String quiet = text.replace(" 2>&1", " ").replace(" 2>/dev/null", " ");
		int document = quiet.indexOf("<<");
		try {
			return ShellWords.of(quiet);
		}
		catch (UnreadableValueException ex) {
			assertThat(document).as(text).isPositive();
			assertThat(quiet.substring(document)).as(text).contains("\nEOF").doesNotContain("\nEOF\n");
		}
		try {
			return ShellWords.of(quiet.substring(0, document));
		}
		catch (UnreadableValueException ex) {
			throw new AssertionError(text, ex);
		}
	}

}
