package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the cells below a heading that is a name of secrets, in rows of as many cells:
 * comma or tab separated values, tables of Markdown, and those of a database shell.
 */
final class Tables {

	private static final int MAX_HEADING = 400;

	private static final int MAX_COLUMNS = 64;

	/** A heading of values that something separates, which no frame tells. */
	private static final Pattern NAME = Pattern.compile("\"?[A-Za-z_][A-Za-z0-9_.-]*\"?");

	/**
	 * A statement of SQL that adds rows, up to the first of them. It begins with a
	 * letter, which is found quickly.
	 */
	private static final Pattern INSERT = Pattern
		.compile("[iIrR](?<!\\w[iIrR])(?i:nsert|eplace)\\s{1,9}[^()'\"]{1,200}\\(([^()]{3,2000})\\)"
				+ "\\s{0,99}(?i:values?)\\s{0,99}(?=\\()");

	/** Characters of a rule beside its dashes. */
	private static final String IN_RULE = "-+|: =";

	private final String text;

	private final BiConsumer<Integer, Integer> hits;

	private Tables(String text, BiConsumer<Integer, Integer> hits) {
		this.text = text;
		this.hits = hits;
	}

	static void find(String text, BiConsumer<Integer, Integer> hits) {
		Tables tables = new Tables(text, hits);
		if (text.indexOf('\n') >= 0) {
			tables.find();
		}
		if (text.indexOf('(') >= 0) {
			tables.inserts();
		}
	}

	private void find() {
		boolean isFirst = true;
		for (int start = 0; start < this.text.length();) {
			int end = endOfLine(start);
			int next = Math.min(end + 1, this.text.length());
			if (end - start <= MAX_HEADING) {
				char separator = separator(start, end, isFirst);
				List<Cell> columns = (separator != 0) ? secrets(cells(start, end, separator)) : List.of();
				if (!columns.isEmpty()) {
					next = rows(next, separator, cells(start, end, separator).size(), columns);
				}
			}
			isFirst = isBlank(start, end) || this.text.startsWith("```", start);
			start = next;
		}
	}

	/**
	 * Find the values that SQL puts into columns of secrets.
	 */
	private void inserts() {
		Matcher insert = INSERT.matcher(this.text);
		for (int from = 0; insert.find(from);) {
			List<Cell> columns = cells(insert.start(1), insert.end(1), ',');
			List<Cell> secrets = secrets(columns.stream().map((cell) -> cell.within(this.text, "`[]\"")).toList());
			from = insert.end();
			while (!secrets.isEmpty() && from < this.text.length() && this.text.charAt(from) == '(') {
				List<Cell> row = new ArrayList<>();
				from = row(from + 1, row);
				for (Cell secret : secrets) {
					if (secret.column() < row.size() && !isParameter(row.get(secret.column()))) {
						hit(secret, row.get(secret.column()));
					}
				}
				from = skip(from);
			}
		}
	}

	private boolean isParameter(Cell cell) {
		return cell.start() < cell.end() && ":@?$".indexOf(this.text.charAt(cell.start())) >= 0
				&& this.text.charAt(cell.start() - 1) != '\'';
	}

	private int skip(int start) {
		int position = start;
		while (position < this.text.length() && " ,\r\n\t".indexOf(this.text.charAt(position)) >= 0) {
			position++;
		}
		return position;
	}

	/**
	 * Take a row of values in brackets apart.
	 * @return where it ends
	 */
	private int row(int start, List<Cell> row) {
		boolean isQuoted = false;
		int begin = start;
		for (int i = start; i < this.text.length(); i++) {
			char character = this.text.charAt(i);
			isQuoted ^= character == '\'';
			if (!isQuoted && (character == ',' || character == ')')) {
				row.add(trimmed(begin, i, row.size()).within(this.text, "'"));
				begin = i + 1;
				if (character == ')') {
					return begin;
				}
			}
		}
		return this.text.length();
	}

	private int endOfLine(int start) {
		int end = this.text.indexOf('\n', start);
		return (end < 0) ? this.text.length() : end;
	}

	private boolean isBlank(int start, int end) {
		for (int i = start; i < end; i++) {
			if (!Character.isWhitespace(this.text.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	/** The separator of the cells of a heading, or 0 if a line is none. */
	private char separator(int start, int end, boolean isFirst) {
		if (!mayTell(start, end)) {
			return 0;
		}
		int next = Math.min(end + 1, this.text.length());
		// Not beyond the line: a text of many lines would be searched once for each.
		boolean hasBar = this.text.substring(start, end).indexOf('|') >= 0;
		if (hasBar && ((isFirst && this.text.charAt(start) == '|') || isRule(next))) {
			return '|';
		}
		for (char separator : (isFirst) ? new char[] { '\t', ';', ',' } : new char[0]) {
			List<Cell> cells = cells(start, end, separator);
			if (cells.size() > 1 && cells.stream().allMatch((cell) -> NAME.matcher(said(cell)).matches())) {
				return separator;
			}
		}
		return 0;
	}

	private boolean mayTell(int start, int end) {
		for (int i = start + 1; i <= end; i++) {
			boolean isEnd = i == end || !Character.isLetter(this.text.charAt(i));
			if (isEnd && Character.isLetter(this.text.charAt(i - 1)) && SecretNames.mayEndAt(this.text, i)) {
				return true;
			}
		}
		return false;
	}

	private boolean isRule(int start) {
		int end = endOfLine(start);
		if (end - start > MAX_HEADING) {
			return false;
		}
		String line = this.text.substring(start, end).strip();
		return line.indexOf('-') >= 0 && line.chars().allMatch((sign) -> IN_RULE.indexOf(sign) >= 0);
	}

	private List<Cell> secrets(List<Cell> cells) {
		if (cells.size() < 2 || cells.size() > MAX_COLUMNS) {
			return List.of();
		}
		return cells.stream().filter((cell) -> {
			String name = said(cell).replace("\"", "");
			return name.split(" ", 4).length <= 3 && name.chars().noneMatch((sign) -> "=[{<(:".indexOf(sign) >= 0)
					&& (SecretNames.tells(name) || SecretNames.isCredentials(name));
		}).toList();
	}

	private String said(Cell cell) {
		return this.text.substring(cell.start(), cell.end());
	}

	private int rows(int first, char separator, int columns, List<Cell> secrets) {
		int start = first;
		while (start < this.text.length()) {
			int end = endOfLine(start);
			if (!isRule(start)) {
				List<Cell> cells = cells(start, end, separator);
				if (cells.size() != columns) {
					return start;
				}
				secrets.forEach((secret) -> hit(secret, cells.get(secret.column())));
			}
			start = Math.min(end + 1, this.text.length());
		}
		return start;
	}

	private void hit(Cell heading, Cell cell) {
		int start = cell.start();
		int end = cell.end();
		if (end - start > 1 && this.text.charAt(start) == '"' && this.text.charAt(end - 1) == '"') {
			start++;
			end--;
		}
		String said = this.text.substring(start, end);
		boolean isCount = said.chars().allMatch(Character::isDigit)
				&& SecretNames.isCounted(said(heading), Integer.MAX_VALUE);
		if (start < end && !isCount && !Harmless.word(this.text, start, end)) {
			this.hits.accept(start, end);
		}
	}

	private List<Cell> cells(int first, int last, char separator) {
		int start = first;
		int end = last;
		while (end > start && this.text.charAt(end - 1) == '\r') {
			end--;
		}
		if (separator == '|') {
			start = (start < end && this.text.charAt(start) == '|') ? start + 1 : start;
			end = (end > start && this.text.charAt(end - 1) == '|') ? end - 1 : end;
		}
		List<Cell> cells = new ArrayList<>();
		boolean isQuoted = false;
		int begin = start;
		for (int i = start; i <= end && cells.size() <= MAX_COLUMNS; i++) {
			if (i < end && this.text.charAt(i) == '"' && separator != '|') {
				isQuoted = !isQuoted;
			}
			if (i == end || (this.text.charAt(i) == separator && !isQuoted)) {
				cells.add(trimmed(begin, i, cells.size()));
				begin = i + 1;
			}
		}
		return cells;
	}

	private Cell trimmed(int first, int last, int column) {
		int start = first;
		int end = last;
		while (start < end && this.text.charAt(start) == ' ') {
			start++;
		}
		while (end > start && this.text.charAt(end - 1) == ' ') {
			end--;
		}
		return new Cell(start, end, column);
	}

	/** A cell between two separators. */
	private record Cell(int start, int end, int column) {

		/**
		 * The text within quotes.
		 */
		Cell within(String text, String quotes) {
			boolean isQuoted = this.end - this.start > 2 && quotes.indexOf(text.charAt(this.start)) >= 0
					&& quotes.indexOf(text.charAt(this.end - 1)) >= 0;
			return (isQuoted) ? new Cell(this.start + 1, this.end - 1, this.column) : this;
		}
	}

}
