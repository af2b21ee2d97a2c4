package io.agenthooks.spring.arguments;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * A pattern that only Java's own engine knows, which may try again without end: each
 * character that it reads is paid for. At the end of a text it reads none, so only few
 * parts of the pattern may leave it a choice.
 */
final class JavaPattern {

	private static final int MAX_LENGTH = 1_000;

	private static final int MAX_CHOICES = 6;

	/** A part that is repeated so often is tried so often, also if it is empty. */
	private static final int MAX_REPETITIONS = 1_000;

	private final Pattern pattern;

	private final int cost;

	private JavaPattern(Pattern pattern, int cost) {
		this.pattern = pattern;
		this.cost = cost;
	}

	static @Nullable JavaPattern of(String regex) {
		if (regex.length() > MAX_LENGTH) {
			return null;
		}
		int choices = 0;
		long repetitions = 1;
		for (int i = 0; i < regex.length(); i++) {
			char character = regex.charAt(i);
			if (character == '|'
					|| (character == ')' && i + 1 < regex.length() && "?*+{".indexOf(regex.charAt(i + 1)) >= 0)) {
				choices++;
			}
			if (character == '{') {
				repetitions = Math.min(Integer.MAX_VALUE, repetitions * Math.max(1, numberAt(regex, i + 1)));
			}
		}
		if (choices > MAX_CHOICES || repetitions > MAX_REPETITIONS) {
			return null;
		}
		try {
			int cost = 10 * (1 + regex.length() / 20) * (int) Math.pow(3, choices)
					* ((choices > 0) ? (int) repetitions : 1);
			return new JavaPattern(Pattern.compile(regex, Pattern.DOTALL | Pattern.UNICODE_CASE), Math.abs(cost));
		}
		catch (PatternSyntaxException | StackOverflowError ex) {
			return null;
		}
	}

	private static long numberAt(String regex, int start) {
		long largest = 0;
		long number = 0;
		for (int i = start; i < regex.length() && regex.charAt(i) != '}'; i++) {
			char character = regex.charAt(i);
			number = (character >= '0' && character <= '9') ? Math.min(Integer.MAX_VALUE, 10 * number + character - '0')
					: 0;
			largest = Math.max(largest, number);
		}
		return largest;
	}

	boolean find(String text, Budget budget) {
		budget.spend((text.length() + 1L) * this.cost);
		try {
			return this.pattern.matcher(new PaidText(text, 0, text.length(), this.cost, budget)).find();
		}
		catch (StackOverflowError ex) {
			throw new Budget.ExhaustedException();
		}
	}

	private record PaidText(String text, int start, int end, int cost, Budget budget) implements CharSequence {

		@Override
		public int length() {
			return this.end - this.start;
		}

		@Override
		public char charAt(int index) {
			this.budget.spend(this.cost);
			return this.text.charAt(this.start + index);
		}

		@Override
		public CharSequence subSequence(int from, int to) {
			return new PaidText(this.text, this.start + from, this.start + to, this.cost, this.budget);
		}

		@Override
		public String toString() {
			return this.text.substring(this.start, this.end);
		}

	}

}
