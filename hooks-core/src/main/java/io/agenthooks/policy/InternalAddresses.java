package io.agenthooks.policy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Finds addresses of the own machine and network in a text, in whatever spelling a client
 * would understand: numbers in any base and with any number of parts, IPv6 with an IPv4
 * address inside, names, percent signs, and what stands before an {@code @} or behind it.
 * Nothing is resolved, so a name that leads there is not found unless it is known here.
 * <p>
 * In the host of an address (behind {@code //}) every spelling counts. Elsewhere a plain
 * number is most likely just a number, so only what is unmistakable counts: four parts,
 * IPv6, known names, and short spellings behind a program that talks to hosts.
 */
final class InternalAddresses {

	/** What looking at a character costs, compared to searching it. */
	private static final int LOOKING = 8;

	/** What reading a character of a host costs. */
	private static final int READING = 100;

	/** What coming to a host costs, or to a word that may be one. */
	private static final int HOST = 2_000;

	/** Longer is no host; the limit of DNS with each character as three. */
	private static final int MAX_HOST = 1024;

	/** Longer is no scheme. */
	private static final int MAX_SCHEME = 32;

	/** What decoding a character costs. */
	private static final int DECODING = 20;

	/** More digits are no number of a range. */
	private static final int MAX_DIGITS = 10;

	/** Longer is no name of a package. */
	private static final int MAX_NAME = 64;

	/** More letters before the value are no options. */
	private static final int MAX_OPTIONS = 6;

	/** How often percent signs within percent signs are decoded. */
	private static final int MAX_DECODED = 3;

	private static final int LOOPBACK = InternalAddress.LOOPBACK.bit();

	private static final int LINK_LOCAL = InternalAddress.LINK_LOCAL.bit();

	private static final int METADATA = InternalAddress.METADATA.bit();

	private static final int PRIVATE = InternalAddress.PRIVATE_NETWORK.bit();

	private static final Map<String, Integer> NAMES = Map.ofEntries(Map.entry("localhost", LOOPBACK),
			Map.entry("localhost.localdomain", LOOPBACK), Map.entry("localhost4", LOOPBACK),
			Map.entry("localhost6", LOOPBACK), Map.entry("ip6-localhost", LOOPBACK),
			Map.entry("ip6-loopback", LOOPBACK), Map.entry("localtest.me", LOOPBACK), Map.entry("lvh.me", LOOPBACK),
			Map.entry("metadata.google.internal", METADATA), Map.entry("metadata.goog", METADATA),
			Map.entry("instance-data.ec2.internal", METADATA), Map.entry("metadata.azure.internal", METADATA),
			Map.entry("metadata.tencentyun.com", METADATA), Map.entry("host.docker.internal", LOOPBACK),
			Map.entry("gateway.docker.internal", LOOPBACK), Map.entry("kubernetes.default.svc", PRIVATE),
			Map.entry("kubernetes.default.svc.cluster.local", PRIVATE));

	/** Names that are too much of a word to count elsewhere than as a host. */
	private static final Map<String, Integer> HOST_NAMES = Map.of("metadata", METADATA, "instance-data", METADATA,
			"loopback", LOOPBACK, "kubernetes.default", PRIVATE);

	/** Domains below which every name leads to the same kind. */
	private static final Map<String, Integer> DOMAINS = Map.of(".localhost", LOOPBACK, ".localtest.me", LOOPBACK,
			".lvh.me", LOOPBACK);

	/** Domains whose names say the address that they lead to. */
	private static final Set<String> TELLING_DOMAINS = Set.of(".nip.io", ".sslip.io", ".xip.io");

	/** Schemes of which some clients want no slashes behind them, or any number. */
	private static final Set<String> LENIENT_SCHEMES = Set.of("http", "https", "ftp", "ws", "wss");

	/** Programs that talk to hosts, and variables that name one to them. */
	private static final Set<String> PROGRAMS = Set.of("curl", "wget", "nc", "ncat", "netcat", "telnet", "ssh", "scp",
			"sftp", "ping", "ping6", "socat", "nmap", "traceroute", "iwr", "irm", "invoke-webrequest",
			"invoke-restmethod", "httpie", "xh", "lynx", "http_proxy", "https_proxy", "ftp_proxy", "all_proxy");

	private static final Set<Integer> METADATA_SERVICES = Set.of(ip(169, 254, 169, 254), ip(169, 254, 170, 2),
			ip(169, 254, 170, 23), ip(100, 100, 100, 200), ip(192, 0, 0, 192), ip(168, 63, 129, 16));

	private static final Set<List<Integer>> METADATA_SERVICES_6 = Set.of(List.of(0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254),
			List.of(0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x23), List.of(0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254));

	private static final String QUOTES = "\"'`<>";

	private final String text;

	private final int wanted;

	private final Budget budget;

	/**
	 * Whether a client is known to read what comes: all of it is meant as an address, or
	 * a program that talks to hosts stands before it.
	 */
	private boolean isForClient;

	private InternalAddresses(String text, int wanted, boolean isForClient, Budget budget) {
		this.text = text;
		this.wanted = wanted;
		this.isForClient = isForClient;
		this.budget = budget;
	}

	/**
	 * Find an address.
	 * @param text the text, clean
	 * @param wanted a bit for each {@link InternalAddress} that is looked for
	 * @param isValue whether the whole text is meant as an address
	 * @param budget what the search may cost
	 * @return the bits of the kinds that the first one found is of, or 0
	 */
	static int find(String text, int wanted, boolean isValue, Budget budget) {
		return find(text, wanted, isValue, MAX_DECODED, budget);
	}

	/**
	 * Find an address.
	 * @param rounds how often what percent signs hide is decoded
	 */
	private static int find(String text, int wanted, boolean isValue, int rounds, Budget budget) {
		budget.spend((long) LOOKING * text.length());
		String read = (isValue) ? text : withoutVersions(text, budget);
		InternalAddresses addresses = new InternalAddresses(read, wanted, isValue, budget);
		int found = (isValue || addresses.isUrl()) ? new InternalAddresses(asUrl(read), wanted, isValue, budget).url()
				: 0;
		if (found == 0) {
			addresses.isForClient = false;
			found = addresses.search();
		}
		return (found != 0 || rounds == 0) ? found : encoded(text, wanted, rounds, budget);
	}

	/**
	 * The kinds of what stands encoded in a part of the text, most likely a parameter of
	 * an address. What it leads to may fetch it.
	 */
	private static int encoded(String text, int wanted, int rounds, Budget budget) {
		if (text.indexOf('%') < 0) {
			return 0;
		}
		int from = 0;
		boolean isEncoded = false;
		for (int i = 0; i <= text.length(); i++) {
			char character = (i < text.length()) ? text.charAt(i) : ' ';
			if (character > ' ' && "&=?#".indexOf(character) < 0 && QUOTES.indexOf(character) < 0) {
				isEncoded |= character == '%' && i + 2 < text.length() && hex(text, i + 1) >= 0;
				continue;
			}
			if (isEncoded) {
				budget.spend((long) DECODING * (i - from));
				String decoded = decode(text.substring(from, i));
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

	/**
	 * Whether what was encoded is a path such as {@code a//0}: no client takes a zero for
	 * a host that stands behind a name and two slashes.
	 */
	private static boolean isPathToZero(String decoded) {
		int slashes = decoded.indexOf("//");
		return slashes > 0 && decoded.startsWith("0", slashes + 2) && decoded.length() == slashes + 3
				&& decoded.substring(0, slashes).chars().allMatch((character) -> isOfName((char) character));
	}

	/**
	 * The text, with a letter in place of the first digit of what is most likely the
	 * version of a package: {@code npm@10.2.3} behind an address that is over. A client
	 * that takes all that stands before an {@code @} for a name and a password would go
	 * there, but only if it were given more than an address. Where a client is known to
	 * read the text, or a word of it, nothing is taken for a version.
	 */
	private static String withoutVersions(String text, Budget budget) {
		StringBuilder masked = null;
		int host = -1;
		for (int i = text.indexOf("//"); i >= 0 && i < text.length(); i++) {
			if (isSlash(text.charAt(i))) {
				host = i + 1;
			}
			else if (text.charAt(i) == '@' && isVersion(text, i) && isOver(text, host, i, budget)) {
				if (masked == null && isForClient(text)) {
					return text;
				}
				masked = (masked != null) ? masked : new StringBuilder(text);
				masked.setCharAt(i + 1, 'v');
			}
		}
		return (masked != null) ? masked.toString() : text;
	}

	/**
	 * Whether a name stands before the sign, as a word, and behind it a version that an
	 * address would be written like: two or three numbers, of which the first is 10.
	 */
	private static boolean isVersion(String text, int sign) {
		if (!text.startsWith("10.", sign + 1)) {
			return false;
		}
		int start = sign;
		while (start > 0 && sign - start <= MAX_NAME && isOfName(text.charAt(start - 1))) {
			start--;
		}
		if (start == sign || start == 0 || !endsWord(text.charAt(start - 1))) {
			return false;
		}
		int end = sign + 4;
		int dots = 0;
		while (end < text.length() && end - sign <= MAX_NAME && (isDigit(text.charAt(end))
				|| (text.charAt(end) == '.' && end + 1 < text.length() && isDigit(text.charAt(end + 1))))) {
			dots += (text.charAt(end) == '.') ? 1 : 0;
			end++;
		}
		return end > sign + 4 && dots <= 1 && (end == text.length() || endsWord(text.charAt(end)));
	}

	private static boolean isOfName(char character) {
		return isOfScheme(character) || character == '_';
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

	private static boolean endsWord(char character) {
		return character <= ' ' || ",;|)]}".indexOf(character) >= 0 || QUOTES.indexOf(character) >= 0;
	}

	/**
	 * Whether an address is over before the end, with a host that one would want: a name
	 * in a domain.
	 */
	private static boolean isOver(String text, int start, int end, Budget budget) {
		int i = start;
		int label = start;
		while (i < end && i - start <= MAX_HOST && (isOfName(text.charAt(i)) && text.charAt(i) != '+')) {
			label = (text.charAt(i) == '.') ? i + 1 : label;
			i++;
		}
		budget.spend((long) LOOKING * (i - start));
		boolean isName = label > start + 1 && i - label > 1
				&& text.substring(label, i).chars().allMatch(Character::isLetter);
		if (i < end && text.charAt(i) == ':') {
			i++;
			while (i < end && i - start <= MAX_HOST && isDigit(text.charAt(i))) {
				i++;
			}
		}
		return isName && i < end && endsWord(text.charAt(i));
	}

	/**
	 * Whether the text is a single address, or a program that reads one is in it.
	 */
	private static boolean isForClient(String text) {
		if (new InternalAddresses(text, 0, false, new Budget()).isUrl()
				&& text.trim().chars().allMatch((character) -> character > ' ')) {
			return true;
		}
		int from = 0;
		for (int i = 0; i <= text.length(); i++) {
			if (i == text.length() || !isPart(text.charAt(i))) {
				if (isProgram(text, from, i)) {
					return true;
				}
				from = i + 1;
			}
		}
		return false;
	}

	private static boolean isProgram(String text, int from, int end) {
		return end > from && end - from <= MAX_SCHEME
				&& PROGRAMS.contains(text.substring(from, end).toLowerCase(Locale.ROOT).replace(".exe", ""));
	}

	/**
	 * A text as clients read it that are given it as an address: without blanks around it
	 * and without tabs and line breaks in it.
	 */
	private static String asUrl(String text) {
		return text.trim().replace("\t", "").replace("\r", "").replace("\n", "");
	}

	/**
	 * Whether the text starts as a URL does, as {@link #asUrl} would leave it.
	 */
	private boolean isUrl() {
		StringBuilder start = new StringBuilder();
		for (int i = 0; i < this.text.length() && start.length() <= MAX_SCHEME; i++) {
			char character = this.text.charAt(i);
			if (character == ':') {
				return new InternalAddresses(start + asUrl(this.text.substring(i, Math.min(i + 8, this.text.length()))),
						0, false, this.budget)
					.afterScheme() > 0;
			}
			if (character > ' ') {
				start.append(character);
			}
		}
		return false;
	}

	/**
	 * The position behind the scheme of the text and its slashes, or 0 without a scheme.
	 */
	private int afterScheme() {
		int end = 0;
		while (end < this.text.length() && isOfScheme(this.text.charAt(end))) {
			end++;
		}
		if (end == 0 || end > MAX_SCHEME || end == this.text.length() || this.text.charAt(end) != ':') {
			return 0;
		}
		int start = afterSlashes(end + 1, false);
		return (start > end + 1 || isBehindScheme(end)) ? start : 0;
	}

	/**
	 * The kinds of the text, all of which is an address. Everything up to the path may be
	 * a name and a password, even blanks.
	 */
	private int url() {
		int start = afterScheme();
		int found = authority(start);
		return (found != 0) ? found : behindUser(start, start, false, true);
	}

	private int afterSlashes(int start, boolean withDropped) {
		int end = start;
		while (end < this.text.length() && (isSlash(this.text.charAt(end)) || (withDropped && isDropped(end)))) {
			end++;
		}
		return end;
	}

	private int search() {
		int programEnd = -1;
		int i = 0;
		while (i < this.text.length()) {
			char character = this.text.charAt(i);
			if (isSlash(character) || (character == ':' && isBehindScheme(i))) {
				int start = afterSlashes(i + 1, character == ':');
				int found = (start > i + 1 || character == ':') ? behindSlashes(i, start) : 0;
				if (found != 0) {
					return found;
				}
				i = start;
			}
			else if (isPart(character) || (character == '{' && this.isForClient)) {
				int found = (this.isForClient) ? expanded(i, true) : 0;
				if (found != 0) {
					return found;
				}
				int end = i + 1;
				while (end < this.text.length() && isPart(this.text.charAt(end))
						&& !(this.text.charAt(end) == ':' && isBehindScheme(end))) {
					end++;
				}
				if (end - i <= MAX_HOST) {
					String word = this.text.substring(i, end);
					boolean isZero = programEnd >= 0 && isZero(word) && this.text.substring(programEnd, i).isBlank();
					found = ((isZero) ? LOOPBACK : word(word)) & this.wanted;
					if (found != 0) {
						return found;
					}
					boolean isProgram = isProgram(this.text, i, end);
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
	 * The kinds of what stands behind the slashes of an address. With a tab or a line
	 * break among them, it has to end as a host does, for otherwise it is the next line.
	 */
	private int behindSlashes(int from, int start) {
		boolean isSplit = isDropped(start - 1)
				|| (this.text.charAt(from) == ':' && afterSlashes(from + 1, false) < start);
		int found = (isSplit) ? behindUser(start, start, true, false) : 0;
		boolean isBehindTwo = isSlash(this.text.charAt(start - 1))
				&& (!isSplit || isSlash(this.text.charAt(start - 2)));
		return (found != 0 || (isSplit && !isBehindTwo)) ? found : authority(start);
	}

	/**
	 * Whether this is zero, with a port or without, which right behind a program is the
	 * machine itself.
	 */
	private static boolean isZero(String word) {
		return word.charAt(0) == '0' && withoutPort(word.toLowerCase(Locale.ROOT)).matches("0+|0x0*");
	}

	/**
	 * The kinds of a word. Most words are just that.
	 */
	private int word(String word) {
		if (word.chars().allMatch(Character::isLetter)) {
			return NAMES.getOrDefault(word.toLowerCase(Locale.ROOT), 0);
		}
		int readings = (word.charAt(0) == '-' && mayBeHost(word)) ? MAX_OPTIONS : 1;
		this.budget.spend(readings * (HOST / 4 + (long) LOOKING * word.length()));
		return bare(word, this.isForClient);
	}

	private static boolean isSlash(char character) {
		return character == '/' || character == '\\';
	}

	private static boolean isPart(char character) {
		return Character.isLetterOrDigit(character) || ".:-_%[]\u3002".indexOf(character) >= 0;
	}

	private static boolean isOfScheme(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || "+.-".indexOf(character) >= 0;
	}

	/**
	 * Whether the colon ends {@code http} or another scheme behind which some clients
	 * want no slashes.
	 */
	private boolean isBehindScheme(int colon) {
		int start = colon;
		while (start > 0 && colon - start <= "https".length()
				&& Character.isLetterOrDigit(this.text.charAt(start - 1))) {
			start--;
		}
		return LENIENT_SCHEMES.contains(this.text.substring(start, colon).toLowerCase(Locale.ROOT));
	}

	/**
	 * The kinds of the host of an address. Clients do not agree what of {@code a@b} and
	 * {@code a\@b} it is, so each part counts.
	 */
	private int authority(int start) {
		int expanded = expanded(start, false);
		if (expanded != 0) {
			return expanded;
		}
		int from = start;
		for (int i = start; i <= this.text.length(); i++) {
			boolean isEnd = isEnd(i);
			if (isEnd || "@&=".indexOf(this.text.charAt(i)) >= 0) {
				this.budget.spend(HOST + (long) ((i - from <= MAX_HOST) ? READING : LOOKING) * (i + 1 - from));
				int found = (i > from && i - from <= MAX_HOST) ? host(this.text.substring(from, i)) & this.wanted : 0;
				if (found != 0) {
					return found;
				}
				from = i + 1;
			}
			if (isEnd) {
				int found = (i > start && isDropped(i)) ? rejoined(start) : 0;
				return (found != 0) ? found : behindUser(start, i, false, false);
			}
		}
		return 0;
	}

	/**
	 * The kinds of the hosts that curl or a shell makes of one with sets and ranges, such
	 * as {@code 127.0.0.[1-9]} and <code>{127.1,x}</code>.
	 * @param isWord whether it is a word behind a program rather than the host of an
	 * address
	 */
	private int expanded(int start, boolean isWord) {
		boolean expands = false;
		int end = start;
		while (end < this.text.length() && end - start <= MAX_HOST) {
			int next = behindGlob(end);
			if (next == end && ((isWord) ? !isPart(this.text.charAt(end)) : isEnd(end))) {
				break;
			}
			expands |= next > end;
			end = (next > end) ? next : end + 1;
		}
		return (expands) ? expanded("", start, end, isWord) & this.wanted : 0;
	}

	private int expanded(String before, int start, int end, boolean isWord) {
		int from = start;
		while (from < end && behindGlob(from) == from) {
			from++;
		}
		String written = before + this.text.substring(start, from);
		this.budget.spend(HOST + (long) READING * written.length());
		if (from == end) {
			return expandedHost(written, isWord);
		}
		int next = behindGlob(from);
		String glob = this.text.substring(from + 1, next - 1);
		long[] range = range(glob);
		int found = 0;
		if (range == null) {
			for (String part : glob.split(",", -1)) {
				found |= expanded(written + part, next, end, isWord);
			}
			return found;
		}
		boolean isPadded = glob.charAt(0) == '0';
		int digits = (isDigit(glob.charAt(0))) ? Math.max(glob.indexOf('-'), glob.indexOf("..")) : 0;
		for (long i = range[0]; i <= range[1] && (found & this.wanted) == 0; i++) {
			String part = (digits == 0) ? String.valueOf((char) i) : Long.toString(i);
			part = (isPadded) ? "0".repeat(Math.max(0, digits - part.length())) + part : part;
			found |= expanded(written + part, next, end, isWord);
		}
		return found;
	}

	private int expandedHost(String written, boolean isWord) {
		int end = 0;
		while (end < written.length() && "/?#".indexOf(written.charAt(end)) < 0) {
			end++;
		}
		String host = decode(written.substring(written.lastIndexOf('@', end - 1) + 1, end));
		// In code and in patterns, [0-9] and {0} stand for more than a zero.
		if (host.isEmpty() || !host.chars().allMatch((character) -> isPart((char) character))
				|| (isZero(host) && !this.isForClient)) {
			return 0;
		}
		return (isWord) ? bareHost(host, true) : plainHost(plain(host));
	}

	/**
	 * The position behind the set or range that starts here, or this position.
	 */
	private int behindGlob(int start) {
		char character = this.text.charAt(start);
		if (character != '{' && character != '[') {
			return start;
		}
		char closing = (character == '{') ? '}' : ']';
		int end = start + 1;
		while (end < this.text.length() && end - start <= MAX_HOST && this.text.charAt(end) > ' '
				&& this.text.charAt(end) != character && this.text.charAt(end) != closing
				&& QUOTES.indexOf(this.text.charAt(end)) < 0) {
			end++;
		}
		if (end == this.text.length() || this.text.charAt(end) != closing || end == start + 1) {
			return start;
		}
		boolean isRange = character == '{' || range(this.text.substring(start + 1, end)) != null;
		return (isRange && (this.isForClient || !isQuantifier(start, end))) ? end + 1 : start;
	}

	/**
	 * Whether this says how often a class of characters comes, as patterns do.
	 */
	private boolean isQuantifier(int start, int end) {
		return this.text.charAt(start) == '{' && start > 0 && "])".indexOf(this.text.charAt(start - 1)) >= 0
				&& this.text.substring(start + 1, end)
					.chars()
					.allMatch((character) -> isDigit((char) character) || character == ',');
	}

	/**
	 * The least and the greatest of a range of numbers or letters, as curl writes it
	 * ({@code 1-9}, {@code 1-9:2}) or a shell ({@code 1..9}), or {@code null}. What is
	 * between them counts whatever the step.
	 */
	private static long @Nullable [] range(String glob) {
		int sign = glob.indexOf('-');
		int next = sign + 1;
		if (sign < 0) {
			sign = glob.indexOf("..");
			next = sign + 2;
		}
		int end = Math.max(glob.indexOf(':', next), glob.indexOf("..", next));
		end = (end < 0) ? glob.length() : end;
		if (sign <= 0 || next >= end) {
			return null;
		}
		long first = ofRange(glob.substring(0, sign));
		long last = ofRange(glob.substring(next, end));
		boolean isRange = first >= 0 && last >= 0 && isDigit(glob.charAt(0)) == isDigit(glob.charAt(next));
		return (isRange) ? new long[] { Math.min(first, last), Math.max(first, last) } : null;
	}

	/**
	 * A number, the code of a letter, or -1.
	 */
	private static long ofRange(String text) {
		if (text.length() == 1 && isOfScheme(text.charAt(0)) && Character.isLetter(text.charAt(0))) {
			return text.charAt(0);
		}
		boolean isNumber = text.length() <= MAX_DIGITS && text.chars().allMatch((digit) -> isDigit((char) digit));
		return (isNumber) ? Long.parseLong(text) : -1;
	}

	/**
	 * The kinds of the hosts behind each {@code @} up to the path. What stands before it
	 * is a name and a password, in which clients take nearly every character, so what
	 * ends an address in prose does not end it here.
	 * @param start where the address starts, behind its slashes
	 * @param from where to go on
	 * @param isHost whether a host starts there
	 * @param isWhole whether the whole text is the address, which then may hold blanks
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
			if (isOver || isDropped(i)) {
				mustEnd |= !isOver;
			}
			if (isOver || character == '@' || (isEnd(i) && !isDropped(i)) || "&=".indexOf(character) >= 0) {
				int found = (collects && (!mustEnd || isHard || character == '@')) ? collected(host) : 0;
				if (isOver || found != 0) {
					return found;
				}
				host.setLength(0);
				collects = character == '@';
				mustEnd |= character == ' ' || character == '\\';
			}
			else if (collects && !isDropped(i) && host.length() <= MAX_HOST) {
				host.append(character);
			}
		}
		return 0;
	}

	private int collected(StringBuilder host) {
		if (host.isEmpty() || host.length() > MAX_HOST) {
			return 0;
		}
		this.budget.spend(HOST + (long) READING * host.length());
		return host(host.toString()) & this.wanted;
	}

	/**
	 * The character that ends an address because another one stands before it, such as a
	 * quote, or -1.
	 */
	private int closing(int start) {
		int i = start - 1;
		while (i >= 0 && start - i <= MAX_SCHEME
				&& (isSlash(this.text.charAt(i)) || this.text.charAt(i) == ':' || isOfScheme(this.text.charAt(i)))) {
			i--;
		}
		int opening = (i >= 0) ? "\"'`<({[".indexOf(this.text.charAt(i)) : -1;
		return (opening >= 0) ? "\"'`>)}]".charAt(opening) : -1;
	}

	/**
	 * The kinds of a host that goes on behind a tab or a line break, which clients drop.
	 */
	private int rejoined(int start) {
		StringBuilder host = new StringBuilder();
		int end = start;
		while (end < this.text.length() && end - start <= MAX_HOST && (isDropped(end) || !isEnd(end))) {
			if (!isDropped(end)) {
				host.append(this.text.charAt(end));
			}
			end++;
		}
		this.budget.spend(HOST + (long) READING * (end - start));
		return (end - start <= MAX_HOST) ? host(host.substring(host.lastIndexOf("@") + 1)) & this.wanted : 0;
	}

	private boolean isDropped(int position) {
		return position < this.text.length() && "\t\r\n".indexOf(this.text.charAt(position)) >= 0;
	}

	private boolean isEnd(int position) {
		if (position >= this.text.length()) {
			return true;
		}
		char character = this.text.charAt(position);
		boolean isEscaped = character == '\\' && this.text.startsWith("@", position + 1);
		return character <= ' ' || "/?#\"'<>`|,;(){}".indexOf(character) >= 0 || (character == '\\' && !isEscaped);
	}

	/**
	 * The kinds of a host as it stands in an address, with its port.
	 */
	private static int host(String written) {
		String host = (written.endsWith("\\")) ? written.substring(0, written.length() - 1) : written;
		for (int i = 0; i < MAX_DECODED && host.indexOf('%') >= 0; i++) {
			host = decode(host);
		}
		int found = plainHost(plain(SearchText.clean(host, new Budget())));
		if (found == 0 && !host.chars().allMatch((character) -> isPart((char) character))) {
			// Some clients cut a host where it holds what no host may. None starts to
			// read
			// behind the sign of a variable, as in //$0.
			StringBuilder part = new StringBuilder();
			boolean isRead = true;
			for (int i = 0; i <= host.length(); i++) {
				if (i < host.length() && isPart(host.charAt(i))) {
					part.append(host.charAt(i));
				}
				else {
					found |= (isRead) ? plainHost(plain(part.toString())) : 0;
					part.setLength(0);
					isRead = i == host.length() || "$*~!^+".indexOf(host.charAt(i)) < 0;
				}
			}
		}
		return found;
	}

	private static int plainHost(String host) {
		String withoutPort = withoutPort(host);
		int found = named(withoutPort) | HOST_NAMES.getOrDefault(withoutPort, 0) | ipv6(withoutPort)
				| ipv4(withoutPort, 1) | ((host.equals(withoutPort)) ? 0 : ipv6(host));
		if (found != 0 || (host.indexOf(':') < 0 && "[]_-".indexOf(last(host)) < 0)) {
			return found;
		}
		// With brackets around it, with a mark of Markdown behind it, or with two ports.
		String inner = withoutPort.replace("[", "").replace("]", "");
		int end = inner.indexOf(':');
		inner = (end >= 0 && groups(inner) == null) ? inner.substring(0, end) : inner;
		while ("_-".indexOf(last(inner)) >= 0) {
			inner = inner.substring(0, inner.length() - 1);
		}
		return named(inner) | ipv4(plain(inner), 1);
	}

	private static char last(String text) {
		return (text.isEmpty()) ? ' ' : text.charAt(text.length() - 1);
	}

	/**
	 * The kinds of a word, if it is unmistakable.
	 */
	private static int bare(String word, boolean behindProgram) {
		int found = bareHost(word, behindProgram);
		// An option and its value, as in -x127.1, and more options before them.
		for (int i = 1; found == 0 && i <= MAX_OPTIONS && i + 1 < word.length() && word.charAt(0) == '-'
				&& isOption(word.charAt(i)); i++) {
			String value = word.substring(i + 1);
			found = (mayBeHost(value)) ? bareHost(value, behindProgram) : named(plain(value));
		}
		return found;
	}

	/**
	 * Whether a word may be more than a name.
	 */
	private static boolean mayBeHost(String word) {
		return word.chars().anyMatch((character) -> Character.isDigit(character) || character == ':');
	}

	private static boolean isOption(char character) {
		return "046#:".indexOf(character) >= 0 || Character.isLetter(character);
	}

	private static int bareHost(String word, boolean behindProgram) {
		String host = plain((word.indexOf('%') >= 0) ? decode(word) : word);
		int found = 0;
		for (String part : host.split(":", -1)) {
			found |= barePart(plain(part.replace("[", "").replace("]", "")), behindProgram);
		}
		return (found != 0 || host.equals("::")) ? found : ipv6(host) | ipv6(withoutPort(host));
	}

	private static int barePart(String part, boolean behindProgram) {
		if (part.isEmpty() || Character.digit(part.charAt(0), 10) < 0) {
			return named(part);
		}
		int found = ipv4(part, 4) | named(part);
		if (found != 0) {
			// A server listens to this address; only a client means itself by it.
			return (part.equals("0.0.0.0") && !behindProgram) ? 0 : found;
		}
		boolean isLarge = isLargeNumber(part);
		// Two parts are more likely a time limit than a private address.
		return (behindProgram && (isLarge || part.indexOf('.') >= 0))
				? ipv4(part, 1) & ((isLarge) ? -1 : LOOPBACK | LINK_LOCAL) : 0;
	}

	/**
	 * Whether this is one number that only an address would be.
	 */
	private static boolean isLargeNumber(String host) {
		return host.indexOf('.') < 0 && host.length() >= "16777216".length();
	}

	private static String plain(String host) {
		String plain = host.toLowerCase(Locale.ROOT).replace('\u3002', '.');
		int end = plain.length();
		while (end > 0 && plain.charAt(end - 1) == '.') {
			end--;
		}
		return plain.substring(0, end);
	}

	private static String withoutPort(String host) {
		int bracket = host.lastIndexOf(']');
		if (bracket >= 0) {
			return host.substring(0, bracket + 1);
		}
		int colon = host.indexOf(':');
		return (colon >= 0 && colon == host.lastIndexOf(':')) ? plain(host.substring(0, colon)) : host;
	}

	private static String decode(String text) {
		ByteBuffer bytes = ByteBuffer.allocate(3 * text.length());
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			int value = (character == '%' && i + 2 < text.length()) ? hex(text, i + 1) : -1;
			if (value >= 0) {
				bytes.put((byte) value);
				i += 2;
			}
			else if (Character.isSurrogate(character)) {
				bytes.put((byte) '?');
			}
			else if (character < 0x80) {
				bytes.put((byte) character);
			}
			else {
				bytes.put(String.valueOf(character).getBytes(StandardCharsets.UTF_8));
			}
		}
		return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
	}

	private static int hex(String text, int start) {
		int high = Character.digit(text.charAt(start), 16);
		int low = Character.digit(text.charAt(start + 1), 16);
		return (high < 0 || low < 0) ? -1 : 16 * high + low;
	}

	private static int named(String host) {
		Integer known = NAMES.get(host);
		if (known != null) {
			return known;
		}
		for (Map.Entry<String, Integer> domain : DOMAINS.entrySet()) {
			if (host.endsWith(domain.getKey())) {
				return domain.getValue();
			}
		}
		for (String domain : TELLING_DOMAINS) {
			if (host.endsWith(domain)) {
				return told(host.substring(0, host.length() - domain.length()));
			}
		}
		return 0;
	}

	/**
	 * The kinds of an address in a name, such as {@code www.10-0-0-1}.
	 */
	private static int told(String name) {
		String[] labels = name.split("[.-]", -1);
		for (int i = 0; i + 4 <= labels.length; i++) {
			int found = ipv4(String.join(".", labels[i], labels[i + 1], labels[i + 2], labels[i + 3]), 4);
			if (found != 0) {
				return found;
			}
		}
		String last = labels[labels.length - 1];
		return (last.matches("[0-9a-f]{8}")) ? ipv4(Integer.parseUnsignedInt(last, 16)) | ipv4(last, 1) : ipv4(last, 1);
	}

	/**
	 * The kinds of an address as {@code inet_aton} reads it. Readers do not agree about
	 * zeros at the start and parts that are too large, so each way of reading counts.
	 * @param minParts how many parts it must have
	 */
	private static int ipv4(String host, int minParts) {
		String[] parts = host.split("\\.", 5);
		if (parts.length < minParts || parts.length > 4) {
			return 0;
		}
		long[] usual = new long[parts.length];
		long[] decimal = new long[parts.length];
		for (int i = 0; i < parts.length; i++) {
			usual[i] = number(parts[i], false);
			decimal[i] = number(parts[i], true);
			if (usual[i] < 0 && decimal[i] < 0) {
				return 0;
			}
		}
		return kinds(usual, false) | kinds(decimal, false) | ((minParts == 1) ? kinds(usual, true) : 0);
	}

	/**
	 * A number with its base, or -1.
	 */
	private static long number(String part, boolean isDecimal) {
		int base = 10;
		String digits = part;
		if (part.startsWith("0x")) {
			base = 16;
			digits = part.substring(2);
			if (digits.isEmpty()) {
				return 0;
			}
		}
		else if (part.length() > 1 && part.startsWith("0") && !isDecimal) {
			base = 8;
		}
		if (digits.isEmpty()) {
			return -1;
		}
		long value = 0;
		for (int i = 0; i < digits.length(); i++) {
			int digit = Character.digit(digits.charAt(i), base);
			if (digit < 0 || value > Integer.MAX_VALUE * 16L) {
				return -1;
			}
			value = value * base + digit;
		}
		return value;
	}

	private static int kinds(long[] parts, boolean isCut) {
		long address = 0;
		for (int i = 0; i < parts.length; i++) {
			boolean isLast = i == parts.length - 1;
			int bits = (isLast) ? 8 * (5 - parts.length) : 8;
			long part = parts[i];
			if (part < 0 || (part >= 1L << bits && !isCut)) {
				return 0;
			}
			address = (address << bits) | (part & ((1L << bits) - 1));
		}
		return ipv4((int) address);
	}

	private static int ipv4(int address) {
		int kinds = (METADATA_SERVICES.contains(address)) ? METADATA : 0;
		if (isIn(address, ip(127, 0, 0, 0), 8) || address == 0) {
			return kinds | LOOPBACK;
		}
		if (isIn(address, ip(169, 254, 0, 0), 16)) {
			return kinds | LINK_LOCAL;
		}
		boolean isPrivate = isIn(address, ip(10, 0, 0, 0), 8) || isIn(address, ip(172, 16, 0, 0), 12)
				|| isIn(address, ip(192, 168, 0, 0), 16) || isIn(address, ip(100, 64, 0, 0), 10);
		return (isPrivate) ? kinds | PRIVATE : kinds;
	}

	private static boolean isIn(int address, int network, int bits) {
		return (address ^ network) >>> (32 - bits) == 0;
	}

	private static int ip(int first, int second, int third, int fourth) {
		return (first << 24) | (second << 16) | (third << 8) | fourth;
	}

	/**
	 * The kinds of an IPv6 address, with or without brackets and the name of a device.
	 */
	private static int ipv6(String host) {
		String address = host;
		if (address.startsWith("[")) {
			int end = address.indexOf(']');
			address = address.substring(1, (end >= 0) ? end : address.length());
		}
		int zone = address.indexOf('%');
		address = (zone >= 0) ? address.substring(0, zone) : address;
		int[] groups = (address.indexOf(':') >= 0) ? groups(address) : null;
		return (groups != null) ? kinds(groups) : 0;
	}

	private static int kinds(int[] groups) {
		boolean startsWithZeros = true;
		for (int i = 0; i < 5; i++) {
			startsWithZeros &= groups[i] == 0 || (i == 4 && groups[i] == 0xFFFF && groups[5] == 0);
		}
		int last = (groups[6] << 16) | groups[7];
		if (startsWithZeros && groups[5] == 0 && groups[6] == 0 && groups[4] == 0) {
			return (groups[7] <= 1) ? LOOPBACK : 0;
		}
		if (startsWithZeros && (groups[5] == 0 || groups[5] == 0xFFFF)) {
			return ipv4(last);
		}
		if (groups[0] == 0x64 && groups[1] == 0xFF9B) {
			return ipv4(last);
		}
		if (groups[0] == 0x2002) {
			return ipv4((groups[1] << 16) | groups[2]);
		}
		if ((groups[0] & 0xFFC0) == 0xFE80) {
			return LINK_LOCAL;
		}
		boolean isMetadata = METADATA_SERVICES_6.contains(Arrays.stream(groups).boxed().toList());
		boolean isPrivate = (groups[0] & 0xFE00) == 0xFC00 || (groups[0] & 0xFFC0) == 0xFEC0;
		return ((isMetadata) ? METADATA : 0) | ((isPrivate) ? PRIVATE : 0);
	}

	/**
	 * The eight groups of an address, or {@code null} if it is none.
	 */
	private static int @Nullable [] groups(String address) {
		int gap = address.indexOf("::");
		int[] groups = new int[8];
		int[] head = parts((gap >= 0) ? address.substring(0, gap) : address);
		int[] tail = (gap >= 0) ? parts(address.substring(gap + 2)) : new int[0];
		if (head == null || tail == null || head.length + tail.length > ((gap >= 0) ? 7 : 8)
				|| (gap < 0 && head.length != 8)) {
			return null;
		}
		System.arraycopy(head, 0, groups, 0, head.length);
		System.arraycopy(tail, 0, groups, 8 - tail.length, tail.length);
		return groups;
	}

	private static int @Nullable [] parts(String text) {
		if (text.isEmpty()) {
			return new int[0];
		}
		String[] parts = text.split(":", 10);
		boolean endsWithIpv4 = parts[parts.length - 1].indexOf('.') >= 0;
		int[] groups = new int[parts.length + ((endsWithIpv4) ? 1 : 0)];
		for (int i = 0; i < parts.length; i++) {
			if (i == parts.length - 1 && endsWithIpv4) {
				String[] bytes = parts[i].split("\\.", 5);
				for (int j = 0; j < 4; j++) {
					long value = (bytes.length == 4) ? number(bytes[j], true) : -1;
					if (value < 0 || value > 255) {
						return null;
					}
					groups[i + j / 2] = (groups[i + j / 2] << 8) | (int) value;
				}
			}
			else if (!parts[i].matches("[0-9a-f]{1,4}")) {
				return null;
			}
			else {
				groups[i] = Integer.parseInt(parts[i], 16);
			}
		}
		return groups;
	}

}
