package io.agenthooks.test;

import org.springframework.beans.factory.ObjectProvider;

import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * People who answer questions in tests: the start refuses questions that nobody could
 * answer.
 */
record TestedPeople(ObjectProvider<ToolApprovals> approvals) {

}
