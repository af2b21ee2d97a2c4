package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * The words of a command as a POSIX shell makes them: without quotes, with its signs
 * ({@code ;}, {@code |}, {@code &&}, {@code >}) as words of their own. What a shell puts
 * into a command is not known before it runs, so such a command is not read.
 *
 * @since 0.1.0
 */
public final class ShellWords {

	private static final int MAX_LENGTH = 100_000;

	private static final int MAX_BRACES = 1_000;

	private static final List<String> SIGNS = List.of("&>>", "<<<", "&&", "||", ";;", ">>", "<<", "&>", ">|", "<&",
			">&", "|&", "<>", ";", "&", "|", "<", ">", "(", ")");

	/** Signs behind which a command begins. */
	private static final List<String> BEFORE_COMMANDS = List.of(";", ";;", "&", "&&", "|", "||", "|&", "(");

	private final String text;

	private final List<String> words = new ArrayList<>();

	private final StringBuilder word = new StringBuilder();

	private boolean inWord;

	/** Whether the word has signs that a shell replaces by names of files. */
	private boolean isPattern;

	private int position;

	private int braces;

	private ShellWords(String text) {
		this.text = text;
	}

	/**
	 * Read a command.
	 * @param command the command, or a script of several
	 * @return its words and signs
	 * @throws UnreadableValueException if a shell puts something into it, or shells read
	 * it differently
	 */
	public static List<String> of(String command) throws UnreadableValueException {
		if (command.length() > MAX_LENGTH) {
			throw new UnreadableValueException("it is too long for a command");
		}
		ShellWords words = new ShellWords(command.replace("\r\n", "\n"));
		words.read();
		return List.copyOf(words.words);
	}

	private void read() throws UnreadableValueException {
		while (this.position < this.text.length()) {
			char character = this.text.charAt(this.position);
			switch (character) {
				case ' ', '\t' -> {
					this.position++;
					end();
				}
				case '\n' -> {
					this.position++;
					end();
					this.words.add(";");
				}
				case '\'' -> singleQuoted();
				case '"' -> doubleQuoted();
				case '\\' -> escaped();
				case '$', '`' -> variable();
				case '#' -> comment();
				case '*', '?', '[', '{' -> pattern(character);
				default -> plain(character);
			}
		}
		end();
	}

	private void end() throws UnreadableValueException {
		if (!this.inWord) {
			return;
		}
		boolean isCommand = this.words.isEmpty() || BEFORE_COMMANDS.contains(this.words.get(this.words.size() - 1));
		if (this.isPattern && isCommand) {
			throw new UnreadableValueException("a shell puts the name of a program into it");
		}
		this.words.add(this.word.toString());
		this.word.setLength(0);
		this.inWord = false;
		this.isPattern = false;
	}

	private void append(char character) {
		this.word.append(character);
		this.inWord = true;
	}

	private void singleQuoted() throws UnreadableValueException {
		int end = this.text.indexOf('\'', this.position + 1);
		if (end < 0) {
			throw new UnreadableValueException("a quote in it is not closed");
		}
		this.word.append(this.text, this.position + 1, end);
		this.inWord = true;
		this.position = end + 1;
	}

	private void doubleQuoted() throws UnreadableValueException {
		this.inWord = true;
		for (int i = this.position + 1; i < this.text.length(); i++) {
			char character = this.text.charAt(i);
			char next = (i + 1 < this.text.length()) ? this.text.charAt(i + 1) : ' ';
			if (character == '"') {
				this.position = i + 1;
				return;
			}
			if (character == '`' || (character == '$' && isOfVariable(next)) || character == '!') {
				throw new UnreadableValueException("a shell puts something into it");
			}
			if (character == '\\' && "$`\"\\\n".indexOf(next) >= 0) {
				i++;
				if (next == '\n') {
					continue;
				}
				character = next;
			}
			this.word.append(character);
		}
		throw new UnreadableValueException("a quote in it is not closed");
	}

	private static boolean isOfVariable(char character) {
		return Character.isLetterOrDigit(character) || "_{(@*#?$!-'\"[".indexOf(character) >= 0;
	}

	private void escaped() throws UnreadableValueException {
		if (this.position + 1 >= this.text.length()) {
			throw new UnreadableValueException("it ends with a backslash");
		}
		char next = this.text.charAt(this.position + 1);
		this.position += 2;
		if (next != '\n') {
			append(next);
		}
	}

	private void variable() throws UnreadableValueException {
		char next = (this.position + 1 < this.text.length()) ? this.text.charAt(this.position + 1) : ' ';
		if (this.text.charAt(this.position) == '`' || isOfVariable(next)) {
			throw new UnreadableValueException("a shell puts something into it");
		}
		append('$');
		this.position++;
	}

	private void comment() throws UnreadableValueException {
		if (!this.inWord) {
			throw new UnreadableValueException("shells do not agree what a comment is");
		}
		append('#');
		this.position++;
	}

	private void pattern(char character) throws UnreadableValueException {
		if (character == '{') {
			if (++this.braces > MAX_BRACES) {
				throw new UnreadableValueException("it has too many braces");
			}
			int end = this.text.indexOf('}', this.position);
			String inner = (end > 0) ? this.text.substring(this.position, end) : "";
			if (inner.indexOf(',') >= 0 || inner.contains("..")) {
				throw new UnreadableValueException("a shell makes several words of one");
			}
		}
		else {
			this.isPattern = true;
		}
		append(character);
		this.position++;
	}

	private void plain(char character) throws UnreadableValueException {
		for (String sign : SIGNS) {
			if (this.text.startsWith(sign, this.position)) {
				if (sign.equals("<<") || this.text.startsWith("<(", this.position)
						|| this.text.startsWith(">(", this.position)) {
					throw new UnreadableValueException("a part of it is the input of another");
				}
				end();
				this.words.add(sign);
				this.position += sign.length();
				return;
			}
		}
		if (Character.isISOControl(character)) {
			throw new UnreadableValueException("it holds signs that shells read differently");
		}
		append(character);
		this.position++;
	}

}
