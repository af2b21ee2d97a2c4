package io.agenthooks.sample;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the sample.
 *
 * @param workspace The folder that the tools work in. Without it, a new temporary folder.
 * @param script Whether the scripted agent session is played at the start.
 * @param commandTimeout How long a command of the agent may run.
 * @param approvals How the sample's own approval service decides.
 * @since 0.1.0
 */
@ConfigurationProperties("sample")
public record SampleProperties(@Nullable String workspace, @DefaultValue("true") boolean script,
		@DefaultValue("10s") Duration commandTimeout, @DefaultValue Approvals approvals) {

	/**
	 * Configuration properties of the approval service.
	 *
	 * @param token What callers of the service have to present as a bearer token.
	 * @param mailDomain The domain that e-mails may be sent to.
	 * @since 0.1.0
	 */
	public record Approvals(@DefaultValue("") String token, @DefaultValue("example.com") String mailDomain) {

		/**
		 * The properties without the token.
		 */
		@Override
		public String toString() {
			return "Approvals[mailDomain=%s]".formatted(this.mailDomain);
		}

	}

}
