package io.agenthooks.spring.approval;

import java.util.LinkedHashMap;
import java.util.Map;

import io.agenthooks.spring.suspend.ApprovalRequest;

final class LastRevisions {

	private static final int MAX_QUESTIONS = 10_000;

	private final Map<String, Integer> revisions = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
			return size() > MAX_QUESTIONS;
		}

	};

	synchronized boolean note(ApprovalRequest request) {
		Integer before = this.revisions.get(request.id());
		if (before != null && before >= request.revision()) {
			return false;
		}
		this.revisions.put(request.id(), request.revision());
		return true;
	}

	synchronized boolean knows(String id) {
		return this.revisions.containsKey(id);
	}

}
