package io.agenthooks.spring.guard;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class UnguardedBeansFailureAnalyzer extends AbstractFailureAnalyzer<UnguardedBeansException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardedBeansException cause) {
		return new FailureAnalysis(
				"Hooks are active, but calls through these beans would not pass them:\n\n   "
						+ String.join("\n   ", cause.getBeans()),
				"Make each of them a bean of its own that the context creates in the usual way. A bean escapes if a "
						+ "BeanFactoryPostProcessor or a PriorityOrdered post-processor needs it, if it was registered "
						+ "as a ready-made singleton, if it is inside a ready-made collection, the key of a map, or in "
						+ "something that cannot be guarded, such as a future or a Supplier, if a post-processor puts "
						+ "something else in its place, or if it is in a parent context, or in a child context, without "
						+ "hooks. "
						+ "To guard a child context, let the ChildContextGuard bean of its parent initialize it before "
						+ "it is refreshed.",
				cause);
	}

}
