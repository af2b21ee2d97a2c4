package io.agenthooks.spring.audit;

import io.agenthooks.spring.outcome.ToolSwitch;

record SwitchEntry(ToolSwitch.Switched switched, long time) implements AuditEntry {

	@Override
	public String kind() {
		return SWITCH;
	}

	@Override
	public long weight() {
		String user = this.switched.user();
		return (long) this.switched.part().glob().length() + ((user != null) ? user.length() : 0);
	}

}
