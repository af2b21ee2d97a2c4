package io.agenthooks.spring.arguments;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Reads arguments that are short and plain, as nearly all are, without the library: that
 * makes a dozen objects before it reads the first character. Plain are texts without
 * escapes, whole numbers, booleans, nulls, and lists and objects of these. It never
 * refuses: what is not certain to be plain, valid and unambiguous, the library reads.
 */
final class PlainJson {

	/** What a reader gives up with. */
	private static final Object UNSURE = new Object();

	/** What comes after the last character. */
	private static final int END = -1;

	/** A longer text is not read. */
	static final int MAX_LENGTH = 4_000;

	/** More are looked for by their hashes. */
	private static final int MAX_MEMBERS = 16;

	/** The library counts deeper levels. */
	private static final int MAX_DEPTH = 16;

	/** Numbers of so many digits fit into a long. */
	private static final int MAX_DIGITS = 18;

	/** Names of arguments come again, so their texts are kept: no more than these. */
	private static final @Nullable String[] names = new String[256];

	private static final int MAX_NAME = 32;

	private final String text;

	private int place;

	private PlainJson(String text) {
		this.text = text;
	}

	/**
	 * Read an object.
	 * @return its members, or {@code null} if it has to be read in another way
	 */
	static @Nullable Map<String, @Nullable Object> read(String json) {
		if (json.length() > MAX_LENGTH) {
			return null;
		}
		PlainJson reader = new PlainJson(json);
		if (reader.next() != '{') {
			return null;
		}
		Map<String, @Nullable Object> object = reader.object(1);
		return (object != null && reader.next() == END) ? object : null;
	}

	/**
	 * The next character that is no white space, which is read then, or the end.
	 */
	private int next() {
		while (this.place < this.text.length()) {
			char character = this.text.charAt(this.place++);
			if (character != ' ' && character != '\n' && character != '\r' && character != '\t') {
				return character;
			}
		}
		return END;
	}

	private @Nullable Map<String, @Nullable Object> object(int depth) {
		int character = next();
		if (character == '}') {
			return Map.of();
		}
		@Nullable Object[] members = new Object[8];
		int end = 0;
		while (character == '"' && end < 2 * MAX_MEMBERS) {
			String name = text(true);
			if (name == null || next() != ':' || contains(members, end, name)) {
				return null;
			}
			@Nullable Object value = value(next(), depth);
			if (isUnsure(value)) {
				return null;
			}
			members = (end < members.length) ? members : Arrays.copyOf(members, 2 * MAX_MEMBERS);
			members[end++] = name;
			members[end++] = value;
			character = next();
			if (character == '}') {
				return new Members(members, end / 2);
			}
			character = (character == ',') ? next() : END;
		}
		return null;
	}

	private static boolean contains(@Nullable Object[] members, int end, String name) {
		for (int i = 0; i < end; i += 2) {
			if (name.equals(members[i])) {
				return true;
			}
		}
		return false;
	}

	private @Nullable List<@Nullable Object> array(int depth) {
		List<@Nullable Object> array = new ArrayList<>();
		int character = next();
		if (character == ']') {
			return array;
		}
		while (true) {
			@Nullable Object value = value(character, depth);
			if (isUnsure(value)) {
				return null;
			}
			array.add(value);
			character = next();
			if (character == ']') {
				return array;
			}
			if (character != ',') {
				return null;
			}
			character = next();
		}
	}

	/**
	 * Read a value.
	 * @param first its first character, which is read already
	 */
	private @Nullable Object value(int first, int depth) {
		return switch (first) {
			case '"' -> orUnsure(text(false));
			case '{' -> (depth < MAX_DEPTH) ? orUnsure(object(depth + 1)) : UNSURE;
			case '[' -> (depth < MAX_DEPTH) ? orUnsure(array(depth + 1)) : UNSURE;
			case 't' -> word("true", true);
			case 'f' -> word("false", false);
			case 'n' -> word("null", null);
			case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
			default -> UNSURE;
		};
	}

	@SuppressWarnings("ReferenceEquality") // there is one object of this kind
	private static boolean isUnsure(@Nullable Object value) {
		return value == UNSURE;
	}

	private static Object orUnsure(@Nullable Object value) {
		return (value != null) ? value : UNSURE;
	}

	/**
	 * What comes after it has to be what may come after a value.
	 */
	private @Nullable Object word(String word, @Nullable Object value) {
		if (!this.text.startsWith(word, this.place - 1)) {
			return UNSURE;
		}
		this.place += word.length() - 1;
		return value;
	}

	private @Nullable String text(boolean name) {
		int begin = this.place;
		int hash = 0;
		for (int i = begin; i < this.text.length(); i++) {
			char character = this.text.charAt(i);
			if (character == '"') {
				this.place = i + 1;
				return (name && i - begin <= MAX_NAME) ? name(begin, i, hash) : this.text.substring(begin, i);
			}
			if (character < ' ' || character == '\\' || Character.isSurrogate(character)) {
				return null;
			}
			hash = 31 * hash + character;
		}
		return null;
	}

	/**
	 * A name that may have come before. Threads may put one into the place of another,
	 * and then it is made again.
	 */
	private String name(int begin, int end, int hash) {
		int slot = (hash ^ (hash >>> 8)) & (names.length - 1);
		String known = names[slot];
		if (known != null && known.length() == end - begin && this.text.startsWith(known, begin)) {
			return known;
		}
		String name = this.text.substring(begin, end);
		names[slot] = name;
		return name;
	}

	/**
	 * Read a whole number, whose first character is read already.
	 */
	private Object number() {
		int begin = this.place - 1;
		boolean negative = this.text.charAt(begin) == '-';
		int first = (negative) ? begin + 1 : begin;
		long number = 0;
		int i = first;
		for (; i < this.text.length() && isDigit(this.text.charAt(i)); i++) {
			if (i - first == MAX_DIGITS) {
				return UNSURE;
			}
			number = 10 * number + (this.text.charAt(i) - '0');
		}
		boolean leadingZero = i > first && this.text.charAt(first) == '0' && (i - first > 1 || negative);
		if (i == first || leadingZero) {
			return UNSURE;
		}
		this.place = i;
		number = (negative) ? -number : number;
		return ((int) number == number) ? (Object) (int) number : (Object) number;
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

	/**
	 * The members of an object, on their way into a call, which copies them.
	 */
	private static final class Members extends AbstractMap<String, @Nullable Object> {

		/** Each name, followed by its value. */
		private final @Nullable Object[] members;

		private final int size;

		Members(@Nullable Object[] members, int size) {
			this.members = members;
			this.size = size;
		}

		@Override
		public int size() {
			return this.size;
		}

		@Override
		public Set<Entry<String, @Nullable Object>> entrySet() {
			return new Entries();
		}

		private final class Entries extends AbstractSet<Entry<String, @Nullable Object>> {

			@Override
			public Iterator<Entry<String, @Nullable Object>> iterator() {
				return new EntryIterator();
			}

			@Override
			public int size() {
				return Members.this.size;
			}

		}

		private final class EntryIterator implements Iterator<Entry<String, @Nullable Object>> {

			private int place;

			@Override
			public boolean hasNext() {
				return this.place < 2 * Members.this.size;
			}

			@Override
			public Entry<String, @Nullable Object> next() {
				if (!hasNext()) {
					throw new NoSuchElementException();
				}
				this.place += 2;
				return new SimpleImmutableEntry<String, @Nullable Object>((String) Members.this.members[this.place - 2],
						Members.this.members[this.place - 1]);
			}

		}

	}

}
