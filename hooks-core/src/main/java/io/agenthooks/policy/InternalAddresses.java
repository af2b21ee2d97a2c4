package io.agenthooks.policy;

import java.util.Locale;

import io.agenthooks.pattern.Budget;

/**
 * Finds addresses of the own machine and network in a text, in whatever spelling a client
 * would understand. Nothing is resolved, so a name that leads there is not found unless
 * it is known here.
 * <p>
 * In the host of an address (behind {@code //}) every spelling counts. Elsewhere only
 * what is unmistakable does: four parts, IPv6, known names, and short spellings behind a
 * program that talks to hosts.
 */
final class InternalAddresses {

	static final int LOOKING = 8;

	static final int READING = 100;

	static final int HOST = 2_000;

	private static final int DECODING = 20;

	private final String text;

	private final int wanted;

	private final Budget budget;

	/**
	 * Whether all of it is meant as an address, or a program that talks to hosts stands
	 * before it.
	 */
	private boolean isForClient;

	private InternalAddresses(String text, int wanted, boolean isForClient, Budget budget) {
		this.text = text;
		this.wanted = wanted;
		this.isForClient = isForClient;
		this.budget = budget;
	}

	static int find(String text, int wanted, boolean isValue, Budget budget) {
		return find(text, wanted, isValue, PercentEncoding.MAX_ROUNDS, budget);
	}

	private static int find(String text, int wanted, boolean isValue, int rounds, Budget budget) {
		budget.spend((long) LOOKING * text.length());
		String read = (isValue) ? text : PackageVersions.mask(text, budget);
		InternalAddresses addresses = new InternalAddresses(read, wanted, isValue, budget);
		int found = (isValue || UrlStart.isUrl(read))
				? new InternalAddresses(UrlStart.asUrl(read), wanted, isValue, budget).url() : 0;
		if (found == 0) {
			addresses.isForClient = false;
			found = addresses.search();
		}
		return (found != 0 || rounds == 0) ? found : encoded(text, wanted, rounds, budget);
	}

	/**
	 * A part in percent signs is most likely a parameter, and whatever gets it may fetch
	 * it.
	 */
	private static int encoded(String text, int wanted, int rounds, Budget budget) {
		if (text.indexOf('%') < 0) {
			return 0;
		}
		int from = 0;
		boolean isEncoded = false;
		for (int i = 0; i <= text.length(); i++) {
			char character = (i < text.length()) ? text.charAt(i) : ' ';
			if (character > ' ' && "&=?#".indexOf(character) < 0 && HostCharacters.QUOTES.indexOf(character) < 0) {
				isEncoded |= character == '%' && i + 2 < text.length() && PercentEncoding.hex(text, i + 1) >= 0;
				continue;
			}
			if (isEncoded) {
				budget.spend((long) DECODING * (i - from));
				String decoded = PercentEncoding.decode(text.substring(from, i));
				int found = (isPathToZero(decoded)) ? 0 : find(decoded, wanted, false, rounds - 1, budget);
				if (found != 0) {
					return found;
				}
			}
			from = i + 1;
			isEncoded = false;
		}
		return 0;
	}

	/** In {@code a//0} no client takes the zero for a host. */
	private static boolean isPathToZero(String decoded) {
		int slashes = decoded.indexOf("//");
		return slashes > 0 && decoded.startsWith("0", slashes + 2) && decoded.length() == slashes + 3
				&& decoded.substring(0, slashes)
					.chars()
					.allMatch((character) -> HostCharacters.isOfName((char) character));
	}

	/** Everything up to the path may be a name and a password, even blanks. */
	private int url() {
		int start = UrlStart.afterScheme(this.text);
		int found = authority(start);
		return (found != 0) ? found : behindUser(start, start, false, true);
	}

	private int search() {
		int programEnd = -1;
		int i = 0;
		while (i < this.text.length()) {
			char character = this.text.charAt(i);
			if (HostCharacters.isSlash(character) || (character == ':' && UrlStart.isBehindScheme(this.text, i))) {
				int start = UrlStart.afterSlashes(this.text, i + 1, character == ':');
				int found = (start > i + 1 || character == ':') ? behindSlashes(i, start) : 0;
				if (found != 0) {
					return found;
				}
				i = start;
			}
			else if (HostCharacters.isPart(character) || (character == '{' && this.isForClient)) {
				int found = (this.isForClient) ? expanded(i, true) : 0;
				if (found != 0) {
					return found;
				}
				int end = i + 1;
				while (end < this.text.length() && HostCharacters.isPart(this.text.charAt(end))
						&& !(this.text.charAt(end) == ':' && UrlStart.isBehindScheme(this.text, end))) {
					end++;
				}
				if (end - i <= InternalHost.MAX_LENGTH) {
					String word = this.text.substring(i, end);
					boolean isZero = programEnd >= 0 && InternalHost.isZero(word)
							&& this.text.substring(programEnd, i).isBlank();
					found = ((isZero) ? InternalNetworks.LOOPBACK : word(word)) & this.wanted;
					if (found != 0) {
						return found;
					}
					boolean isProgram = NetworkPrograms.isProgram(this.text, i, end);
					programEnd = (isProgram) ? end : -1;
					this.isForClient |= isProgram;
				}
				i = end;
			}
			else {
				i++;
			}
		}
		return 0;
	}

	/**
	 * With a tab or line break among the slashes it has to end as a host does, for
	 * otherwise it is the next line.
	 */
	private int behindSlashes(int from, int start) {
		boolean isSplit = UrlStart.isDropped(this.text, start - 1)
				|| (this.text.charAt(from) == ':' && UrlStart.afterSlashes(this.text, from + 1, false) < start);
		int found = (isSplit) ? behindUser(start, start, true, false) : 0;
		boolean isBehindTwo = HostCharacters.isSlash(this.text.charAt(start - 1))
				&& (!isSplit || HostCharacters.isSlash(this.text.charAt(start - 2)));
		return (found != 0 || (isSplit && !isBehindTwo)) ? found : authority(start);
	}

	private int word(String word) {
		if (word.chars().allMatch(Character::isLetter)) {
			return InternalNetworks.ofWord(word.toLowerCase(Locale.ROOT));
		}
		int readings = (word.charAt(0) == '-' && InternalHost.mayBeHost(word)) ? InternalHost.MAX_OPTIONS : 1;
		this.budget.spend(readings * (HOST / 4 + (long) LOOKING * word.length()));
		return InternalHost.ofWord(word, this.isForClient);
	}

	/**
	 * Clients do not agree what of {@code a@b} and {@code a\@b} is the host, so each part
	 * counts.
	 */
	private int authority(int start) {
		int expanded = expanded(start, false);
		if (expanded != 0) {
			return expanded;
		}
		int from = start;
		for (int i = start; i <= this.text.length(); i++) {
			boolean isEnd = HostCharacters.endsHost(this.text, i);
			if (isEnd || "@&=".indexOf(this.text.charAt(i)) >= 0) {
				this.budget
					.spend(HOST + (long) ((i - from <= InternalHost.MAX_LENGTH) ? READING : LOOKING) * (i + 1 - from));
				int found = (i > from && i - from <= InternalHost.MAX_LENGTH)
						? InternalHost.ofUrl(this.text.substring(from, i)) & this.wanted : 0;
				if (found != 0) {
					return found;
				}
				from = i + 1;
			}
			if (isEnd) {
				int found = (i > start && UrlStart.isDropped(this.text, i)) ? rejoined(start) : 0;
				return (found != 0) ? found : behindUser(start, i, false, false);
			}
		}
		return 0;
	}

	private int expanded(int start, boolean isWord) {
		return HostExpansion.find(this.text, start, this.wanted, isWord, this.isForClient, this.budget);
	}

	/**
	 * The hosts behind each {@code @} up to the path. In the name and the password before
	 * it clients take nearly every character, so what ends an address in prose does not
	 * end it here.
	 */
	private int behindUser(int start, int from, boolean isHost, boolean isWhole) {
		StringBuilder host = new StringBuilder();
		boolean collects = isHost;
		// Behind what also ends an address, only what ends as a host does is one.
		boolean mustEnd = isHost;
		int closing = (isWhole) ? -1 : closing(start);
		for (int i = from; i <= this.text.length(); i++) {
			this.budget.spend(LOOKING);
			char character = (i < this.text.length()) ? this.text.charAt(i) : '/';
			boolean isHard = character == '/'
					|| ((character == '?' || character == '#') && !this.text.startsWith("@", i + 1));
			boolean isOver = isHard || character == closing || (character == ' ' && !isWhole);
			if (isOver || UrlStart.isDropped(this.text, i)) {
				mustEnd |= !isOver;
			}
			if (isOver || character == '@'
					|| (HostCharacters.endsHost(this.text, i) && !UrlStart.isDropped(this.text, i))
					|| "&=".indexOf(character) >= 0) {
				int found = (collects && (!mustEnd || isHard || character == '@')) ? collected(host) : 0;
				if (isOver || found != 0) {
					return found;
				}
				host.setLength(0);
				collects = character == '@';
				mustEnd |= character == ' ' || character == '\\';
			}
			else if (collects && !UrlStart.isDropped(this.text, i) && host.length() <= InternalHost.MAX_LENGTH) {
				host.append(character);
			}
		}
		return 0;
	}

	private int collected(StringBuilder host) {
		if (host.isEmpty() || host.length() > InternalHost.MAX_LENGTH) {
			return 0;
		}
		this.budget.spend(HOST + (long) READING * host.length());
		return InternalHost.ofUrl(host.toString()) & this.wanted;
	}

	/** The end of what stands in quotes or brackets, or -1. */
	private int closing(int start) {
		int i = start - 1;
		while (i >= 0 && start - i <= UrlStart.MAX_SCHEME && (HostCharacters.isSlash(this.text.charAt(i))
				|| this.text.charAt(i) == ':' || HostCharacters.isOfScheme(this.text.charAt(i)))) {
			i--;
		}
		int opening = (i >= 0) ? "\"'`<({[".indexOf(this.text.charAt(i)) : -1;
		return (opening >= 0) ? "\"'`>)}]".charAt(opening) : -1;
	}

	/** Clients drop a tab or a line break within a host. */
	private int rejoined(int start) {
		StringBuilder host = new StringBuilder();
		int end = start;
		while (end < this.text.length() && end - start <= InternalHost.MAX_LENGTH
				&& (UrlStart.isDropped(this.text, end) || !HostCharacters.endsHost(this.text, end))) {
			if (!UrlStart.isDropped(this.text, end)) {
				host.append(this.text.charAt(end));
			}
			end++;
		}
		this.budget.spend(HOST + (long) READING * (end - start));
		return (end - start <= InternalHost.MAX_LENGTH)
				? InternalHost.ofUrl(host.substring(host.lastIndexOf("@") + 1)) & this.wanted : 0;
	}

}
