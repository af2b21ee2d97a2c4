package io.agenthooks.spring.suspend;

import org.jspecify.annotations.Nullable;

/**
 * The effect of a call as its tool states it before people decide, which an approval is
 * bound to.
 *
 * @param preview what the call would do, or {@code null} if the tool was not asked
 * @param mustMatch whether an approval is void if the preview is another one when the
 * call is to run
 * @param version the version of what the call is about, or {@code null} if its tool gives
 * none
 * @since 0.1.0
 */
public record CallEffect(@Nullable CallPreview preview, boolean mustMatch, @Nullable String version) {

	/** Nothing is known of it. */
	public static final CallEffect NONE = new CallEffect(null, false, null);

}
