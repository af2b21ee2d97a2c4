package io.agenthooks.spring.scope;

import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The form of an authority. Spring Security grants roles and scopes with a prefix; a bare
 * word is what people write who mean the role. Words with a sign in between, such as
 * {@code mail:send}, are an application's own.
 */
final class AuthorityForm {

	private static final Pattern FUNCTION = Pattern
		.compile("\\s*(has(?:Any)?(?:Role|Authority)s?)\\s*\\(\\s*['\"]?([^'\",)]*)['\"]?.*");

	private static final Pattern PREFIXED = Pattern.compile("(?i)(ROLE|SCOPE|FACTOR)[_:. -]*(.*)");

	private static final Pattern PREFIX_IN_ANOTHER_CASE = Pattern.compile("(?i)(ROLE|SCOPE|FACTOR)_.*");

	private static final Pattern BARE = Pattern.compile("[\\p{L}\\p{N}]+");

	private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_-]+");

	private AuthorityForm() {
	}

	/** The form in which it is granted, or {@code null} if it may be as it is. */
	static @Nullable String instead(String authority, Collection<String> prefixes, Collection<String> known) {
		if (prefixes.isEmpty() || prefixes.contains("")) {
			return null;
		}
		if (KnownNames.isGlob(authority)) {
			String begin = beginOf(authority);
			String instead = (KnownNames.isGlob(begin) || prefixes.stream().anyMatch((each) -> each.startsWith(begin)))
					? null : instead(begin, prefixes, known);
			return (instead != null) ? instead + "*" : null;
		}
		Matcher function = FUNCTION.matcher(authority);
		if (function.matches()) {
			String argument = function.group(2);
			return (function.group(1).contains("Role") && !argument.startsWith("ROLE_")) ? meant(argument, known)
					: argument;
		}
		String prefix = prefixes.stream().filter(authority::startsWith).findFirst().orElse(null);
		if (prefix != null) {
			String rest = authority.substring(prefix.length());
			return (rest.startsWith(prefix)) ? rest : null;
		}
		Matcher prefixed = PREFIXED.matcher(authority);
		if (prefixed.matches() && isSeparated(authority, prefixed.group(1))) {
			return prefixed.group(1).toUpperCase(Locale.ROOT) + "_" + prefixed.group(2);
		}
		return (WORD.matcher(authority).matches()) ? meant(authority, known) : null;
	}

	private static String beginOf(String authority) {
		return (authority.endsWith("*")) ? authority.substring(0, authority.length() - 1) : authority;
	}

	/**
	 * Whether it is certain that another authority is meant. Code of the application may
	 * grant those with signs in between, such as {@code GROUP_staff}: they are in doubt
	 * unless somebody has the other one.
	 */
	static boolean isCertain(String written, String instead, Collection<String> known) {
		String authority = beginOf(written);
		return BARE.matcher(authority).matches() || PREFIX_IN_ANOTHER_CASE.matcher(authority).matches()
				|| FUNCTION.matcher(authority).matches() || known.stream().anyMatch(instead::equalsIgnoreCase);
	}

	/** Whether a sign follows the prefix: ROLES is a word of its own. */
	private static boolean isSeparated(String authority, String prefix) {
		return authority.length() > prefix.length() + 1
				&& !Character.isLetterOrDigit(authority.charAt(prefix.length()));
	}

	private static String meant(String word, Collection<String> known) {
		return known.stream()
			.filter((authority) -> authority.equalsIgnoreCase("ROLE_" + word)
					|| authority.equalsIgnoreCase("SCOPE_" + word))
			.findFirst()
			.orElse("ROLE_" + word);
	}

	static boolean looksLikeRole(String role) {
		return role.startsWith("ROLE_") || FUNCTION.matcher(role).matches()
				|| (role.length() > 1 && role.matches("[A-Z][A-Z0-9_]*"));
	}

	static String ofRole(String role, Collection<String> known) {
		Matcher function = FUNCTION.matcher(role);
		String name = (function.matches()) ? function.group(2) : role;
		return (name.startsWith("ROLE_")) ? name : meant(name, known);
	}

}
