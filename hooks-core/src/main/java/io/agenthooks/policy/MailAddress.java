package io.agenthooks.policy;

/**
 * An address of e-mail.
 *
 * @param local what stands before the {@code @}
 * @param domain the domain in its {@linkplain HostName one spelling}
 * @since 0.1.0
 */
public record MailAddress(String local, String domain) {

	private static final int MAX_LENGTH = 1_000;

	/** Read one address, without the name of a person. */
	static MailAddress of(String written) throws UnreadableValueException {
		if (written.length() > MAX_LENGTH) {
			throw new UnreadableValueException("it is too long for a mail address");
		}
		int at = written.lastIndexOf('@');
		if (at <= 0) {
			throw new UnreadableValueException("a part of it is no mail address");
		}
		String name = written.substring(0, at);
		if (name.contains("=?")) {
			throw new UnreadableValueException("mail servers read a word in MIME's encoding in it differently");
		}
		boolean isQuoted = name.length() > 2 && name.charAt(0) == '"' && name.endsWith("\"");
		name = (isQuoted) ? name.substring(1, name.length() - 1) : name;
		if (!name.chars().allMatch((character) -> isOfLocal((char) character) || (isQuoted && character == ' '))) {
			throw new UnreadableValueException("mail servers read what stands before the @ differently");
		}
		return new MailAddress(name, domain(written.substring(at + 1)));
	}

	/**
	 * No sign that leads to another server ({@code %} and {@code !}), or that is of the
	 * list around it.
	 */
	private static boolean isOfLocal(char character) {
		return (character >= 0x80) ? Character.isLetterOrDigit(character) || Character.isSurrogate(character)
				: Character.isLetterOrDigit(character) || "#$&'*+/=?^_`{|}~.-".indexOf(character) >= 0;
	}

	private static String domain(String written) throws UnreadableValueException {
		if (written.startsWith("[") && written.endsWith("]")) {
			String inner = written.substring(1, written.length() - 1);
			return HostName.of((inner.regionMatches(true, 0, "IPv6:", 0, 5)) ? inner.substring(5) : inner);
		}
		if (written.indexOf(':') >= 0) {
			throw new UnreadableValueException("a domain of a mail address has a colon");
		}
		return HostName.of(written);
	}

	/**
	 * The address in its one spelling.
	 * @return the address
	 */
	@Override
	public String toString() {
		return this.local + "@" + this.domain;
	}

}
