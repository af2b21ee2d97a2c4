package io.agenthooks.redact;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolNames;

/** A text without invisible characters, which may split a secret. */
final class VisibleText {

	private final String text;

	/** The positions of its characters in the original. */
	private final int[] positions;

	private VisibleText(String text, int[] positions) {
		this.text = text;
		this.positions = positions;
	}

	/** A text without invisible characters, or {@code null} if it has none. */
	static @Nullable VisibleText of(String text) {
		int first = 0;
		while (first < text.length() && text.charAt(first) < 0xAD) {
			first++;
		}
		if (first == text.length()) {
			return null;
		}
		StringBuilder visible = new StringBuilder(text.length());
		int[] positions = new int[text.length()];
		for (int i = 0; i < text.length();) {
			int character = text.codePointAt(i);
			int next = i + Character.charCount(character);
			if (!isInvisible(character)) {
				for (; i < next; i++) {
					positions[visible.length()] = i;
					visible.append(text.charAt(i));
				}
			}
			i = next;
		}
		return (visible.length() == text.length()) ? null
				: new VisibleText(visible.toString(), Arrays.copyOf(positions, visible.length()));
	}

	static boolean isInvisible(int character) {
		return ToolNames.isInvisible(character);
	}

	@Override
	public String toString() {
		return this.text;
	}

	Hit toOriginal(Hit hit) {
		return new Hit(hit.kind(), this.positions[hit.start()], this.positions[hit.end() - 1] + 1, hit.self());
	}

}
