package io.agenthooks.spring.security;

import java.util.function.Supplier;

import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * One that abstains has no objection. It is a policy: what a user may do depends on the
 * user and the call alone, so it is asked again about the final arguments.
 */
final class AuthorizationToolHook implements PreToolHook {

	private final String name;

	private final AuthorizationManager<ToolCall> manager;

	AuthorizationToolHook(String name, AuthorizationManager<ToolCall> manager) {
		this.name = name;
		this.manager = manager;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isRepeatable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return false;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		Supplier<Authentication> user = () -> CallerAuthentication.of(call.context());
		AuthorizationResult result = this.manager.authorize(user, call);
		return (result == null || result.isGranted()) ? ToolDecision.approve()
				: ToolDecision.deny("'%s' does not authorize this call".formatted(this.name));
	}

}
