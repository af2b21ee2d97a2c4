package io.agenthooks.spring.docs;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A block of code on a page, with the comments that stand before it and that nobody sees
 * who reads the rendered page.
 *
 * @param page the path of the page
 * @param line the line of its fence, from 1
 * @param language what stands behind the fence, such as {@code java}
 * @param text the block
 * @param notes the comments before it, such as {@code not run: needs a key}
 */
record Block(String page, int line, String language, String text, List<String> notes) {

	/** A comment that says why nothing checks a block. */
	static final String NOT_RUN = "not run:";

	String place() {
		return this.page + ":" + this.line;
	}

	boolean is(String language) {
		return this.language.equals(language);
	}

	/**
	 * The notes that begin with a word, without it.
	 */
	List<String> notes(String word) {
		return this.notes.stream()
			.filter((note) -> note.startsWith(word))
			.map((note) -> note.substring(word.length()).strip())
			.toList();
	}

	@Nullable String note(String word) {
		List<String> found = notes(word);
		return (found.isEmpty()) ? null : found.get(0);
	}

	boolean isRun() {
		return note(NOT_RUN) == null;
	}

	@Override
	public String toString() {
		return place() + " " + this.language;
	}

}
