package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Reads all mail addresses of a value: of a text, with names of people, groups and
 * several addresses as in the header of a mail; of a {@code mailto:} URL; of a list or a
 * map of these. Whatever any mail server would take for an address counts as one, and
 * what it might is not read.
 *
 * @since 0.1.0
 */
public final class MailAddresses {

	private static final int MAX_ADDRESSES = 10_000;

	private static final int READING = 20;

	private static final int MAX_DEPTH = 20;

	private static final String MAILTO = "mailto:";

	private final List<MailAddress> found;

	private String text = "";

	private int position;

	private MailAddresses(List<MailAddress> found) {
		this.found = found;
	}

	/**
	 * Read all addresses of a value.
	 * @param value a text, a list or a map
	 * @param budget what it may cost
	 * @return the addresses; none of an empty text or list
	 * @throws UnreadableValueException if a part of it is no address
	 * @throws Budget.ExhaustedException if it costs more
	 */
	public static List<MailAddress> of(@Nullable Object value, Budget budget) throws UnreadableValueException {
		List<MailAddress> found = new ArrayList<>();
		read(value, found, 0, budget);
		return found;
	}

	/**
	 * Whether all addresses of a value are of a domain.
	 * @param value a text, a list or a map
	 * @param domain the domain, such as {@code example.com}; those below it are others
	 * @return whether they are; {@code false} as well if a part of the value is no
	 * address
	 * @throws IllegalArgumentException if the domain is none
	 */
	public static boolean areAllOf(@Nullable Object value, String domain) {
		String wanted;
		try {
			wanted = HostName.of(domain);
		}
		catch (UnreadableValueException ex) {
			throw new IllegalArgumentException("No domain: " + ex.reason(), ex);
		}
		try {
			return of(value, new Budget()).stream().allMatch((address) -> address.domain().equals(wanted));
		}
		catch (UnreadableValueException | Budget.ExhaustedException ex) {
			return false;
		}
	}

	private static void read(@Nullable Object value, List<MailAddress> found, int depth, Budget budget)
			throws UnreadableValueException {
		budget.spend(READING);
		if (depth > MAX_DEPTH) {
			throw new UnreadableValueException("it is nested too deep for mail addresses");
		}
		if (value instanceof String text) {
			budget.spend((long) READING * text.length());
			readText(text, found);
		}
		else if (value instanceof Collection<?> list) {
			for (Object each : list) {
				read(each, found, depth + 1, budget);
			}
		}
		else if (value instanceof Map<?, ?> map) {
			readMembers(map, found, depth, budget);
		}
		else {
			throw new UnreadableValueException("a part of it is no text");
		}
	}

	/**
	 * Read {@code {"name": .., "address": ..}}, whatever the members are called. Their
	 * names may be addresses, too.
	 */
	private static void readMembers(Map<?, ?> map, List<MailAddress> found, int depth, Budget budget)
			throws UnreadableValueException {
		int before = found.size();
		for (Map.Entry<?, ?> member : map.entrySet()) {
			for (Object each : new @Nullable Object[] { member.getKey(), member.getValue() }) {
				if (each instanceof Map || each instanceof Collection || (each instanceof String text && hasAt(text))) {
					read(each, found, depth + 1, budget);
				}
			}
		}
		if (found.size() == before) {
			throw new UnreadableValueException("a part of it has no mail address");
		}
	}

	private static boolean hasAt(String text) {
		return text.indexOf('@') >= 0 || text.indexOf('\uFF20') >= 0 || text.indexOf('\uFE6B') >= 0;
	}

	private static void readText(String text, List<MailAddress> found) throws UnreadableValueException {
		String stripped = text.strip();
		if (stripped.regionMatches(true, 0, MAILTO, 0, MAILTO.length())) {
			readMailto(stripped.substring(MAILTO.length()), found);
		}
		else {
			new MailAddresses(found).readList(stripped);
		}
	}

	private static void readMailto(String rest, List<MailAddress> found) throws UnreadableValueException {
		int query = rest.indexOf('?');
		MailAddresses addresses = new MailAddresses(found);
		addresses.readList(PercentEncoding.decode((query >= 0) ? rest.substring(0, query) : rest));
		EncodedWords.check(rest.substring(Math.max(query, 0)));
		for (String field : ((query >= 0) ? rest.substring(query + 1) : "").split("[&?]", -1)) {
			int sign = field.indexOf('=');
			String name = PercentEncoding.decode(field.substring(0, Math.max(sign, 0))).toLowerCase(Locale.ROOT);
			if (name.strip().matches("to|cc|bcc|resent-.*")) {
				addresses.readList(PercentEncoding.decode(field.substring(sign + 1)));
			}
			else if (hasAt(field)) {
				// To a mail server, mailto: is the name of a group of addresses.
				throw new UnreadableValueException("a field of a mailto: that is not for addresses has a sign of them");
			}
		}
	}

	private void readList(String list) throws UnreadableValueException {
		this.text = list;
		this.position = 0;
		List<String> words = new ArrayList<>();
		while (this.position < this.text.length()) {
			char character = this.text.charAt(this.position);
			if (isBlank(character)) {
				this.position++;
			}
			else if (character == ',' || character == ';') {
				this.position++;
				addWords(words);
			}
			else if (character == '\r' || character == '\n') {
				this.position++;
				if (!words.isEmpty() && hasAt(words.get(words.size() - 1))) {
					addWords(words);
				}
			}
			else if (character == ':') {
				this.position++;
				beginGroup(words);
			}
			else if (character == '<') {
				addInBrackets(words);
			}
			else if (character == '(') {
				skipComment();
			}
			else {
				words.add(word());
			}
		}
		addWords(words);
	}

	private static boolean isBlank(char character) {
		return character == ' ' || character == '\t';
	}

	/** Between two commas is one address, or several with blanks between them. */
	private void addWords(List<String> words) throws UnreadableValueException {
		for (String word : words) {
			add(MailAddress.of(word));
		}
		words.clear();
	}

	private void add(MailAddress address) throws UnreadableValueException {
		if (this.found.size() >= MAX_ADDRESSES) {
			throw new UnreadableValueException("it has too many mail addresses");
		}
		this.found.add(address);
	}

	private void beginGroup(List<String> words) throws UnreadableValueException {
		if (words.isEmpty()) {
			throw new UnreadableValueException("a group of mail addresses has no name");
		}
		checkName(words);
		words.clear();
	}

	/**
	 * Addresses in the name of a person count: some split a list at commas in quotes,
	 * too.
	 */
	private void checkName(List<String> words) throws UnreadableValueException {
		for (String word : words) {
			EncodedWords.check(word);
			boolean isQuoted = word.length() > 1 && word.startsWith("\"") && word.endsWith("\"");
			for (String part : (isQuoted) ? word.split("[\\s,;\"]+", -1) : new String[] { word }) {
				if (hasAt(part) && (!isQuoted || part.length() > 1)) {
					add(MailAddress.of(part));
				}
				else if (part.indexOf('<') >= 0 || part.indexOf('>') >= 0) {
					throw new UnreadableValueException("the name of a person has brackets");
				}
			}
		}
	}

	private void addInBrackets(List<String> words) throws UnreadableValueException {
		int end = this.text.indexOf('>', this.position);
		if (end < 0) {
			throw new UnreadableValueException("a bracket around a mail address is not closed");
		}
		checkName(words);
		words.clear();
		add(MailAddress.of(this.text.substring(this.position + 1, end).strip()));
		this.position = end + 1;
		if (this.position < this.text.length() && !isBlank(this.text.charAt(this.position))
				&& ",;\r\n".indexOf(this.text.charAt(this.position)) < 0) {
			throw new UnreadableValueException("something stands right behind a mail address");
		}
	}

	/** A comment may stand alone only: within an address, servers read it differently. */
	private void skipComment() throws UnreadableValueException {
		int end = this.text.indexOf(')', this.position);
		boolean isAlone = (this.position == 0 || isBlank(this.text.charAt(this.position - 1)))
				&& (end + 1 == this.text.length() || (end >= 0 && ", ;\t\r\n".indexOf(this.text.charAt(end + 1)) >= 0));
		String comment = (end < 0) ? "" : this.text.substring(this.position + 1, end);
		if (!isAlone || comment.indexOf('(') >= 0 || comment.indexOf('\\') >= 0 || hasAt(comment)) {
			throw new UnreadableValueException("mail servers read a comment in it differently");
		}
		EncodedWords.check(comment);
		this.position = end + 1;
	}

	/** Read a word; what is quoted in it belongs to it. */
	private String word() throws UnreadableValueException {
		int start = this.position;
		while (this.position < this.text.length()) {
			char character = this.text.charAt(this.position);
			if (character == '"') {
				skipQuoted();
			}
			else if (character == '[') {
				int end = this.text.indexOf(']', this.position);
				if (end < 0) {
					throw new UnreadableValueException("a bracket in a mail address is not closed");
				}
				this.position = end + 1;
			}
			else if (isBlank(character) || ",;:<(\r\n".indexOf(character) >= 0) {
				break;
			}
			else if (character < ' ' || character == '>' || character == ')' || character == '\\') {
				throw new UnreadableValueException("a sign in it is not of mail addresses");
			}
			else {
				this.position++;
			}
		}
		return this.text.substring(start, this.position);
	}

	private void skipQuoted() throws UnreadableValueException {
		int end = this.text.indexOf('"', this.position + 1);
		if (end < 0 || this.text.substring(this.position, end).matches("(?s).*[\\\\\\r\\n].*")) {
			throw new UnreadableValueException("a quote in it is not closed, or has a backslash in it");
		}
		this.position = end + 1;
	}

}
