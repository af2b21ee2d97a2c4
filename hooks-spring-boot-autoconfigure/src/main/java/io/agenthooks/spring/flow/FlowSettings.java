package io.agenthooks.spring.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.GlobMistake;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.SafeText;
import io.agenthooks.flow.FlowRules;
import io.agenthooks.flow.FlowRules.Sink;
import io.agenthooks.flow.FlowRules.Source;
import io.agenthooks.spring.flow.FlowConfig.FlowSource;
import io.agenthooks.spring.flow.FlowConfig.FlowTools;

/** Checks a {@link FlowConfig}, all of it, and makes the rules of it. */
final class FlowSettings {

	private static final int MAX_RUNS = 1_000_000;

	private final List<Problem> problems = new ArrayList<>();

	private final Function<String, @Nullable Predicate<String>> beans;

	private FlowSettings(Function<String, @Nullable Predicate<String>> beans) {
		this.beans = beans;
	}

	/**
	 * Tools that are both are untrusted; but {@code *} means every tool that is not
	 * trusted.
	 */
	static FlowRules of(FlowConfig config, Function<String, @Nullable Predicate<String>> beans) {
		return new FlowSettings(beans).read(config);
	}

	private FlowRules read(FlowConfig config) {
		boolean always = Boolean.TRUE.equals(config.always());
		ToolSet named = tools(config.untrusted(), "untrusted");
		boolean everyOther = named.isEverything();
		ToolSet untrusted = named.withoutEverything();
		ToolSet trusted = tools(config.trusted(), "trusted");
		ToolSet secret = tools(config.privateTools(), "private");
		if (config.untrusted() == null && !always) {
			problem(List.of("untrusted"), "It is not said which tools return untrusted data.",
					"Write globs of their names, like [\"read_*\", {mcp_servers: [\"*\"]}], or 'always: true'.");
		}
		else if (config.untrusted() != null && config.untrusted().isEmpty() && !always) {
			problem(List.of("untrusted"), "The list is empty, so no tool returns untrusted data.",
					"Write globs of names of tools, like [\"read_*\"], or remove it and write 'always: true'.");
		}
		findBoth(config);
		List<Sink> sinks = sinks(config);
		int maxRuns = Objects.requireNonNullElse(config.maxRuns(), FlowRules.DEFAULT_MAX_RUNS);
		if (maxRuns < 1 || maxRuns > MAX_RUNS) {
			problem(List.of("max_runs"), "The max_runs is not from 1 to %d.".formatted(MAX_RUNS),
					"Write how many sessions and runs are remembered, like %d.".formatted(FlowRules.DEFAULT_MAX_RUNS));
		}
		if (!this.problems.isEmpty()) {
			throw new InvalidHookConfigException(this.problems);
		}
		return new FlowRules((tool) -> untrusted.match(tool) || (everyOther && !trusted.allow(tool)), trusted::allow,
				secret::match, sinks, always, config.then() == FlowConfig.Then.DENY, maxRuns);
	}

	private List<Sink> sinks(FlowConfig config) {
		List<FlowConfig.Sink> written = Objects.requireNonNullElse(config.sinks(), List.of());
		if (written.isEmpty()) {
			problem(List.of("sinks"), "It is not said which calls have effects.",
					"Write them, like [{tools: [\"send_*\"], named_by: {to: [user]}}].");
		}
		List<Sink> sinks = new ArrayList<>();
		for (int i = 0; i < written.size(); i++) {
			String place = String.valueOf(i);
			FlowConfig.Sink sink = written.get(i);
			if (sink.tools() == null || sink.tools().isEmpty()) {
				problem(List.of("sinks", place), "It is not said for which tools it is.",
						"Write globs of their names, like 'tools: [\"send_*\"]'.");
			}
			ToolSet tools = tools(sink.tools(), "sinks", place, "tools");
			Map<String, List<Source>> namedBy = new LinkedHashMap<>();
			if (sink.namedBy() != null) {
				sink.namedBy()
					.forEach((argument, sources) -> namedBy.put(argument,
							sources(sources, List.of("sinks", place, "named_by", argument), config)));
				if (namedBy.isEmpty()) {
					problem(List.of("sinks", place, "named_by"), "It has no argument.",
							"Write arguments, like {to: [user]}, or remove it: each call after untrusted data is then "
									+ "too much.");
				}
			}
			sinks.add(new Sink(tools::match, namedBy));
		}
		return sinks;
	}

	private List<Source> sources(@Nullable List<FlowSource> written, List<String> path, FlowConfig config) {
		List<Source> sources = new ArrayList<>();
		if (written == null || written.isEmpty()) {
			problem(path, "Nobody may name the argument.",
					"Write who may: user, trusted, {list: [\"...\"]} or {bean: ...}.");
			return sources;
		}
		for (int i = 0; i < written.size(); i++) {
			Source source = source(written.get(i), with(path, String.valueOf(i)), config);
			if (source != null) {
				sources.add(source);
			}
		}
		return sources;
	}

	private @Nullable Source source(FlowSource written, List<String> path, FlowConfig config) {
		long given = Arrays.asList(written.from(), written.list(), written.bean())
			.stream()
			.filter(Objects::nonNull)
			.count();
		if (given != 1) {
			return problem(path, "It is not one of user, trusted, a list and a bean.",
					"Write one of them: user, trusted, {list: [\"...\"]} or {bean: ...}.");
		}
		if (written.list() != null) {
			return list(written.list(), with(path, "list"));
		}
		if (written.bean() != null) {
			Predicate<String> bean = this.beans.apply(written.bean());
			return (bean != null) ? Source.test(bean)
					: problem(with(path, "bean"), "There is no bean of this name that is a Predicate of texts.",
							"Add one: a @Bean of the type java.util.function.Predicate<String>.");
		}
		if ("trusted".equals(written.from())) {
			return (config.trusted() != null) ? Source.trusted() : problem(path,
					"No tool is trusted, so none names it.", "Write 'trusted' with globs of tools, or remove it here.");
		}
		return ("user".equals(written.from())) ? Source.user()
				: problem(path, "It is no source.", "Write user, trusted, {list: [\"...\"]} or {bean: ...}.");
	}

	private @Nullable Source list(List<String> globs, List<String> path) {
		if (globs.isEmpty()) {
			return problem(path, "The list is empty.", "Write values or globs of them, or remove the list.");
		}
		for (int i = 0; i < globs.size(); i++) {
			String glob = globs.get(i);
			GlobMistake mistake = (glob.isBlank()) ? null : GlobMistake.find(glob, NameKind.ANY);
			if (glob.isBlank() || mistake != null) {
				return problem(with(path, String.valueOf(i)), (mistake != null) ? mistake.message() : "It is empty.",
						(mistake != null) ? mistake.action() : "Write a value, or remove it.");
			}
		}
		return Source.list(globs);
	}

	private ToolSet tools(@Nullable List<FlowTools> written, String... path) {
		if (written == null) {
			return new ToolSet(List.of(), false);
		}
		int before = this.problems.size();
		for (int i = 0; i < written.size(); i++) {
			List<String> place = with(List.of(path), String.valueOf(i));
			FlowTools tools = written.get(i);
			if (tools.tools() == null && tools.mcpServers() == null) {
				problem(place, "It names no tools.", "Write a glob, like \"read_*\", or {mcp_servers: [\"*\"]}.");
			}
			boolean alone = tools.mcpServers() == null && tools.tools() != null && tools.tools().size() == 1;
			check(tools.tools(), NameKind.TOOL, (alone) ? place : with(place, "tools"), alone);
			check(tools.mcpServers(), NameKind.MCP_SERVER, with(place, "mcp_servers"), false);
		}
		return (this.problems.size() == before) ? ToolSet.of(written) : new ToolSet(List.of(), false);
	}

	private void check(@Nullable List<String> globs, NameKind kind, List<String> path, boolean alone) {
		if (globs != null && globs.isEmpty()) {
			problem(path, "The list is empty, so it names no tools.", "Fill it, or remove it.");
		}
		for (int i = 0; globs != null && i < globs.size(); i++) {
			String glob = globs.get(i);
			List<String> place = (alone) ? path : with(path, String.valueOf(i));
			GlobMistake mistake = (glob.isBlank()) ? null : GlobMistake.find(glob, kind);
			if (glob.isBlank()) {
				problem(place, "The glob is empty.", "Write a name or a glob, or remove it.");
			}
			else if (mistake != null) {
				problem(place, mistake.message(), mistake.action());
			}
		}
	}

	/** Untrusted tools are not trusted, so the same glob for both is a mistake. */
	private void findBoth(FlowConfig config) {
		List<FlowTools> trusted = Objects.requireNonNullElse(config.trusted(), List.of());
		List<FlowTools> untrusted = Objects.requireNonNullElse(config.untrusted(), List.of());
		for (int i = 0; i < trusted.size(); i++) {
			if (untrusted.contains(trusted.get(i))) {
				problem(List.of("trusted", String.valueOf(i)),
						"The same is written for 'untrusted', which counts, so nothing is trusted by it.",
						"Remove it from one of them.");
			}
		}
	}

	private static List<String> with(List<String> path, String more) {
		List<String> longer = new ArrayList<>(path);
		longer.add(more);
		return longer;
	}

	private @Nullable Source problem(List<String> path, String message, String action) {
		this.problems.add(new Problem(path.stream().map(SafeText::name).toList(), message, action));
		return null;
	}

}
