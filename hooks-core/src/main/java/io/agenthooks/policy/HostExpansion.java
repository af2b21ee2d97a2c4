package io.agenthooks.policy;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Makes hosts of one with sets and ranges, as curl and shells do: {@code 127.0.0.[1-9]},
 * <code>{127.1,x}</code>.
 */
final class HostExpansion {

	/** Numbers with more digits make no range. */
	private static final int MAX_DIGITS = 10;

	private final String text;

	private final int end;

	private final int wanted;

	private final boolean isWord;

	private final boolean isForClient;

	private final Budget budget;

	private HostExpansion(String text, int end, int wanted, boolean isWord, boolean isForClient, Budget budget) {
		this.text = text;
		this.end = end;
		this.wanted = wanted;
		this.isWord = isWord;
		this.isForClient = isForClient;
		this.budget = budget;
	}

	/** The wanted bits of the hosts that are made of one; 0 without a set or range. */
	static int find(String text, int start, int wanted, boolean isWord, boolean isForClient, Budget budget) {
		boolean expands = false;
		int end = start;
		while (end < text.length() && end - start <= InternalHost.MAX_LENGTH) {
			int next = behindGlob(text, end, isForClient);
			if (next == end
					&& ((isWord) ? !HostCharacters.isPart(text.charAt(end)) : HostCharacters.endsHost(text, end))) {
				break;
			}
			expands |= next > end;
			end = (next > end) ? next : end + 1;
		}
		return (expands) ? new HostExpansion(text, end, wanted, isWord, isForClient, budget).of("", start) & wanted : 0;
	}

	private int of(String before, int start) {
		int from = start;
		while (from < this.end && behindGlob(this.text, from, this.isForClient) == from) {
			from++;
		}
		String written = before + this.text.substring(start, from);
		this.budget.spend(InternalAddresses.HOST + (long) InternalAddresses.READING * written.length());
		if (from == this.end) {
			return host(written);
		}
		int next = behindGlob(this.text, from, this.isForClient);
		String glob = this.text.substring(from + 1, next - 1);
		long[] range = range(glob);
		int found = 0;
		if (range == null) {
			for (String part : glob.split(",", -1)) {
				found |= of(written + part, next);
			}
			return found;
		}
		boolean isPadded = glob.charAt(0) == '0';
		int digits = (HostCharacters.isDigit(glob.charAt(0))) ? Math.max(glob.indexOf('-'), glob.indexOf("..")) : 0;
		for (long i = range[0]; i <= range[1] && (found & this.wanted) == 0; i++) {
			String part = (digits == 0) ? String.valueOf((char) i) : Long.toString(i);
			part = (isPadded) ? "0".repeat(Math.max(0, digits - part.length())) + part : part;
			found |= of(written + part, next);
		}
		return found;
	}

	private int host(String written) {
		int end = 0;
		while (end < written.length() && "/?#".indexOf(written.charAt(end)) < 0) {
			end++;
		}
		String host = PercentEncoding.decode(written.substring(written.lastIndexOf('@', end - 1) + 1, end));
		// In code and in patterns, [0-9] and {0} stand for more than a zero.
		if (host.isEmpty() || !host.chars().allMatch((character) -> HostCharacters.isPart((char) character))
				|| (InternalHost.isZero(host) && !this.isForClient)) {
			return 0;
		}
		return (this.isWord) ? InternalHost.ofWordPart(host, true) : InternalHost.ofUrlPart(InternalHost.plain(host));
	}

	private static int behindGlob(String text, int start, boolean isForClient) {
		char character = text.charAt(start);
		if (character != '{' && character != '[') {
			return start;
		}
		char closing = (character == '{') ? '}' : ']';
		int end = start + 1;
		while (end < text.length() && end - start <= InternalHost.MAX_LENGTH && text.charAt(end) > ' '
				&& text.charAt(end) != character && text.charAt(end) != closing
				&& HostCharacters.QUOTES.indexOf(text.charAt(end)) < 0) {
			end++;
		}
		if (end == text.length() || text.charAt(end) != closing || end == start + 1) {
			return start;
		}
		boolean isRange = character == '{' || range(text.substring(start + 1, end)) != null;
		return (isRange && (isForClient || !isQuantifier(text, start, end))) ? end + 1 : start;
	}

	/** Whether this says how often a class of characters comes, as patterns do. */
	private static boolean isQuantifier(String text, int start, int end) {
		return text.charAt(start) == '{' && start > 0 && "])".indexOf(text.charAt(start - 1)) >= 0
				&& text.substring(start + 1, end)
					.chars()
					.allMatch((character) -> HostCharacters.isDigit((char) character) || character == ',');
	}

	/**
	 * The least and the greatest of {@code 1-9}, {@code 1-9:2} or {@code 1..9}, or {@code
	 * null}. What is between counts whatever the step.
	 */
	private static long @Nullable [] range(String glob) {
		int sign = glob.indexOf('-');
		int next = sign + 1;
		if (sign < 0) {
			sign = glob.indexOf("..");
			next = sign + 2;
		}
		int end = Math.max(glob.indexOf(':', next), glob.indexOf("..", next));
		end = (end < 0) ? glob.length() : end;
		if (sign <= 0 || next >= end) {
			return null;
		}
		long first = ofRange(glob.substring(0, sign));
		long last = ofRange(glob.substring(next, end));
		boolean isRange = first >= 0 && last >= 0
				&& HostCharacters.isDigit(glob.charAt(0)) == HostCharacters.isDigit(glob.charAt(next));
		return (isRange) ? new long[] { Math.min(first, last), Math.max(first, last) } : null;
	}

	/** A number, the code of a letter, or -1. */
	private static long ofRange(String text) {
		if (text.length() == 1 && HostCharacters.isOfScheme(text.charAt(0)) && Character.isLetter(text.charAt(0))) {
			return text.charAt(0);
		}
		boolean isNumber = text.length() <= MAX_DIGITS
				&& text.chars().allMatch((digit) -> HostCharacters.isDigit((char) digit));
		return (isNumber) ? Long.parseLong(text) : -1;
	}

}
