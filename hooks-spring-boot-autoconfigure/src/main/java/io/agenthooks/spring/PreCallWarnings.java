package io.agenthooks.spring;

import java.util.List;

/**
 * A hook that has something to warn of if it is listed under {@code pre_call}, where it
 * decides about calls. The starter logs each warning once, when the application starts.
 *
 * @since 0.1.0
 */
public interface PreCallWarnings {

	/**
	 * Return the warnings for the operator.
	 * @param options what the entry says beside the configuration of the hook
	 * @return sentences without secrets; empty if there is nothing to warn of
	 */
	List<String> preCallWarnings(HookOptions options);

}
