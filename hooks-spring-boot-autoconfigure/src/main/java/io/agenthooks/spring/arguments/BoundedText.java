package io.agenthooks.spring.arguments;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;

final class BoundedText extends Writer {

	private final StringWriter text = new StringWriter();

	private final int maxLength;

	private boolean over;

	BoundedText(int maxLength) {
		this.maxLength = maxLength;
	}

	@Override
	public void write(char[] characters, int offset, int length) throws IOException {
		if (length > this.maxLength - this.text.getBuffer().length()) {
			this.over = true;
			throw new IOException("The text is too long");
		}
		this.text.write(characters, offset, length);
	}

	boolean isOver() {
		return this.over;
	}

	@Override
	public void flush() {
	}

	@Override
	public void close() {
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
