package io.agenthooks.pattern;

/**
 * A text that ends a search of Java's engine before it takes years.
 */
final class LimitedText implements CharSequence {

	private final String text;

	private int steps = 200_000;

	LimitedText(String text) {
		this.text = text;
	}

	@Override
	public int length() {
		return this.text.length();
	}

	@Override
	public char charAt(int index) {
		if (--this.steps < 0) {
			throw new TooLongException();
		}
		return this.text.charAt(index);
	}

	@Override
	public CharSequence subSequence(int start, int end) {
		return this.text.subSequence(start, end);
	}

	@Override
	public String toString() {
		return this.text;
	}

	/**
	 * The search takes too long.
	 */
	static final class TooLongException extends RuntimeException {

		private TooLongException() {
			super("The search takes too long", null, false, false);
		}

	}

}
