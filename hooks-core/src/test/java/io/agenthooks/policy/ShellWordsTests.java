package io.agenthooks.policy;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ShellWords}.
 */
class ShellWordsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '`',
			value = { "ls -la ~ ls|-la", "  ls   -la  ~ ls|-la", "ls\t-la ~ ls|-la", "rm 'a b' ~ rm|a b",
					"rm \"a b\" ~ rm|a b", "rm a\\ b ~ rm|a b", "r\"m\" -r'f' ~ rm|-rf", "r\\m x ~ rm|x",
					"echo '$HOME' ~ echo|$HOME", "echo \"a\\$b\" ~ echo|a$b", "echo \\$HOME ~ echo|$HOME",
					"echo '' x ~ echo||x", "a;b ~ a|;|b", "a && b || c ~ a|&&|b|\u2016|c", "a>b ~ a|>|b",
					"a 2>&1 ~ a|2|>&|1", "a >>b ~ a|>>|b", "a & ~ a|&", "(a; b) ~ (|a|;|b|)", "a<b ~ a|<|b",
					"a <<< b ~ a|<<<|b", "echo 5$ ~ echo|5$", "a\\\\nb ~ ab", "a\\nb ~ a|;|b",
					"git commit -m 'rm -rf /' ~ git|commit|-m|rm -rf /",
					"grep -rn \"rm -rf /\" docs/ ~ grep|-rn|rm -rf /|docs/", "ls *.txt ~ ls|*.txt",
					"find . -name '*.a' ~ find|.|-name|*.a", "a#b ~ a#b", "X=1 cmd ~ X=1|cmd",
					"git log --format='%h %s' ~ git|log|--format=%h %s", "echo {} ~ echo|{}" })
	void wordsAreThoseOfAShell(String command, String words) throws UnreadableValueException {
		String read = command.replace("\\n", "\n").replace("\\t", "\t");
		assertThat(String.join("|", ShellWords.of(read))).isEqualTo(words.replace("\u2016", "||"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rm $(echo x)", "rm `echo x`", "rm $X", "rm ${X}", "$X -rf /", "rm \"$X\"", "rm \"$(x)\"",
			"rm \"`x`\"", "$'rm' x", "$\"rm\" x", "rm $'\\x2f'", "/bin/r? -rf /", "r[m] x", "* x", "a; ?m x",
			"a && /b*n/rm", "{rm,-rf,/}", "rm {a,b}", "echo {1..3}", "cat <<EOF", "cat <(x)", "tee >(x)", "echo 'a",
			"echo \"a", "a\\", "a # b", "# x", "echo \"!x\"", "a\u0001b", "echo $((1+1))", "echo $1", "echo $@",
			"echo $?", "echo $-" })
	void whatAShellPutsInIsNotRead(String command) {
		assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> ShellWords.of(command));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1_000, 90_000 })
	void timeGrowsWithTheLength(int count) throws UnreadableValueException {
		assertThat(ShellWords.of("a".repeat(count))).isEqualTo(List.of("a".repeat(count)));
	}

	@Test
	void bracesUpToTheirNumberAreRead() throws UnreadableValueException {
		assertThat(ShellWords.of("a " + "{".repeat(1_000))).containsExactly("a", "{".repeat(1_000));
	}

	@Test
	void moreBracesAreNotRead() {
		assertThatExceptionOfType(UnreadableValueException.class)
			.isThrownBy(() -> ShellWords.of("a " + "{".repeat(1_001)))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("it has too many braces"));
		for (String end : List.of("", "}")) {
			assertThatExceptionOfType(UnreadableValueException.class)
				.isThrownBy(() -> ShellWords.of("a " + "{".repeat(99_000) + end))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo("it has too many braces"));
		}
	}

}
