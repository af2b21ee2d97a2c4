package io.agenthooks.policy;

import java.util.List;
import java.util.Objects;

/**
 * Rules that ship together, under a name and a version.
 *
 * @param name the name that a configuration uses
 * @param version the version, which grows whenever a rule changes what it denies
 * @param rules the rules
 * @since 0.1.0
 */
public record RulePack(String name, int version, List<Rule> rules) {

	/** Create a pack. */
	public RulePack {
		Objects.requireNonNull(name, "'name' must not be null");
		rules = List.copyOf(rules);
	}

	/**
	 * A rule of a pack. It denies a call if one of its patterns, or an internal address
	 * of its kind, is found in an argument.
	 *
	 * @param id the name of the rule within the pack
	 * @param reason what is wrong with such a call, for the model that made it
	 * @param why why the rule is there, for who reads the pack
	 * @param owasp the numbers of the entries of the OWASP Top 10 for Agentic
	 * Applications that the rule serves, such as {@code ASI02}
	 * @param patterns regular expressions that must not be found in any argument
	 * @param commandPatterns regular expressions that must not be found in any argument,
	 * unless that is a command which can only mention what it names
	 * @param addresses kinds of internal addresses that must not be found in any argument
	 * @param hostArguments names of arguments of which the whole value is an address, in
	 * which a number is one as well
	 * @since 0.1.0
	 */
	public record Rule(String id, String reason, String why, List<String> owasp, List<String> patterns,
			List<String> commandPatterns, List<InternalAddress> addresses, List<String> hostArguments) {

		/** Create a rule. */
		public Rule {
			Objects.requireNonNull(id, "'id' must not be null");
			Objects.requireNonNull(reason, "'reason' must not be null");
			Objects.requireNonNull(why, "'why' must not be null");
			owasp = List.copyOf(owasp);
			patterns = List.copyOf(patterns);
			commandPatterns = List.copyOf(commandPatterns);
			addresses = List.copyOf(addresses);
			hostArguments = List.copyOf(hostArguments);
		}

	}

}
