package io.agenthooks.policy;

/**
 * Tells usual names of tools from those that only look like one.
 */
final class ToolNames {

	/** In code points. */
	static final int MAX_LENGTH = 256;

	private ToolNames() {
	}

	/**
	 * Whether a name is not empty, not too long, and holds neither white space nor
	 * control characters nor anything invisible.
	 */
	static boolean isUsual(String name) {
		int length = 0;
		for (int i = 0; i < name.length(); length++) {
			int character = name.codePointAt(i);
			if (length == MAX_LENGTH || !isUsual(character)) {
				return false;
			}
			i += Character.charCount(character);
		}
		return length > 0;
	}

	private static boolean isUsual(int character) {
		if (character < 0x7F) {
			return character > ' ';
		}
		return !Character.isISOControl(character) && !Character.isSpaceChar(character)
				&& Character.getType(character) != Character.SURROGATE && !SearchText.isInvisible(character);
	}

}
