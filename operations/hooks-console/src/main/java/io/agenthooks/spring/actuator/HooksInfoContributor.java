package io.agenthooks.spring.actuator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

import io.agenthooks.spring.ActiveHooks.Listed;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.assembly.ActiveConfiguration;
import io.agenthooks.spring.assembly.CurrentConfiguration;

record HooksInfoContributor(CurrentConfiguration current) implements InfoContributor {

	@Override
	public void contribute(Info.Builder builder) {
		ActiveConfiguration active = this.current.get();
		Map<String, Object> hooks = new LinkedHashMap<>();
		hooks.put("version", active.version());
		hooks.put("tools_enabled", active.toolsEnabled());
		new TreeMap<>(active.hooks()).forEach((kind, listed) -> hooks.put(kind, counts(listed)));
		builder.withDetail("hooks", hooks);
	}

	private static Map<String, Object> counts(List<Listed> hooks) {
		Map<String, Object> counts = new LinkedHashMap<>();
		for (Phase phase : Phase.values()) {
			counts.put(phase.name().toLowerCase(Locale.ROOT),
					hooks.stream().filter((hook) -> hook.phase() == phase).count());
		}
		return counts;
	}

}
