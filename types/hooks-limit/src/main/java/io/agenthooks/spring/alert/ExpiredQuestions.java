package io.agenthooks.spring.alert;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import org.springframework.beans.factory.ObjectProvider;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookScope;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.outcome.QuestionChange;
import io.agenthooks.toolcall.ToolScope;

/** Questions that expired unanswered, which end no call that alerts would see. */
final class ExpiredQuestions implements QuestionChange.Watch {

	private final List<AlertToolHook> alerts = new CopyOnWriteArrayList<>();

	private final ObjectProvider<ToolHooks> hooks;

	ExpiredQuestions(ObjectProvider<ToolHooks> hooks) {
		this.hooks = hooks;
	}

	void add(AlertToolHook alert) {
		this.alerts.add(alert);
	}

	@Override
	public void changed(QuestionChange change) {
		if (change.state() != QuestionChange.State.EXPIRED) {
			return;
		}
		for (AlertToolHook alert : this.alerts) {
			if (alert.isForExpired() && isFor(alert.name(), change)) {
				alert.expired(change);
			}
		}
	}

	private boolean isFor(String alert, QuestionChange change) {
		return this.hooks.stream()
			.flatMap((hooks) -> hooks.list().stream())
			.filter((listed) -> listed.phase() == ActiveHooks.Phase.POST_CALL && listed.name().equals(alert))
			.map((listed) -> listed.options().scope())
			.anyMatch((scope) -> includes(scope, change));
	}

	private static boolean includes(HookScope scope, QuestionChange change) {
		Predicate<CallContext> contexts = scope.contexts();
		return ToolScope.isFor(scope.tools(), change.call().identity())
				&& (contexts == null || contexts.test(change.call().context()));
	}

}
