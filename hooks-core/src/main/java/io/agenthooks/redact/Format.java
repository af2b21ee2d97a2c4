package io.agenthooks.redact;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.PatternFinder.Target;
import io.agenthooks.pattern.PatternReader;

/**
 * The look of something that a detector is after. The minimum of characters is counted
 * here, for a pattern that counts makes searching slow.
 */
record Format(Detector detector, Target target, int minLength, Harmless exceptions) {

	private static final PatternReader READER = new PatternReader();

	/** Names of passwords and keys, as far as they have to end. */
	private static final String KEY = "(?:[a-z]Pass|(?i:passw(?:or)?d|passphrase|passcode|[_-]pass|pwd|secret|token"
			+ "|secret[_-]?string"
			+ "|(?:api|access|account|auth|client|encryption|master|private|secret|service|shared|signing)[_.-]?key"
			+ "|secret[_-]?key[_-]?base))(?:_?[0-9]+)?";

	private static final String IS = "[ \\t]*(?:=>|:=|[:=])[ \\t]*";

	/** A list of passwords, and what may be in it before the next text. */
	private static final String LIST = KEY + "s?(?:\\\\*[\"'])?\\s*[:=]\\s*\\[\\s*"
			+ "(?:(?:\\\\*\"[^\"\\\\\\r\\n]*\\\\*\"|'[^'\\r\\n]*'|[\\w.+-]+)\\s*,\\s*)*";

	/** A type between a name and the value it has at first. */
	private static final String TYPED = "s?\\??[ \\t]*:[ \\t]*[A-Za-z][\\w.<>|?\\[\\] \\t]*=[ \\t]*\\[?"
			+ "(?:[A-Za-z]+\\((?:default=)?)?";

	/** Where the environment is read, and what comes if it has no such value. */
	private static final String OR = "[\\w.]*(?i:env)[\\w.]*(?:\\[[\"']?\\w+[\"']?\\])?[ \\t]*"
			+ "(?:\\|\\||\\?\\?|\\?:|or)[ \\t]*";

	private static final String OTHERWISE = "[\\w.]*(?i:env)[\\w.]*\\([\"']\\w+[\"'],[ \\t]*";

	/** Several, or one of them, in the name of a property: passwords[0]. */
	private static final String PART = "[sS]?(?:\\[[0-9]+\\])?";

	private static final String LINE = "(?:\\A|[\\r\\n]|\\\\n)[ \\t]*";

	/** Any character that does not end a word, but for the escape of a line break. */
	private static final String IN_WORD = "(?:[^\\s\"'\\\\,;&<>]|\\\\[^nrtu\"'\\s])";

	/** Where a word starts: also behind an escape, whose letters seem part of it. */
	private static final String LEFT_EDGE = "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})";

	private static final String BREAK = "(?:(?:[\\r\\n]|\\\\[nr])+[ \\t]*)";

	/** Names as sentences have them. */
	private static final String NAMED = "(?:" + KEY
			+ "|(?i:(?:api|access|secret|private|encryption) key|\\bpin|\\botp))";

	/** The words of a sentence between a name and its value in quotes. */
	private static final String SAYS = ":?(?:[ \\t]+[A-Za-z]+)*[ \\t]+(?:(?:is|was|to|be)(?:[ \\t]+now)?:?[ \\t]+)?";

	/**
	 * The beginning of a value that a sentence says without quotes, up to what no word of
	 * prose has: without that each word behind a name would be traced back.
	 */
	private static final String SPOKEN = "[^\\s\"'`\u201c(<\\[{\\\\0-9!#$%^&*+=~@]*(?:[0-9!#$%^&*+=~@]|[a-z][A-Z])";

	/** The name of a pair in XML: name="password". */
	private static final String PAIR = "[^<>]*\\s(?:(?:name|key)\\s*=\\s*[\"'][\\w.:-]*" + KEY
			+ "|type\\s*=\\s*[\"'](?i:password))[\"'](?:\\s[^<>]*)?";

	private static final String ELEMENT = "[\\w:.-]*" + KEY + "(?:\\s[^<>]*)?|" + PAIR;

	private static final String KEY_TYPE = " [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?";

	private static final String AUTHORIZATION = "(?i:authorization)[\\s\"'\\\\]*[:=][\\s\\[(\"'\\\\]*";

	/** The user of curl, before the password. */
	private static final String CURL = "curl[ \\t](?:[^\\r\\n]*[ \\t])?(?:-[A-Za-z]*u|--user|--proxy-user)[ \\t=]*";

	private static final String LETTER = "A-Za-z\\u00AA-\\u1FFF\\u2C00-\\u2DFF\\u3040-\\uD7FF\\uF900-\\uFAFF"
			+ "\\x{10000}-\\x{1EFFF}\\x{20000}-\\x{3FFFF}";

	/** A bearer's token, and whatever else is sent as credentials. */
	private static final String LONG_TOKEN = "[A-Za-z0-9._~+/=-]+";

	static final List<Format> ALL = List.of(
			// Cloud providers
			secret(20, "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]+"),
			secret(40, "(?i:aws)[\\w .-]*(?i:secret|key)[\\w .-]*\\\\*[\"']?" + IS + "\\\\*[\"']?", "[A-Za-z0-9/+]+"),
			secret(39, "AIza[A-Za-z0-9_-]+"), secret(25, "GOCSPX-[A-Za-z0-9_-]+"), secret(25, "ya29\\.[A-Za-z0-9_-]+"),
			secret(20, "(?i:accountkey|sharedaccesskey)=", "[A-Za-z0-9+/=]+"), secret(60, "dop_v1_[0-9a-f]+"),
			secret(24, "hv[sb]\\.[A-Za-z0-9_-]+"),
			// Where code and packages are
			secret(34, "gh[opsur]_[A-Za-z0-9]+"), secret(33, "github_pat_[A-Za-z0-9_]+"),
			secret(25, "gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|oas)-[A-Za-z0-9_-]+(?:\\.[0-9a-z]{2}\\.[0-9a-z]+)?"),
			secret(40, "npm_[A-Za-z0-9]+"), secret(24, "pypi-AgE[A-Za-z0-9_-]+"),
			secret(28, "dckr_[a-z]{3}_[A-Za-z0-9_-]+"),
			// Services
			secret(15, "xox[abceoprs](?:\\.xox[a-z])?-[A-Za-z0-9-]+"), secret(16, "xapp-[0-9]-[A-Za-z0-9-]+"),
			secret(20, "hooks\\.slack\\.com/(?:services|workflows|triggers)/", "[A-Za-z0-9/_-]+"),
			secret(18, "[rs]k_(?:live|test)_[A-Za-z0-9]+"), secret(20, "whsec_[A-Za-z0-9+/=_-]+"),
			secret(36, "SG\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+"), secret(38, "shp(?:at|ca|pa|ss)_[0-9a-fA-F]+"),
			secret(40, LEFT_EDGE, "[0-9]+:AA[A-Za-z0-9_-]+"),
			// Models
			secret(23, LEFT_EDGE, "sk-[A-Za-z0-9]+"),
			secret(20, LEFT_EDGE, "sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]+"),
			secret(33, LEFT_EDGE, "hf_[A-Za-z0-9]+"),
			// Of any origin
			secret(20, "eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*)+"),
			secret(60, "AGE-SECRET-KEY-1[A-Z0-9]+"),
			secret(0, "-----BEGIN" + KEY_TYPE + "-----(?:[^-]|-{1,4}[^-])*-----END" + KEY_TYPE + "-----"),
			secret(0,
					"-----BEGIN" + KEY_TYPE + "-----(?:" + BREAK + "[A-Z][A-Za-z-]+: [^\\r\\n\\\\]+)*(?:" + BREAK
							+ "[A-Za-z0-9+/=]*|[ \\t]+[A-Za-z0-9+/=]{16,})*"),
			secret(0, "(?:[A-Za-z0-9+/=]+" + BREAK + ")+-----END" + KEY_TYPE + "-----"),
			secret(0, AUTHORIZATION + "(?i:bearer|basic|token|digest|negotiate|api-?key)[ \\t]+[\"'\\\\]*",
					"[^\\s\"'\\\\,;\\[\\]][^\\s\"'\\\\,;\\]]*"),
			secret(20, AUTHORIZATION, LONG_TOKEN), secret(20, "(?i:bearer)[ \\t]+", LONG_TOKEN),
			secret(0, CURL + "[^\\s:\"'\\\\]+:", "[^\\s\"'\\\\/][^\\s\"'\\\\]*"),
			secret(0, CURL + "[\"'\\\\]+[^\\s:\"'\\\\]+:", "[^\"'\\\\\\r\\n]+"),
			secret(0, "[A-Za-z][A-Za-z0-9+.-]*://[^\\s/?#@:\"'<>\\\\]*:", "[^\\s/\"'<>\\\\\\[]+", "@"),
			// What is named
			password(KEY + "\\\\*[\"']?" + IS, "[^\\s\"'\\\\,;&<>=`]" + IN_WORD + "*"),
			password(LINE + "(?:export[ \\t]+|set[ \\t]+)?[\\w.-]*" + KEY + PART + "[ \\t]*=[ \\t]*",
					"[^\\s\"'\\\\=>\\[](?:[^\\s\"\\\\]|\\\\[^nrtu\"\\s])*"),
			password(LINE + "(?:- )?[\\w.-]*" + KEY + "[ \\t]*::?[ \\t]+",
					"[^\\s\"'\\\\{\\[|>&*](?:[^\\r\\n\"\\\\]|\\\\[^nrtu\"])*"),
			quoted(KEY + "[\"']?\\s*(?:=>|:=|[:=])\\s*(?:\"|\"\"\")", "(?:[^\"\\\\\\r\\n]|\\\\.)+"),
			quoted(KEY + "[\"']?\\s*(?:=>|:=|[:=])\\s*(?:'|''')", "(?:[^'\\r\\n]|'')+"),
			quoted(KEY + "(?:\\\\+\"|')?\\s*(?:=>|:=|[:=])\\s*\\\\+\"", "[^\"\\\\\\r\\n]+"),
			quoted(LIST + "\"", "(?:[^\"\\\\\\r\\n]|\\\\.)+"), quoted(LIST + "'", "[^'\\r\\n]+"),
			quoted(LIST + "\\\\+\"", "[^\"\\\\\\r\\n]+"), element("[^<>]+"),
			quoted("<(?:" + ELEMENT + ")>\\s*<!\\[CDATA\\[", "(?:[^\\]]|\\][^\\]])+"),
			quoted("<" + PAIR + "\\svalue\\s*=\\s*\"", "[^\"<>]+"),
			quoted("<" + PAIR + "\\svalue\\s*=\\s*'", "[^'<>]+"),
			quoted("<[^<>]*\\s(?:\\w+-)?pass\\s*=\\s*\"", "[^\"<>]+"),
			// What SQL says
			quoted("(?i:identified)[ \\t]+(?:(?i:with)[ \\t]+[\\w'\"`]+[ \\t]+)?(?i:by|as)[ \\t]+(?:(?i:password)[ \\t]+)?'",
					"(?:[^'\\r\\n]|'')+"),
			quoted("(?i:identified)[ \\t]+(?:(?i:with)[ \\t]+[\\w'\"`]+[ \\t]+)?(?i:by)[ \\t]+\"", "[^\"\\r\\n]+"),
			password("--[A-Za-z0-9-]*" + KEY + "(?:[ \\t]+|=)", "[^\\s\"'\\\\,;&<>=`-]" + IN_WORD + "*"),
			quoted("--[A-Za-z0-9-]*" + KEY + "(?:[ \\t]+|=)\"", "(?:[^\"\\\\\\r\\n]|\\\\.)+"),
			quoted("--[A-Za-z0-9-]*" + KEY + "(?:[ \\t]+|=)'", "[^'\\r\\n]+"),
			// What code says
			quoted(KEY + TYPED + "\"", "[^\"\\\\\\r\\n]+"), quoted(KEY + TYPED + "'", "[^'\\r\\n]+"),
			quoted(KEY + IS + "(?:" + OR + "|" + OTHERWISE + ")\"", "[^\"\\\\\\r\\n]+"),
			quoted(KEY + IS + "(?:" + OR + "|" + OTHERWISE + ")'", "[^'\\r\\n]+"),
			// What a sentence says
			sentence("\"", "\""), sentence("'", "'"), sentence("`", "`"), sentence("\u201c", "\u201d"),
			new Format(Detector.PASSWORD, target(NAMED + SAYS, SPOKEN + IN_WORD + "*", null), 0,
					Sentence::isNotSpeaking),
			new Format(Detector.PASSWORD,
					target(LINE + "(?:[A-Za-z,:;.!?-]+[ \\t]+)+[\\w.-]*" + KEY + "[ \\t]*:[ \\t]+",
							"[A-Za-z](?:[^\\r\\n\"\\\\]|\\\\[^nrtu\"])*", null),
					0, Prose::isNoPassphrase),
			// Addresses
			new Format(Detector.EMAIL,
					target(null,
							"[0-9_+" + LETTER + "-][0-9._%+'" + LETTER + "-]*(?:@|%40)(?:[0-9" + LETTER + "][0-9"
									+ LETTER + "-]*\\.)+(?:[" + LETTER + "]{2,}|xn--[A-Za-z0-9-]+)",
							null),
					0, Harmless::address));

	private static Format secret(int minLength, String pattern) {
		return secret(minLength, null, pattern, null);
	}

	private static Format secret(int minLength, String before, String pattern) {
		return secret(minLength, before, pattern, null);
	}

	private static Format secret(int minLength, @Nullable String before, String pattern, @Nullable String after) {
		return new Format(Detector.SECRET, target(before, pattern, after), minLength, Harmless::placeholder);
	}

	private static Format password(String before, String pattern) {
		return new Format(Detector.PASSWORD, target(before, pattern, null), 0, Harmless::named);
	}

	private static Format quoted(String before, String pattern) {
		return new Format(Detector.PASSWORD, target(before, pattern, null), 0, Harmless::quoted);
	}

	private static Format sentence(String quote, String closing) {
		return new Format(Detector.PASSWORD, target(NAMED + SAYS + quote, "[^" + closing + "\\r\\n]+", closing), 0,
				Sentence::isNotQuoting);
	}

	private static Format element(String pattern) {
		return new Format(Detector.PASSWORD, target("<(?:" + ELEMENT + ")>", pattern, null), 0, Harmless::element);
	}

	private static Target target(@Nullable String before, String pattern, @Nullable String after) {
		return new Target((before != null) ? READER.read(before) : null, READER.read(pattern),
				(after != null) ? READER.read(after) : null);
	}

	boolean hides(String text, int start, int end) {
		return end - start >= this.minLength && !this.exceptions.test(text, start, end);
	}

	/** Whether it is known by how it looks alone. */
	boolean isOfItself() {
		return this.target.before() == null && this.target.after() == null;
	}

}
