package io.agenthooks.redact;

/**
 * Tells where a private key in PEM begins and ends that stands in a list, line by line.
 */
final class KeyLines {

	private KeyLines() {
	}

	static boolean begins(String text) {
		return text.length() < 200 && text.contains("-----BEGIN") && text.contains("PRIVATE KEY") && !ends(text);
	}

	static boolean ends(String text) {
		return text.contains("-----END");
	}

}
