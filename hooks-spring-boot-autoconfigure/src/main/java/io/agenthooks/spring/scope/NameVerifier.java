package io.agenthooks.spring.scope;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.SafeText;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.binding.Spelling;

/**
 * Finds names by which no call can be chosen: the hook would never be asked, and nobody
 * would notice.
 *
 * @since 0.1.0
 */
public final class NameVerifier {

	private static final int MAX_LISTED = 10;

	/** A shorter part of a name is near to most others. */
	private static final int MIN_PART = 4;

	private static final Pattern NEXT_SNAKE_WORD = Pattern.compile("(?<=.)_([a-z*])");

	private static final Pattern NEXT_CAMEL_WORD = Pattern.compile("(?<=.)[A-Z]");

	private final KnownNames known;

	/** The names that Spring Security has for who has not logged in. */
	private static final Map<Named, String> OF_GUESTS = Map.of(Named.AUTHORITY, "ROLE_ANONYMOUS", Named.USER,
			"anonymousUser");

	private final Findings findings;

	public NameVerifier(KnownNames known, Findings findings) {
		this.known = known;
		this.findings = findings;
	}

	public void verify(Mention mention) {
		if (this.known.isMatched(mention)) {
			return;
		}
		// Of a scope they are right: without a name and authorities, it is for the call.
		if (mention.name().equals(OF_GUESTS.get(mention.kind())) && !mention.option().equals(mention.kind().option())) {
			verifyGuest(mention);
			return;
		}
		switch (mention.kind()) {
			case AUTHORITY -> verifyAuthority(mention);
			case USER, AGENT -> verifySpelling(mention, false);
			case ROLE, WORKSPACE -> verifyGiven(mention);
			case CLAIM, MCP_SERVER -> verifySpelling(mention, true);
			case TOOL -> throw new IllegalArgumentException("Tools are verified with what they are for");
		}
	}

	/**
	 * Look whether any tool can have a name that no known tool has.
	 * @param mention the name
	 * @param tools the names of the tools that are known
	 * @param all whether there can be no others
	 */
	public void verifyTool(Mention mention, Collection<String> tools, boolean all) {
		if (!isForeign(mention, all)) {
			verifyLater(mention, tools, all);
		}
	}

	/**
	 * Look whether a tool that comes later can have a name, whatever its form.
	 * @param mention the name
	 * @param tools the names of the tools that are known
	 * @param all whether there can be no others
	 */
	public void verifyLater(Mention mention, Collection<String> tools, boolean all) {
		String written = mention.name();
		if (this.known.isDeclared(Named.TOOL, written)) {
			return;
		}
		Set<String> servers = this.known.of(Named.MCP_SERVER);
		String server = ForeignToolForm.serverOf(written);
		if (server != null && this.known.isServer(server)) {
			return;
		}
		if (server != null && !servers.isEmpty() && !Spelling.didYouMean(server, servers).isEmpty()) {
			verify(new Mention(Named.MCP_SERVER, server, mention.option(), mention.hook(), mention.place()));
			return;
		}
		Mistake mistake = mistake(mention,
				"It has '%s' under '%s', but no tool that is known at the start has this name."
					.formatted(SafeText.name(written), mention.option()),
				meant(near(written, tools), tools) + "If it comes later, list it under 'hooks.context.tools'.");
		if (all) {
			this.findings.suspect(mistake);
		}
		else {
			note(mistake);
		}
	}

	/**
	 * Report a name that is one of a tool in another system only.
	 * @param mention the name
	 * @param all whether all tools are known
	 * @return whether it is
	 */
	public boolean isForeign(Mention mention, boolean all) {
		String instead = (this.known.isDeclared(Named.TOOL, mention.name())) ? null
				: ForeignToolForm.instead(mention.name(), this.known.of(Named.MCP_SERVER), all);
		if (instead != null) {
			this.findings.add(mistake(mention,
					"No tool has the name '%s': it is another system's way to write a tool or an MCP server."
						.formatted(SafeText.name(mention.name())),
					instead));
		}
		return instead != null;
	}

	private void verifyGuest(Mention mention) {
		String written = SafeText.name(mention.name());
		this.findings.add(mistake(mention,
				"No call has the %s '%s': who has not logged in has no name and no authorities here."
					.formatted(mention.kind().noun(), written),
				"Write a rule with 'user.isAnonymous' in its condition. If the application itself grants '%s', list it under 'hooks.context.%s'."
					.formatted(written, mention.kind().option())));
	}

	private void verifyAuthority(Mention mention) {
		String written = mention.name();
		Set<String> granted = this.known.of(Named.AUTHORITY);
		String instead = (mention.anyCase()) ? null
				: AuthorityForm.instead(written, this.known.authorityPrefixes(), granted);
		if (instead == null) {
			verifySpelling(mention, false);
			return;
		}
		String other = (instead.startsWith("ROLE_") && !written.startsWith("ROLE_") && !granted.contains(instead)
				&& instead.endsWith(written)) ? " (a scope is 'SCOPE_%s')".formatted(SafeText.name(written)) : "";
		boolean certain = AuthorityForm.isCertain(written, instead, granted);
		Mistake mistake = mistake(mention,
				"No login %sgrants the authority '%s': Spring Security grants roles and scopes with a prefix."
					.formatted((certain) ? "" : "that is known ", SafeText.name(written)),
				"Write '%s'%s. If the application itself grants '%s', list it under 'hooks.context.authorities'."
					.formatted(SafeText.name(instead), other, SafeText.name(written)));
		this.findings.add(mistake, certain);
	}

	/** Roles and workspaces are given to calls by code of the application only. */
	private void verifyGiven(Mention mention) {
		Named kind = mention.kind();
		String written = SafeText.name(mention.name());
		boolean security = kind == Named.ROLE && AuthorityForm.looksLikeRole(mention.name());
		if (this.known.isOpen(kind) && !security) {
			verifySpelling(mention, true);
			return;
		}
		String message = "Nothing %sgives a call the %s '%s'; without a CallContextCustomizer each has '%s'%s."
			.formatted((this.known.isLeftToLoop(kind)) ? "but a loop of your own " : "", kind.noun(), written,
					kind.usual(), (kind == Named.ROLE) ? ". These are not the roles of Spring Security" : "");
		String own = "If your own code gives calls this %s, list it under 'hooks.context.%s'.".formatted(kind.noun(),
				kind.option());
		Mistake mistake = mistake(mention, message,
				(kind == Named.ROLE) ? "For users with a role of Spring Security write 'authorities: [%s]'. %s"
					.formatted(SafeText.name(AuthorityForm.ofRole(mention.name(), this.known.of(Named.AUTHORITY))), own)
						: own);
		this.findings.add(mistake, !this.known.isOpen(kind) && (security || !this.known.isLeftToLoop(kind)));
	}

	private void verifySpelling(Mention mention, boolean sourced) {
		Named kind = mention.kind();
		Set<String> names = new TreeSet<>(this.known.of(kind));
		this.known.declared(kind).stream().filter((each) -> !KnownNames.isGlob(each)).forEach(names::add);
		String near = near(mention.name(), names);
		Mistake mistake = mistake(mention, message(kind, mention.name()), action(kind, near, names));
		boolean open = this.known.isOpen(kind);
		// Another server may be connected later, unless nothing can connect to any.
		boolean later = kind == Named.MCP_SERVER
				&& (!names.isEmpty() || this.known.isConnecting() || this.known.isLeftToLoop(kind));
		// Code may name an agent, but nothing that is known does.
		boolean unnamed = kind == Named.AGENT && !this.known.isKnown(kind) && !this.known.isSaid(kind);
		if ((!near.isEmpty() && !isNumbered(mention.name(), near)) || (sourced && !open && !later)) {
			this.findings.add(mistake);
		}
		else if (unnamed || (later && !open) || (!open && !names.isEmpty()) || !near.isEmpty()) {
			this.findings.suspect(mistake);
		}
		else if (kind != Named.USER && kind != Named.AUTHORITY) {
			note(mistake);
		}
	}

	/** The name that is meant, or that this is meant to begin or end. */
	private static String near(String written, Collection<String> names) {
		String text = written.replaceAll("^\\*|\\*$", "");
		String near = Spelling.didYouMean(text, names).strip();
		if (!near.isEmpty() || text.length() < MIN_PART || text.equals(written) || KnownNames.isGlob(text)) {
			return near;
		}
		String inOtherCase = inOtherCase(written, names);
		if (inOtherCase != null) {
			return "Did you mean '%s'?".formatted(inOtherCase);
		}
		Set<String> parts = new TreeSet<>();
		for (String name : names) {
			for (int i = 0; i + text.length() <= name.length(); i++) {
				boolean begin = i == 0 || written.startsWith("*");
				boolean end = i + text.length() == name.length() || written.endsWith("*");
				if (begin && end) {
					parts.add(name.substring(i, i + text.length()));
				}
			}
		}
		return Spelling.didYouMean(text, parts)
			.strip()
			.replaceFirst("'(.*)'",
					"'%s$1%s'".formatted((written.startsWith("*")) ? "*" : "", (written.endsWith("*")) ? "*" : ""));
	}

	/** 'delete*' for 'delete_*' if there is 'deleteFile'. */
	private static @Nullable String inOtherCase(String glob, Collection<String> names) {
		String camel = NEXT_SNAKE_WORD.matcher(glob).replaceAll((word) -> word.group(1).toUpperCase(Locale.ROOT));
		String snake = NEXT_CAMEL_WORD.matcher(glob).replaceAll("_$0").toLowerCase(Locale.ROOT);
		return Stream.of(camel, snake)
			.filter((form) -> !form.equals(glob) && names.stream().anyMatch(Glob.of(form)))
			.findFirst()
			.orElse(null);
	}

	private void note(Mistake unknown) {
		if (!this.known.isAnything()) {
			this.findings.note(unknown);
		}
	}

	private static String message(Named kind, String written) {
		String name = SafeText.name(written);
		return switch (kind) {
			case CLAIM -> "Hooks do not get the claim '%s', so the condition can never be told.".formatted(name);
			case MCP_SERVER -> "There is no connection to an MCP server '%s'.".formatted(name);
			case AUTHORITY -> "No user that is known has the authority '%s'.".formatted(name);
			default -> "No %s that is known has the name '%s'.".formatted(kind.noun(), name);
		};
	}

	private static String action(Named kind, String near, Collection<String> names) {
		return meant(near, names) + ((kind == Named.CLAIM)
				? "Hooks get the claims that 'hooks.context.claims' lists: add it there, or correct it."
				: "If it comes later, list it under 'hooks.context.%s'.".formatted(kind.option()));
	}

	private static String meant(String near, Collection<String> names) {
		if (!near.isEmpty()) {
			return near + " ";
		}
		return (names.isEmpty()) ? "" : "Known are " + list(names) + ". ";
	}

	/** Whether two names differ by their numbers alone, as those of workers do. */
	static boolean isNumbered(String name, String near) {
		int start = near.indexOf('\'');
		int end = near.lastIndexOf('\'');
		String other = (start < end) ? near.substring(start + 1, end) : near;
		return !name.equals(other) && name.replaceAll("\\d+", "0").equals(other.replaceAll("\\d+", "0"));
	}

	private static Mistake mistake(Mention mention, String message, String action) {
		return new Mistake(mention.property(), mention.place(), message, SafeText.reason(action));
	}

	private static String list(Collection<String> names) {
		List<String> listed = new ArrayList<>(
				new TreeSet<>(names).stream().map(SafeText::name).limit(MAX_LISTED).toList());
		if (names.size() > MAX_LISTED) {
			listed.add("%d others".formatted(names.size() - MAX_LISTED));
		}
		return String.join(", ", listed);
	}

}
