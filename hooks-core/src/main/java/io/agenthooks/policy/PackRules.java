package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.toolcall.ToolCall;

/** The rules of the packs of a policy, searched for in one walk through the arguments. */
final class PackRules {

	private final Map<String, RulePack.Rule> rules = new LinkedHashMap<>();

	private final ArgumentRules arguments;

	/** The rules that hold for mentions, too; {@code null} if all do. */
	private final @Nullable ArgumentRules mentions;

	PackRules(List<RulePack> packs, long cells) {
		boolean hasCommands = packs.stream()
			.flatMap((pack) -> pack.rules().stream())
			.anyMatch((rule) -> !rule.commandPatterns().isEmpty());
		this.arguments = read(packs, true, (hasCommands) ? cells / 2 : cells);
		this.mentions = (hasCommands) ? read(packs, false, cells / 2) : null;
	}

	private ArgumentRules read(List<RulePack> packs, boolean withCommands, long cells) {
		Map<String, String> byPattern = new LinkedHashMap<>();
		Map<InternalAddress, String> byAddress = new EnumMap<>(InternalAddress.class);
		Map<String, Map<InternalAddress, String>> byHost = new HashMap<>();
		for (RulePack pack : packs) {
			for (RulePack.Rule rule : pack.rules()) {
				String name = pack.name() + "/" + rule.id();
				this.rules.put(name, rule);
				rule.patterns().forEach((pattern) -> byPattern.putIfAbsent(pattern, name));
				if (withCommands) {
					rule.commandPatterns().forEach((pattern) -> byPattern.putIfAbsent(pattern, name));
				}
				for (InternalAddress address : rule.addresses()) {
					byAddress.putIfAbsent(address, name);
					rule.hostArguments()
						.forEach((argument) -> byHost
							.computeIfAbsent(argument, (key) -> new EnumMap<>(InternalAddress.class))
							.putIfAbsent(address, name));
				}
			}
		}
		Map<String, TextSearch> named = new HashMap<>();
		byHost.forEach((argument, names) -> named.put(argument, addresses(names, true)));
		return new ArgumentRules(named, any(byPattern, byAddress, cells));
	}

	private static @Nullable TextSearch any(Map<String, String> byPattern, Map<InternalAddress, String> byAddress,
			long cells) {
		List<Problem> problems = new ArrayList<>();
		PatternSet patterns = new PatternList(problems).read(List.of("packs"), List.copyOf(byPattern.keySet()), cells);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		TextSearch searchPatterns = TextSearch.of(patterns);
		TextSearch searchAddresses = addresses(byAddress, false);
		return (text, clean, budget) -> {
			String pattern = (byPattern.isEmpty()) ? null : searchPatterns.find(text, clean, budget);
			String read = (byPattern.isEmpty() || pattern != null) ? null : PackText.read(clean, budget);
			pattern = (read != null) ? searchPatterns.find(read, SearchText.clean(read, budget), budget) : pattern;
			return (pattern != null) ? byPattern.get(pattern)
					: (byAddress.isEmpty()) ? null : searchAddresses.find(text, clean, budget);
		};
	}

	private static TextSearch addresses(Map<InternalAddress, String> names, boolean areValues) {
		int wanted = names.keySet().stream().mapToInt(InternalAddress::bit).reduce(0, (one, other) -> one | other);
		return (text, clean, budget) -> {
			int found = InternalAddresses.find(clean, wanted, areValues, budget);
			for (Map.Entry<InternalAddress, String> address : names.entrySet()) {
				if ((found & address.getKey().bit()) != 0) {
					return address.getValue();
				}
			}
			return null;
		};
	}

	Map<String, String> reasons() {
		Map<String, String> reasons = new LinkedHashMap<>();
		this.rules.forEach((name, rule) -> reasons.put(name, rule.reason()));
		return reasons;
	}

	@Nullable Denial denial(ToolCall call) {
		ArgumentRules.Finding finding = find(call.arguments());
		if (finding == null) {
			return null;
		}
		RulePack.Rule rule = Objects.requireNonNull(this.rules.get(finding.pattern()));
		return new Denial("The policy denies the tool %s with this argument '%s': %s (rule %s)"
			.formatted(call.identity().describe(), SafeText.name(finding.argument()), rule.reason(), finding.pattern()),
				finding.pattern(), finding.argument());
	}

	private ArgumentRules.@Nullable Finding find(Map<String, @Nullable Object> arguments) {
		ArgumentRules.Finding finding = this.arguments.find(arguments);
		if (finding == null || this.mentions == null) {
			return finding;
		}
		Map<String, @Nullable Object> others = new LinkedHashMap<>(arguments);
		others.replaceAll((name, value) -> (value instanceof String text && Mentions.isOnly(text)) ? "" : value);
		if (others.equals(arguments)) {
			return finding;
		}
		finding = this.arguments.find(others);
		return (finding != null) ? finding : this.mentions.find(arguments);
	}

	record Denial(String reason, String rule, String argument) {

		String pack() {
			return this.rule.substring(0, this.rule.indexOf('/'));
		}

	}

}
