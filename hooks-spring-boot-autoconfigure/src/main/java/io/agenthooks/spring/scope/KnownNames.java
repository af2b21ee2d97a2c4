package io.agenthooks.spring.scope;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.agenthooks.Glob;
import io.agenthooks.InvalidHookConfigException;

/**
 * The names that are known at the start, and of which kinds there may be others. Not for
 * use by several threads.
 *
 * @since 0.1.0
 */
public final class KnownNames {

	private final Map<Named, Set<String>> names = new EnumMap<>(Named.class);

	private final Map<String, List<String>> declared;

	private final Set<Named> open = EnumSet.noneOf(Named.class);

	private final Set<Named> said = EnumSet.noneOf(Named.class);

	private final Set<String> prefixes = new TreeSet<>();

	private boolean anything;

	private boolean connecting;

	private boolean loop;

	private boolean framework;

	public KnownNames(Map<String, List<String>> declared) {
		this.declared = declared;
	}

	public void add(Named kind, String name) {
		this.names.computeIfAbsent(kind, (absent) -> new TreeSet<>()).add(name);
	}

	public void mayCome(Collection<Named> kinds) {
		this.open.addAll(kinds);
	}

	/**
	 * Note that who makes a call says itself which name of a kind it has.
	 * @param kind the kind
	 */
	public void mayBeSaid(Named kind) {
		this.said.add(kind);
		this.open.add(kind);
	}

	boolean isSaid(Named kind) {
		return this.said.contains(kind);
	}

	/** Note that code of the application may give a call any name. */
	public void mayBeCustomized() {
		EnumSet.allOf(Named.class).forEach(this::mayBeSaid);
	}

	/**
	 * Note that a call can have any name, such as in a test: that one is unknown says
	 * nothing.
	 */
	public void mayBeAnything() {
		this.anything = true;
		mayBeCustomized();
	}

	boolean isAnything() {
		return this.anything;
	}

	/** Note that code of the application can connect to MCP servers. */
	public void mayConnect() {
		this.connecting = true;
	}

	boolean isConnecting() {
		return this.connecting;
	}

	/**
	 * Note that the application has a loop of its own, which says who calls and on which
	 * server a tool is.
	 */
	public void mayComeFromLoop() {
		this.loop = true;
	}

	/** Note that a framework makes calls, whose adapter of ours says who calls. */
	public void comeFromFramework() {
		this.framework = true;
	}

	/** Whether only a loop of the application's own may give a call such a name. */
	boolean isLeftToLoop(Named kind) {
		return (this.loop || !this.framework) && !isOpen(kind);
	}

	/**
	 * Note how authorities begin that logins grant.
	 * @param prefix such as {@code ROLE_}; if there is an empty one, or none at all,
	 * nothing is said about the form of authorities
	 */
	public void addAuthorityPrefix(String prefix) {
		this.prefixes.add(prefix);
	}

	Set<String> authorityPrefixes() {
		return this.prefixes;
	}

	public boolean isKnown(Named kind) {
		return !of(kind).isEmpty();
	}

	Set<String> of(Named kind) {
		return Collections.unmodifiableSet(this.names.getOrDefault(kind, Set.of()));
	}

	List<String> declared(Named kind) {
		return this.declared.getOrDefault(kind.option(), List.of());
	}

	boolean isOpen(Named kind) {
		return this.open.contains(kind);
	}

	boolean isMatched(Mention mention) {
		return isFor(mention) || isDeclared(mention.kind(), mention.name())
				|| (mention.anyCase() && declared(mention.kind()).stream().anyMatch(mention::isFor));
	}

	boolean isServer(String name) {
		return of(Named.MCP_SERVER).contains(name) || isDeclared(Named.MCP_SERVER, name);
	}

	/**
	 * Whether something that is known, or a call of which nothing is said, is matched by
	 * a name or glob.
	 * @param mention the name
	 * @return whether it is matched
	 */
	public boolean isFor(Mention mention) {
		String usual = mention.kind().usual();
		return Stream.concat(of(mention.kind()).stream(), Stream.ofNullable(usual)).anyMatch(mention::isFor);
	}

	/** Whether the configuration lists a name or glob itself, or what includes it. */
	boolean isDeclared(Named kind, String glob) {
		return declared(kind).stream()
			.anyMatch((listed) -> isFor(listed, glob) || (!isGlob(listed) && isFor(glob, listed)));
	}

	/** Whether a glob is for a name. What a condition compares need not be a glob. */
	static boolean isFor(String glob, String name) {
		return named(glob).test(name);
	}

	static Predicate<String> named(String glob) {
		try {
			Predicate<String> pattern = (isGlob(glob)) ? Glob.of(glob) : glob::equals;
			return (name) -> glob.equals(name) || pattern.test(name);
		}
		catch (InvalidHookConfigException ex) {
			return glob::equals;
		}
	}

	static boolean isGlob(String text) {
		return text.indexOf('*') >= 0 || text.indexOf('?') >= 0 || text.indexOf('[') >= 0;
	}

}
