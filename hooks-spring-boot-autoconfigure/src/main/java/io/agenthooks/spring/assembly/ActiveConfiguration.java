package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.json.CanonicalJson;

/**
 * The configuration that decides about calls at a time: the properties below
 * {@code hooks}, and the active hooks with their places.
 *
 * @param version a hash of what they say, and not of where that is written: a comment, or
 * the same file in another folder, leaves it as it is
 * @param toolsEnabled whether tools may run
 * @param hooks the active hooks by the kind of their calls
 * @since 0.1.0
 */
public record ActiveConfiguration(String version, boolean toolsEnabled, Map<String, List<ActiveHooks.Listed>> hooks) {

	/** Without a key, a hash of these would say too much to who can guess them. */
	private static final Pattern SECRET_NAMES = Pattern
		.compile("secret|pass|pwd|pin|token|key|auth(?!orit)|credential|cookie|private|salt|header|url|uri|dsn|"
				+ "(?<![a-z])env(?![a-z])|command");

	/** Names that users give to hooks, rules and arguments are no secrets. */
	private static final Pattern GIVEN_NAMES = Pattern.compile("(?:pre|post)[_-]?call(?:\\.[^.\\[]+|\\[[^\\]]*\\])"
			+ "|\\.rules(?:\\.[^.\\[]+|\\[[^\\]]*\\])|argument[_-]?patterns[.\\[].*");

	/** A file in the words of Spring, such as {@code  (file [/app/Guard.class])}. */
	private static final Pattern FILE = Pattern.compile(" \\([^(]*\\[.*\\]\\)");

	private static final String REGISTERED = "registered";

	private static final int VERSION_LENGTH = 32;

	public static ActiveConfiguration of(ConfigurationHash hash, Map<String, String> properties, boolean toolsEnabled,
			Map<String, List<ActiveHooks.Listed>> hooks) {
		Map<String, @Nullable Object> all = new ActiveConfiguration("", toolsEnabled, hooks)
			.members(ActiveConfiguration::maker);
		all.put("properties", properties);
		return new ActiveConfiguration(hash.function().apply(CanonicalJson.write(all)).substring(0, VERSION_LENGTH),
				toolsEnabled, hooks);
	}

	/**
	 * Return the members of a record, without properties, which may be secrets.
	 * @return the members of the record
	 */
	public Map<String, @Nullable Object> members() {
		return members(ActiveHooks.Listed::origin);
	}

	private Map<String, @Nullable Object> members(Function<ActiveHooks.Listed, String> origin) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("config", this.version);
		members.put("tools_enabled", this.toolsEnabled);
		this.hooks.forEach((kind, listed) -> {
			List<Map<String, Object>> described = new ArrayList<>();
			listed.forEach((hook) -> described.add(describe(hook, origin.apply(hook))));
			members.put(kind + "_hooks", described);
		});
		return members;
	}

	private static Map<String, Object> describe(ActiveHooks.Listed hook, String origin) {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("phase", hook.phase().name().toLowerCase(Locale.ROOT));
		members.put("name", hook.name());
		members.put("type", hook.type());
		members.put("origin", origin);
		members.put("order", hook.options().order());
		if (hook.options().mode() == HookOptions.Mode.OBSERVE) {
			members.put("mode", "observe");
		}
		if (hook.options().failOpen() != null) {
			members.put("fail_open", hook.options().failOpen());
		}
		return members;
	}

	/** The code of a hook; an entry has none, as the properties say all of it. */
	private static String maker(ActiveHooks.Listed hook) {
		String origin = hook.origin();
		boolean isCode = hook.type().equals(REGISTERED) || origin.startsWith("bean '") || origin.startsWith("method '");
		return (isCode) ? FILE.matcher(origin).replaceAll("") : "";
	}

	/**
	 * The place of a hook.
	 * @param kind the kind of its calls
	 * @param hook its name
	 * @return the place, or {@code null} if there is no such hook
	 */
	public @Nullable String originOf(String kind, String hook) {
		return this.hooks.getOrDefault(kind, List.of())
			.stream()
			.filter((listed) -> listed.name().equals(hook))
			.map(ActiveHooks.Listed::origin)
			.findFirst()
			.orElse(null);
	}

	/** The properties below {@code hooks}; without a key, none like a secret. */
	static Map<String, String> properties(ConfigurableEnvironment environment, boolean keyed) {
		Map<String, String> properties = new TreeMap<>();
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> enumerable) {
				for (String name : enumerable.getPropertyNames()) {
					String lower = name.toLowerCase(Locale.ROOT);
					if ((lower.startsWith("hooks.") || lower.startsWith("hooks_")) && !isOfAudit(lower)
							&& (keyed || !isSecret(lower))) {
						properties.computeIfAbsent(name, (absent) -> resolve(environment, name));
					}
				}
			}
		}
		return properties;
	}

	private static boolean isSecret(String name) {
		return SECRET_NAMES.matcher(GIVEN_NAMES.matcher(name).replaceAll("")).find();
	}

	private static boolean isOfAudit(String name) {
		return name.startsWith("hooks.audit") || name.startsWith("hooks_audit");
	}

	private static String resolve(ConfigurableEnvironment environment, String name) {
		try {
			return String.valueOf(environment.getProperty(name));
		}
		catch (IllegalArgumentException | ConversionException ex) {
			// Told where the hooks are read: the message of this one may hold a secret.
			return "unresolved";
		}
	}

}
