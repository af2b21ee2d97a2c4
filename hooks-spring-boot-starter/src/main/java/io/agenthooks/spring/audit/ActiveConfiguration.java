package io.agenthooks.spring.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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
 * What decides about calls at a time: the properties below {@code hooks}, and the active
 * hooks with their places.
 *
 * @param version a hash of all that
 * @param toolsEnabled whether tools may run
 * @param hooks the active hooks by the kind of their calls
 * @since 0.1.0
 */
public record ActiveConfiguration(String version, boolean toolsEnabled, Map<String, List<ActiveHooks.Listed>> hooks) {

	/** Without a key, a hash of these would say too much to who can guess them. */
	private static final Pattern SECRET_NAMES = Pattern
		.compile("secret|pass|pwd|pin|token|key|auth|credential|cookie|private|salt|header|url|uri|dsn|"
				+ "(?<![a-z])env(?![a-z])|command");

	private static final int VERSION_LENGTH = 32;

	static ActiveConfiguration of(AuditKey key, Map<String, String> properties, boolean toolsEnabled,
			Map<String, List<ActiveHooks.Listed>> hooks) {
		ActiveConfiguration unversioned = new ActiveConfiguration("", toolsEnabled, hooks);
		Map<String, @Nullable Object> all = unversioned.members();
		all.put("properties", properties);
		return new ActiveConfiguration(key.content().of(CanonicalJson.write(all)).substring(0, VERSION_LENGTH),
				toolsEnabled, hooks);
	}

	/**
	 * What a record says. It has no property, which may be a secret.
	 */
	Map<String, @Nullable Object> members() {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("config", this.version);
		members.put("tools_enabled", this.toolsEnabled);
		this.hooks.forEach((kind, listed) -> {
			List<Map<String, Object>> described = new ArrayList<>();
			listed.forEach((hook) -> described.add(describe(hook)));
			members.put(kind + "_hooks", described);
		});
		return members;
	}

	private static Map<String, Object> describe(ActiveHooks.Listed hook) {
		Map<String, Object> members = new LinkedHashMap<>();
		members.put("phase", hook.phase().name().toLowerCase(Locale.ROOT));
		members.put("name", hook.name());
		members.put("type", hook.type());
		members.put("origin", hook.origin());
		members.put("order", hook.options().order());
		if (hook.options().mode() == HookOptions.Mode.OBSERVE) {
			members.put("mode", "observe");
		}
		if (hook.options().failOpen() != null) {
			members.put("fail_open", hook.options().failOpen());
		}
		return members;
	}

	/**
	 * Where a hook is written, or {@code null} if there is none of the name.
	 */
	@Nullable String originOf(String kind, String hook) {
		return this.hooks.getOrDefault(kind, List.of())
			.stream()
			.filter((listed) -> listed.name().equals(hook))
			.map(ActiveHooks.Listed::origin)
			.findFirst()
			.orElse(null);
	}

	/**
	 * The properties below {@code hooks}, resolved. Without a key, those that look like
	 * secrets are left out.
	 */
	static Map<String, String> properties(ConfigurableEnvironment environment, AuditKey key) {
		Map<String, String> properties = new TreeMap<>();
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> enumerable) {
				for (String name : enumerable.getPropertyNames()) {
					String lower = name.toLowerCase(Locale.ROOT);
					if ((lower.startsWith("hooks.") || lower.startsWith("hooks_")) && !isOfAudit(lower)
							&& (key.id() != null || !SECRET_NAMES.matcher(lower).find())) {
						properties.computeIfAbsent(name, (absent) -> resolve(environment, name));
					}
				}
			}
		}
		return properties;
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
