package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.ToolEffect;

/**
 * The options of {@code hooks.tool_call.effects}.
 *
 * @param read What becomes of calls of tools that only read; as 'unknown' unless set.
 * @param write What becomes of calls of tools that change something, also if only their
 * MCP server says so; as 'unknown' unless set.
 * @param destructive What becomes of calls of tools that delete or overwrite something,
 * also if only their MCP server says so; as 'unknown' unless set.
 * @param external What becomes of calls of tools that reach others, also if only their
 * MCP server says so; as 'unknown' unless set.
 * @param unknown What becomes of calls of tools whose effect is written nowhere.
 * @param tools Tools that have an effect, beside those whose annotation says so.
 * @since 0.1.0
 */
public record EffectsConfig(@Nullable Consequence read, @Nullable Consequence write, @Nullable Consequence destructive,
		@Nullable Consequence external, @Nullable Consequence unknown, @Nullable EffectTools tools) {

	@Nullable Consequence of(ToolEffect effect) {
		Consequence written = switch (effect) {
			case READ -> this.read;
			case WRITE -> this.write;
			case DESTRUCTIVE -> this.destructive;
			case EXTERNAL -> this.external;
		};
		return (written != null) ? written : this.unknown;
	}

	List<String> toolsOf(ToolEffect effect) {
		if (this.tools == null) {
			return List.of();
		}
		List<String> written = switch (effect) {
			case READ -> this.tools.read;
			case WRITE -> this.tools.write;
			case DESTRUCTIVE -> this.tools.destructive;
			case EXTERNAL -> this.tools.external;
		};
		return Objects.requireNonNullElse(written, List.of());
	}

	boolean isLooserThan(EffectsConfig other) {
		if (isLooser(this.unknown, other.unknown)) {
			return true;
		}
		for (ToolEffect effect : ToolEffect.values()) {
			if (isLooser(of(effect), other.of(effect)) || !toolsOf(effect).containsAll(other.toolsOf(effect))
					|| (!other.toolsOf(effect).containsAll(toolsOf(effect)) && isLooser(of(effect), this.unknown))) {
				return true;
			}
		}
		return false;
	}

	private static boolean isLooser(@Nullable Consequence consequence, @Nullable Consequence other) {
		return other != null && (consequence == null || consequence.compareTo(other) < 0);
	}

	/**
	 * The tools that have an effect.
	 *
	 * @param read Globs of tools that only read.
	 * @param write Globs of tools that change something.
	 * @param destructive Globs of tools that delete or overwrite something.
	 * @param external Globs of tools that reach others.
	 * @since 0.1.0
	 */
	public record EffectTools(@Nullable List<String> read, @Nullable List<String> write,
			@Nullable List<String> destructive, @Nullable List<String> external) {
	}

	/**
	 * The consequence of an effect, from the mildest to the strictest.
	 *
	 * @since 0.1.0
	 */
	public enum Consequence {

		/** No objection: what else is written decides. */
		APPROVE,

		/** A person is asked. */
		ASK,

		/** The call is denied. */
		DENY

	}

}
