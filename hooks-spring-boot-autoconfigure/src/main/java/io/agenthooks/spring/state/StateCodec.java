package io.agenthooks.spring.state;

/**
 * Writes what is kept of a key as a text, which begins with the version of its form, and
 * reads it.
 *
 * @param <S> what is kept
 * @since 0.1.0
 */
public interface StateCodec<S> {

	/**
	 * Write it.
	 * @param state what is kept
	 * @return all of it as a text, which has a bound
	 */
	String write(S state);

	/**
	 * Read it.
	 * @param space the number of the space that its key is in
	 * @param text what was written
	 * @return what is kept
	 * @throws UnusableAnswerException if somebody else wrote the text
	 */
	S read(int space, String text);

}
