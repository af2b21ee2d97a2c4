package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Patterns as people write them against dangerous commands and leaked secrets.
 */
final class RealPatterns {

	private static final List<String> PICKED = List.of("rm\\s+-rf", "curl.*\\|.*sh", "\\.\\./", "sudo\\s",
			"wget\\s.*-O", "mkfs\\.", "dd\\s+if=", "(?i)drop\\s+table", "AKIA[0-9A-Z]{16}", "ghp_[0-9a-zA-Z]{36}",
			"xox[baprs]-[0-9a-zA-Z-]{10,48}", "-----BEGIN (RSA|EC|DSA|OPENSSH) PRIVATE KEY-----",
			"eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}", "/etc/(passwd|shadow)",
			"(?i)ignore\\s+(all\\s+)?previous\\s+instructions", "\\bchmod\\s+777\\b", "nc\\s+-[a-z]*e", "\\$\\(.*\\)",
			"base64\\s+(-d|--decode)", "(?i)password\\s*[=:]\\s*\\S+", "^/root/", "\\bshutdown\\b", "python[23]?\\s+-c",
			"eval\\s*\\(", "> ?/dev/sd[a-z]", ":\\(\\)\\s*\\{", "git\\s+push\\s+(-f|--force)",
			"(?i)union\\s+(all\\s+)?select", "169\\.254\\.169\\.254", "%2e%2e(%2f|/)");

	private static final List<String> VENDORS = List.of("adobe", "algolia", "asana", "datadog", "discord", "dropbox",
			"github", "gitlab", "heroku", "linear", "mailgun", "npm", "okta", "sentry", "slack", "stripe", "twilio");

	private static final List<String> FAMILIES = List.of(
			"(?i)[\\w.-]{0,50}?(?:%s)(?:[ \\t\\w.-]{0,20})[\\s'\"]{0,3}(?:=|>|:{1,3}=|=>|,)['\"\\s=]{0,5}([a-z0-9]{32})(?:['\"\\s;]|\\\\[nr]|$)",
			"%s_[0-9a-f]{32,64}", "\\b%s\\s+(-\\w+\\s+)*--delete\\b", "%s.*\\|.*(ba|z|k)?sh",
			"(?i)\\b(%.3s[a-zA-Z0-9]{13})\\b", "/(etc|var|opt)/%s/[^/]+\\.(key|pem|conf)$",
			"(?i)%s[_-]?(secret|token|key)\\s*[:=]\\s*['\"]?[\\w-]{16,}",
			"https?://[^/\\s]*%s\\.(com|io|net)/[^\\s]*token=", "(?i)exfiltrate.{0,40}%s", "rm\\s+.*%s");

	private static final List<String> WORDS = List.of("rm", "-rf", "curl", "|", "sh", " ", " ", "sudo", "../", "/etc/",
			"passwd", "key", "token", "=", "'", "\"", ":", "0123456789abcdef", "0123456789abcdef", "ABCDEFGHIJKLMNOP",
			"AKIA", "ghp_", "--delete", "-x", "exfiltrate", ".com/", "https://", ".pem", "git push -f", "\n", "\u00E9",
			"union select", "password", "_", "shutdown");

	private RealPatterns() {
	}

	static List<String> of(int count) {
		List<String> patterns = new ArrayList<>(PICKED);
		for (int i = 0; patterns.size() < count; i++) {
			String vendor = VENDORS.get(i % VENDORS.size());
			int family = i / VENDORS.size();
			patterns.add(FAMILIES.get(family % FAMILIES.size())
				.formatted(vendor + ((family < FAMILIES.size()) ? "" : family)));
		}
		return patterns.subList(0, count);
	}

	/**
	 * Texts of words and pieces of the patterns.
	 */
	static List<String> nearMisses(List<String> patterns, int count) {
		Random random = new Random(7);
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			StringBuilder text = new StringBuilder();
			for (int j = 1 + random.nextInt(12); j > 0; j--) {
				switch (random.nextInt(4)) {
					case 0 -> text.append(VENDORS.get(random.nextInt(VENDORS.size())));
					case 1 -> {
						String pattern = patterns.get(random.nextInt(patterns.size())).replaceAll("\\\\.|[^\\w/ ]", "");
						text.append(pattern, 0, random.nextInt(pattern.length() + 1));
					}
					default -> text.append(WORDS.get(random.nextInt(WORDS.size())));
				}
			}
			texts.add(text.toString());
		}
		return texts;
	}

}
