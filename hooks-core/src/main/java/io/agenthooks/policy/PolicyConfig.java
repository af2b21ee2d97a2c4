package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The rules of a policy.
 *
 * @param allowTools Globs of the tools that may run; if set, all others are denied, and
 * an empty list denies every tool. Tools of MCP servers are written server__name, unless
 * mcp_servers is set.
 * @param denyTools Globs of the names of tools that must not run, even if they are
 * allowed as well; one of the names of a tool has to match.
 * @param denyArgumentPatterns Regular expressions by the name of an argument, at any
 * depth; a call is denied if one of them is found in the argument.
 * @param denyAnyArgumentPatterns Regular expressions for every argument, whatever its
 * name; a call is denied if one of them is found.
 * @param askTools Globs of the names of tools about whose calls a person is asked; one of
 * the names of a tool has to match.
 * @param askArgumentPatterns Regular expressions by the name of an argument, at any
 * depth; a person is asked if one of them is found in the argument.
 * @param askAnyArgumentPatterns Regular expressions for every argument, whatever its
 * name; a person is asked if one of them is found.
 * @param rules Rules with conditions. All of them are asked, and the strictest answer
 * counts, also against the lists.
 * @param packs Names of packs of rules that come with the starter: 'secret-files',
 * 'shell-destructive', 'internal-addresses', 'sql-ddl'; none unless set.
 * @param exceptRules Rules of these packs that do not count, as 'id' or 'pack/id'.
 * @param hide Whether tools that the entry denies to a caller whatever the arguments are
 * not offered to the caller's model either.
 * @param showPattern Whether the model reads which pattern an argument matches. Operators
 * read it in any case.
 * @param reason Why, for the model: in place of what the policy says itself, unless a
 * list or a rule has a reason of its own.
 * @param reasons Why, for each list.
 * @param denyDetectors Names of detectors, of 'secret', 'password', 'card', 'email',
 * 'phone', 'iban', 'ssn' and 'ip'; a call is denied if one of them finds something in the
 * arguments.
 * @param askDetectors Names of detectors; a person is asked if one of them finds
 * something in the arguments.
 * @param denyPaths Globs of paths that arguments must not name, such as '/etc/**',
 * '~/.ssh/**' or '.env'; also what cannot be read as a path is denied.
 * @param allowPaths Globs of the only paths that arguments may name.
 * @param denyHosts Hosts that arguments must not name, such as 'evil.example' or, for all
 * below it, '*.evil.example'; also what cannot be read as a URL is denied.
 * @param allowHosts The only hosts that arguments may name.
 * @param basePath Absolute path of the folder that relative paths begin at; the working
 * directory unless set.
 * @since 0.1.0
 */
public record PolicyConfig(@Nullable List<String> allowTools, @Nullable List<String> denyTools,
		@Nullable Map<String, List<String>> denyArgumentPatterns, @Nullable List<String> denyAnyArgumentPatterns,
		@Nullable List<String> askTools, @Nullable Map<String, List<String>> askArgumentPatterns,
		@Nullable List<String> askAnyArgumentPatterns, @Nullable List<PolicyRule> rules, @Nullable List<String> packs,
		@Nullable List<String> exceptRules, boolean hide, boolean showPattern, @Nullable String reason,
		@Nullable ListReasons reasons, @Nullable List<String> denyDetectors, @Nullable List<String> askDetectors,
		@Nullable List<String> denyPaths, @Nullable List<String> allowPaths, @Nullable List<String> denyHosts,
		@Nullable List<String> allowHosts, @Nullable String basePath) {

	/** Create a configuration; the lists are copied. */
	public PolicyConfig {
		allowTools = copyOf(allowTools);
		denyTools = copyOf(denyTools);
		denyArgumentPatterns = copyOf(denyArgumentPatterns);
		denyAnyArgumentPatterns = copyOf(denyAnyArgumentPatterns);
		askTools = copyOf(askTools);
		askArgumentPatterns = copyOf(askArgumentPatterns);
		askAnyArgumentPatterns = copyOf(askAnyArgumentPatterns);
		denyDetectors = copyOf(denyDetectors);
		askDetectors = copyOf(askDetectors);
		denyPaths = copyOf(denyPaths);
		allowPaths = copyOf(allowPaths);
		denyHosts = copyOf(denyHosts);
		allowHosts = copyOf(allowHosts);
		rules = copyOf(rules);
		packs = copyOf(packs);
		exceptRules = copyOf(exceptRules);
	}

	/**
	 * Create a configuration of lists alone, which hides nothing.
	 * @param allowTools the tools that may run
	 * @param denyTools the tools that must not run
	 * @param denyArgumentPatterns what must not be found in an argument, by its name
	 * @param denyAnyArgumentPatterns what must not be found in any argument
	 */
	public PolicyConfig(@Nullable List<String> allowTools, @Nullable List<String> denyTools,
			@Nullable Map<String, List<String>> denyArgumentPatterns, @Nullable List<String> denyAnyArgumentPatterns) {
		this(allowTools, denyTools, denyArgumentPatterns, denyAnyArgumentPatterns, null, null, null, null, null, null,
				false, false, null, null, null, null, null, null, null, null, null);
	}

	/** Copy a list as it is: mistakes in it are reported by the hook, all at once. */
	private static <T> @Nullable List<T> copyOf(@Nullable List<T> list) {
		return (list != null) ? Collections.unmodifiableList(new ArrayList<>(list)) : null;
	}

	private static @Nullable Map<String, List<String>> copyOf(@Nullable Map<String, List<String>> lists) {
		if (lists == null) {
			return null;
		}
		Map<String, List<String>> copy = new LinkedHashMap<>();
		lists.forEach((name, list) -> copy.put(name, (list != null) ? copyOf(list) : List.of()));
		return Collections.unmodifiableMap(copy);
	}

}
