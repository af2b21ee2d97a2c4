package io.agenthooks.spring.origin;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolIdentity;

/**
 * Remembers the schemas of tools that were offered or called. Tools of a single request
 * are not beans, so no other part knows them.
 *
 * @since 0.1.0
 */
public final class OfferedSchemas {

	/** With more of them nothing is known of a name. */
	private static final int MAX_SCHEMAS = 2;

	private static final int MAX_TOOLS = 1_000;

	private static final long MAX_CHARACTERS = 8L * 1024 * 1024;

	private final ConcurrentMap<String, Set<String>> schemas = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, Told> told = new ConcurrentHashMap<>();

	private long characters;

	private long toldCharacters;

	private final Consumer<Supplier<ToolIdentity>> offered;

	public OfferedSchemas() {
		this((tool) -> {
		});
	}

	public OfferedSchemas(Consumer<Supplier<ToolIdentity>> offered) {
		this.offered = offered;
	}

	/**
	 * Tell that a model is offered a tool.
	 * @param tool says which one it is
	 */
	public void offer(Supplier<ToolIdentity> tool) {
		this.offered.accept(tool);
	}

	/**
	 * Remember a tool, unless there are too many.
	 * @param tool its name
	 * @param schema the schema of its arguments, as JSON
	 */
	public void add(String tool, String schema) {
		if (!isRemembered(tool, schema)) {
			remember(tool, schema);
		}
	}

	private boolean isRemembered(String tool, String schema) {
		Set<String> known = this.schemas.get(tool);
		return known != null && (known.isEmpty() || known.contains(schema));
	}

	private synchronized void remember(String tool, String schema) {
		if (isRemembered(tool, schema)) {
			return;
		}
		Set<String> known = this.schemas.getOrDefault(tool, Set.of());
		boolean isKnown = !known.isEmpty();
		int length = tool.length() + schema.length();
		if (known.size() >= MAX_SCHEMAS || this.characters + length > MAX_CHARACTERS) {
			// One that does not fit makes what is known of its name uncertain.
			this.schemas.computeIfPresent(tool, (name, some) -> Set.of());
		}
		else if (isKnown || this.schemas.size() < MAX_TOOLS) {
			this.characters += length;
			this.schemas.put(tool, (isKnown) ? Set.of(known.iterator().next(), schema) : Set.of(schema));
		}
	}

	/**
	 * Remember what a model is told of a tool, unless there are too many. If it was told
	 * something else before, nothing is known.
	 * @param tool its name
	 * @param description the description
	 * @param schema the schema of its arguments, as JSON
	 */
	public void tell(String tool, String description, String schema) {
		Told now = new Told(description, schema);
		if (!now.equals(this.told.get(tool))) {
			remember(tool, now);
		}
	}

	private synchronized void remember(String tool, Told now) {
		Told last = this.told.get(tool);
		int length = tool.length() + now.description().length() + now.schema().length();
		if (last != null && !last.equals(now)) {
			this.told.put(tool, Told.UNKNOWN);
		}
		else if (last == null && this.told.size() < MAX_TOOLS && this.toldCharacters + length <= MAX_CHARACTERS) {
			this.told.put(tool, now);
			this.toldCharacters += length;
		}
	}

	/**
	 * The words for models about the tools of a name.
	 * @param tool the name
	 * @return what they are told, or {@code null} if it is not known, or not the same
	 */
	public @Nullable Told toldOf(String tool) {
		Told known = this.told.get(tool);
		return (Told.UNKNOWN.equals(known)) ? null : known;
	}

	public boolean isKnown(String tool) {
		return this.schemas.containsKey(tool);
	}

	/**
	 * The schemas of the tools of a name.
	 * @param tool the name
	 * @return the schemas, as JSON; empty if none or not all are known
	 */
	public Set<String> of(String tool) {
		return this.schemas.getOrDefault(tool, Set.of());
	}

	/**
	 * The words about a tool for a model.
	 *
	 * @param description the description
	 * @param schema the schema of its arguments, as JSON
	 * @since 0.1.0
	 */
	public record Told(String description, String schema) {

		private static final Told UNKNOWN = new Told("", "");

	}

}
