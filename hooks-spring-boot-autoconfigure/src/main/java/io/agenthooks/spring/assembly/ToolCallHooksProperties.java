package io.agenthooks.spring.assembly;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.binding.EffectsConfig;
import io.agenthooks.spring.binding.Unguarded;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.AskTerms;

/**
 * The options of {@code hooks.tool_call}. For IDEs: Spring Boot's configuration processor
 * makes metadata of it. It is read by {@link io.agenthooks.spring.binding.HooksReader},
 * not bound to this.
 *
 * @param bypassHooks Whether calls of tools pass no hooks, so that every tool runs.
 * @param enabled Former name of the opposite of 'bypass_hooks'.
 * @param killSwitch Whether every call of a tool is denied at once.
 * @param shareKillSwitch Whether what is switched off is so on all nodes that share
 * 'hooks.limit.store', and after a restart.
 * @param toolsEnabled Former name of the opposite of 'kill_switch'.
 * @param unguarded What is done when a tool is found whose calls pass no hooks; unless
 * set it is denied as soon as a hook decides, and told before.
 * @param wrapToolCallbacks Whether tools of Spring AI that are beans get hooks of their
 * own, which also guards them in a ChatClient that the starter did not prepare.
 * @param maxArgumentsSize Size that the arguments of a call may have as JSON, one byte
 * for each character; a call with larger ones is denied.
 * @param maxResultSize Size that the model may read of a result, one byte for each
 * character; of a larger one it reads the head, a note, and the tail.
 * @param effects What becomes of calls by what their tools do.
 * @param preCall Hooks that decide about a call before the tool runs, in order.
 * @param postCall Hooks that replace results or learn how a call ended, in order.
 * @param replaces Names of hooks of another source that a list of this source may
 * replace.
 * @param postCallTimeout Time that a hook which only learns how calls ended may hold a
 * call.
 * @param eventTimeout Time that the listeners to an event of a call may hold it.
 * @param approvalTimeout Time that a call may wait for a ToolApprover before it is
 * denied.
 */
@ConfigurationProperties("hooks.tool-call")
record ToolCallHooksProperties(boolean bypassHooks, boolean enabled, boolean killSwitch, boolean shareKillSwitch,
		boolean toolsEnabled, Unguarded unguarded, boolean wrapToolCallbacks, DataSize maxArgumentsSize,
		DataSize maxResultSize, @NestedConfigurationProperty EffectsConfig effects, List<Entry> preCall,
		List<Entry> postCall, List<String> replaces, Duration postCallTimeout, Duration eventTimeout,
		Duration approvalTimeout) {

	/**
	 * A hook of one of the lists. No component is primitive: the processor would take
	 * {@code false} and {@code 0} for the defaults.
	 *
	 * @param type Type of the hook: one of the built-in types, or the type of a factory
	 * bean.
	 * @param name Name of the hook in logs, metrics and audit; type and position unless
	 * set.
	 * @param match Globs of names of tools, or of models around model calls, of which one
	 * has to match; all unless set.
	 * @param matcher Regular expression for these names; a plain name, or names separated
	 * by '|', match exactly, anything else is searched in the name.
	 * @param except Globs of names of tools or models that the hook is not for; tools of
	 * MCP servers are written server__name, unless mcp_servers is set.
	 * @param agents Globs of names of agents, of which one has to match.
	 * @param roles Globs of roles, of which one has to match.
	 * @param workspaces Globs of workspaces, of which one has to match.
	 * @param users Globs of names of users, of which one has to match; a call without a
	 * user is for the hook, too.
	 * @param authorities Globs of authorities, of which one has to match one of the
	 * user's; if none is known, the call is for the hook, too.
	 * @param mcpServers Globs of names of MCP servers whose tools are called, of which
	 * one has to match.
	 * @param order Order of the hook; lower runs first.
	 * @param timeout Time after which the hook counts as failed; it runs on a thread of
	 * its own then.
	 * @param failOpen Whether the call passes when the hook itself fails.
	 * @param mode Whether the decision counts or is only logged and counted.
	 * @param send Names of the arguments that a webhook, command, process or prompt gets;
	 * it does not get the others.
	 * @param mask Names of the arguments that a webhook, command, process or prompt gets
	 * as a mask.
	 * @param reason Reason that the model reads if the hook denies or aborts, in place of
	 * what the hook says itself.
	 * @param approvers Authorities of which a person needs one to decide about what the
	 * hook asks, beside one of those of hooks.approval.
	 * @param decisions What people may decide about what the hook asks: 'approve',
	 * 'deny', and 'edit' unless it is left out.
	 * @param maxScope Widest scope of an approval of what the hook asks; that of
	 * hooks.approval unless set.
	 * @param enabled Whether the hook is active.
	 * @param config Options of the type.
	 */
	@ConfigurationPropertiesSource
	record Entry(String type, String name, List<String> match, String matcher, List<String> except, List<String> agents,
			List<String> roles, List<String> workspaces, List<String> users, List<String> authorities,
			List<String> mcpServers, Integer order, Duration timeout, Boolean failOpen, HookOptions.Mode mode,
			List<String> send, List<String> mask, String reason, List<String> approvers,
			List<AskTerms.Answer> decisions, ApprovalScope maxScope, Boolean enabled, Config config) {
	}

	/**
	 * The options of the built-in types.
	 *
	 * @param bean Name of the hook bean that gets this place (bean).
	 * @param allowTools Globs of the only tools that may run; an empty list denies every
	 * tool (policy).
	 * @param denyTools Globs of tools that must not run, even if they are allowed as well
	 * (policy).
	 * @param denyArgumentPatterns Regular expressions by the name of an argument, at any
	 * depth, that must not be found in it (policy).
	 * @param denyAnyArgumentPatterns Regular expressions that must not be found in any
	 * argument (policy).
	 * @param askTools Globs of tools about whose calls a person is asked (policy).
	 * @param askArgumentPatterns Regular expressions, about calls with which a person is
	 * asked, by the name of an argument (policy).
	 * @param askAnyArgumentPatterns Regular expressions, about calls with which a person
	 * is asked, for every argument (policy).
	 * @param rules Rules with conditions in CEL; the strictest of those that match counts
	 * (policy).
	 * @param packs Names of packs of rules that come with the starter: secret-files,
	 * shell-destructive, internal-addresses, sql-ddl (policy).
	 * @param exceptRules Rules of these packs that do not count (policy).
	 * @param hide Whether tools that the entry denies whatever the arguments are not
	 * offered to the model either (policy).
	 * @param denyDetectors Detectors that must find nothing in the arguments (policy).
	 * @param askDetectors Detectors of what a person is asked about if they find it in
	 * the arguments (policy).
	 * @param denyPaths Globs of paths that arguments must not name (policy).
	 * @param allowPaths Globs of the only paths that arguments may name (policy).
	 * @param denyHosts Hosts that arguments must not name (policy).
	 * @param allowHosts The only hosts that arguments may name (policy).
	 * @param basePath Folder that relative paths begin at (policy).
	 * @param showPattern Whether the model reads which pattern matches (policy).
	 * @param reason Reason that the model reads unless a list or a rule has one of its
	 * own (policy).
	 * @param reasons Reasons that the model reads, for each list (policy).
	 * @param denyPatterns Regular expressions that must not be found in a message or in
	 * the response (policy around model calls).
	 * @param roles Roles of the messages that are searched; all unless set (policy around
	 * model calls).
	 * @param sendUser What is sent of the user beside the name: 'authorities', and
	 * 'claims.' with the name of a claim; nothing unless set (webhook, command, process).
	 * @param url Address that calls are posted to; http or https (webhook).
	 * @param authHeader Value of the Authorization header, sent as it is (webhook).
	 * @param timeout Time that a call may wait for an answer (webhook, command, process,
	 * prompt), or for another call to end (concurrency).
	 * @param failOpen Whether a call passes when the endpoint cannot be reached or is
	 * overloaded (webhook), when the program fails (command, process), or when the judge
	 * does (prompt).
	 * @param notifications Whether an endpoint listed under 'pre_call' also learns how
	 * calls ended (webhook).
	 * @param notifyUnaskedArguments Whether such an endpoint learns the arguments of a
	 * call, too, that ended before it was asked (webhook).
	 * @param maxResponseSize Largest answer that is read, after decompression (webhook).
	 * @param maxConcurrent Number of calls that may wait for the endpoint at the same
	 * time (webhook), of commands that may run then (command), of questions that the
	 * model may be asked (prompt), or of calls that may run (concurrency).
	 * @param signingSecret Secret that messages are signed with, as Standard Webhooks
	 * says: 'whsec_' and Base64 (webhook).
	 * @param circuitBreaker Whether and when the endpoint is not asked for a while,
	 * because it was out too often; never unless written (webhook).
	 * @param command Line for the shell, or a program and its arguments as a list
	 * (command, process).
	 * @param dir Directory that the program runs in (command, process).
	 * @param env Environment variables to set (command, process).
	 * @param inheritEnv Names of environment variables that the program inherits, beside
	 * a small set that it always does (command, process).
	 * @param outputLimit Most output of the command that is read (command).
	 * @param requireDecision Whether a command that says nothing has failed (command).
	 * @param merge Whether changed arguments are put over those of the tool call, and not
	 * in their place (command).
	 * @param observe Events that the program gets (process).
	 * @param intercept Points at which the program is asked (process).
	 * @param helloTimeout Time that the program may take to start (process).
	 * @param approvalTimeout Time that a tool call may wait for an approval (process).
	 * @param observerTimeout Time after which an event that was not written is dropped
	 * (process).
	 * @param maxLine Longest line that is read (process).
	 * @param restart What happens when the program ends (process).
	 * @param detectors Names of the detectors that search results or arguments: secret,
	 * password, card, email; an empty list leaves only the patterns (redact).
	 * @param patterns Regular expressions for whatever else must not be seen, by a name
	 * that stands in its place (redact).
	 * @param strategy What is put into the place of what was found (redact).
	 * @param content Text that the agent gets in place of the tool's result (respond).
	 * @param isError Whether the agent gets the text as the error of a call that failed
	 * (respond).
	 * @param ttl Time for which a result is an answer to equal calls (cache).
	 * @param scope Whose calls a result is an answer to (cache).
	 * @param maxEntries Number of results that are kept at most (cache).
	 * @param prompt Question to the judge, with $INPUT, $TOOL_INPUT or another
	 * placeholder where data of the call belongs (prompt).
	 * @param model Name of the ChatModel bean that judges, or of the model that the only
	 * or primary one is to ask (prompt).
	 * @param outputSchema Whether the model gets the form of its answer as a JSON schema,
	 * if it takes one (prompt).
	 * @param cache Whether and how verdicts are kept: ttl and max_entries; none unless
	 * written (prompt).
	 * @param limit How often calls pass, such as "3 per session" or "10 per 1m", or
	 * several such limits (rate_limit); how much calls may use up in all (budget).
	 * @param key Which calls are counted together: those of the same tool, session, run,
	 * user, agent, workspace or claim:name, of the same of several of them, or all
	 * (rate_limit, budget, concurrency); tool, hook, session, run, user, agent or
	 * workspace (alert).
	 * @param keyExpression Expression in CEL whose value is one more part of the key
	 * (rate_limit, budget, concurrency).
	 * @param missing What becomes of a call that lacks what calls are counted by
	 * (rate_limit, budget, concurrency, loop).
	 * @param count Which calls count (rate_limit, budget).
	 * @param then What becomes of a call that is too much (rate_limit, budget), or of
	 * which somebody else named a value (flow).
	 * @param maxKeys Number of keys that are counted at most (rate_limit, budget).
	 * @param forgetAfter Time without a call after which a limit that does not come back
	 * by itself is forgotten (rate_limit, budget), or a run is (loop).
	 * @param sum What is added up: an argument, such as "args.amount", or the tokens or
	 * the cost of model calls (budget).
	 * @param per After which time the budget is new, or what has one that does not come
	 * back (budget).
	 * @param timeZone Time zone in which a day begins (budget).
	 * @param warnAt Share of the budget from which on the model reads how much is left
	 * (budget).
	 * @param prices Prices of models (budget of model calls).
	 * @param defaultPrice Price of all other models (budget of model calls).
	 * @param unknownUsage Number of tokens that a call counts of which nobody says how
	 * many it used (budget of model calls).
	 * @param repeats Numbers of times that the same call had the same result (loop).
	 * @param pingPong Numbers of calls in a row of which two take turns, each with the
	 * same result (loop).
	 * @param failures Numbers of times in a row that the same tool failed (loop).
	 * @param calls Numbers of calls of a run (loop).
	 * @param maxRuns Number of runs that are remembered at most (loop, flow).
	 * @param outcomes How a call ended that is of interest: its status, failed_open or
	 * would_deny; however it ended unless set (alert).
	 * @param when Condition in CEL over how the call ended (alert).
	 * @param times Number of such calls after which there is an alert (alert).
	 * @param within Time within which there have to be so many of them (alert).
	 * @param silence Time after an alert in which there is no other one (alert).
	 * @param webhook Endpoint that alerts are posted to (alert).
	 * @param untrusted Tools whose results may be anyone's words (flow).
	 * @param trusted Tools whose results may name values (flow).
	 * @param sinks Tools whose calls have effects, and who may name the values of their
	 * arguments (flow).
	 * @param privateTools Tools whose results are private (flow).
	 * @param always Whether the rules hold also before untrusted data is there (flow).
	 * @param maxSize Size that a result may have, one byte for each character; of a
	 * larger one the head, a note and the tail are left (truncate).
	 * @param headShare Share of the head in what is left of a larger result, from 0 to 1
	 * (truncate).
	 * @param system System whose messages and replies the command knows; all unless set
	 * (command).
	 */
	record Config(String bean, List<String> allowTools, List<String> denyTools,
			Map<String, List<String>> denyArgumentPatterns, List<String> denyAnyArgumentPatterns, List<String> askTools,
			Map<String, List<String>> askArgumentPatterns, List<String> askAnyArgumentPatterns, List<PolicyRule> rules,
			List<String> packs, List<String> exceptRules, Boolean hide, List<String> denyDetectors,
			List<String> askDetectors, List<String> denyPaths, List<String> allowPaths, List<String> denyHosts,
			List<String> allowHosts, String basePath, Boolean showPattern, String reason, Reasons reasons,
			List<String> denyPatterns, List<LlmRole> roles, List<String> sendUser, String url, String authHeader,
			Duration timeout, Boolean failOpen, @Name("notify") Boolean notifications, Boolean notifyUnaskedArguments,
			DataSize maxResponseSize, Integer maxConcurrent, String signingSecret, CircuitBreaker circuitBreaker,
			String command, String dir, Map<String, String> env, List<String> inheritEnv, DataSize outputLimit,
			Boolean requireDecision, Boolean merge, List<String> observe, List<String> intercept, Duration helloTimeout,
			Duration approvalTimeout, Duration observerTimeout, DataSize maxLine, Restart restart,
			List<String> detectors, Map<String, String> patterns, RedactConfig.Strategy strategy, String content,
			Boolean isError, Duration ttl, Scope scope, Integer maxEntries, String prompt, String model,
			Boolean outputSchema, Cache cache, List<String> limit, List<String> key, String keyExpression,
			Missing missing, Count count, Then then, Integer maxKeys, Duration forgetAfter, Steps repeats,
			Steps pingPong, Steps failures, Steps calls, Integer maxRuns, List<Outcome> outcomes, String when,
			Integer times, Duration within, Duration silence, Webhook webhook, String sum, String per, ZoneId timeZone,
			BigDecimal warnAt, List<ModelPrice> prices, Price defaultPrice, Integer unknownUsage,
			List<String> untrusted, List<String> trusted, List<Sink> sinks, @Name("private") List<String> privateTools,
			Boolean always, DataSize maxSize, BigDecimal headShare, @Name("for") String system) {
	}

	/**
	 * The reasons of the lists of a policy.
	 *
	 * @param allowTools Reason if a tool is not allowed (policy).
	 * @param denyTools Reason if a tool is denied (policy).
	 * @param denyArgumentPatterns Reason if an argument matches a pattern for it
	 * (policy).
	 * @param denyAnyArgumentPatterns Reason if an argument matches a pattern for all of
	 * them (policy).
	 * @param askTools Question to the person about a tool (policy).
	 * @param askArgumentPatterns Question to the person about an argument (policy).
	 * @param askAnyArgumentPatterns Question to the person about any argument (policy).
	 * @param packs Reason if a rule of a pack matches (policy).
	 * @param denyDetectors Reason if a detector finds what must not be there (policy).
	 * @param askDetectors Question to the person about what a detector finds (policy).
	 * @param denyPaths Reason if an argument names a path of that list (policy).
	 * @param allowPaths Reason if an argument names a path that is not in it (policy).
	 * @param denyHosts Reason if an argument names a host of that list (policy).
	 * @param allowHosts Reason if an argument names a host that is not in it (policy).
	 */
	record Reasons(String allowTools, String denyTools, String denyArgumentPatterns, String denyAnyArgumentPatterns,
			String askTools, String askArgumentPatterns, String askAnyArgumentPatterns, String packs,
			String denyDetectors, String askDetectors, String denyPaths, String allowPaths, String denyHosts,
			String allowHosts) {
	}

	/**
	 * Tools whose calls have effects.
	 *
	 * @param tools Tools whose calls have effects (flow).
	 * @param namedBy Sources that may name the values of an argument, by its name: user,
	 * trusted, a list or a bean (flow).
	 */
	record Sink(List<String> tools, Map<String, List<String>> namedBy) {
	}

	/**
	 * The price of the tokens of a model.
	 *
	 * @param model Glob of names of models (budget of model calls).
	 * @param input Price of a million tokens of prompts (budget of model calls).
	 * @param output Price of a million tokens of answers (budget of model calls).
	 */
	record ModelPrice(String model, BigDecimal input, BigDecimal output) {
	}

	/**
	 * The price of the tokens of any other model.
	 *
	 * @param input Price of a million tokens of prompts (budget of model calls).
	 * @param output Price of a million tokens of answers (budget of model calls).
	 */
	record Price(BigDecimal input, BigDecimal output) {
	}

	/**
	 * An endpoint that alerts are posted to.
	 *
	 * @param url Address of the endpoint; https, or http on this machine (alert).
	 * @param secret Secret that messages are signed with, as Standard Webhooks says:
	 * 'whsec_' and Base64 (alert).
	 * @param headers Headers that are sent as well (alert).
	 */
	record Webhook(String url, String secret, Map<String, String> headers) {
	}

	/**
	 * The end of a call.
	 */
	enum Outcome {

		/** The tool ran and succeeded. */
		SUCCEEDED,

		/** The tool ran and failed, or threw. */
		FAILED,

		/** A hook or a person denied the call. */
		DENIED,

		/** A hook answered in place of the tool. */
		ANSWERED,

		/** A hook ended the turn or the run. */
		ABORTED,

		/** The call waits for people. */
		PENDING,

		/** Tools are switched off. */
		DISABLED,

		/** A hook failed, and the call passed nevertheless. */
		FAILED_OPEN,

		/** A hook that only observes would have denied the call. */
		WOULD_DENY

	}

	/**
	 * The circuit breaker of an endpoint.
	 *
	 * @param failureRate Percentage of outages among the last calls from which on the
	 * endpoint is not asked (webhook).
	 * @param lastCalls Number of last calls that are looked at (webhook).
	 * @param minimumCalls Number of calls before anything is decided (webhook).
	 * @param openFor Time for which the endpoint is not asked (webhook).
	 * @param trialCalls Number of calls that then try it again (webhook).
	 */
	record CircuitBreaker(Integer failureRate, Integer lastCalls, Integer minimumCalls, Duration openFor,
			Integer trialCalls) {
	}

	/**
	 * The start of a process anew when its program ends.
	 *
	 * @param attempts Number of times in a row that the program is started again
	 * (process).
	 * @param delay Time before the first start; it doubles with each (process).
	 * @param maxDelay Longest time before a start (process).
	 */
	record Restart(Integer attempts, Duration delay, Duration maxDelay) {
	}

	/**
	 * The cache of the verdicts of a judge.
	 *
	 * @param ttl Time for which a verdict holds for equal questions (prompt).
	 * @param maxEntries Number of verdicts that are kept at most (prompt).
	 */
	record Cache(Duration ttl, Integer maxEntries) {
	}

	/** The callers whose calls a result answers. */
	enum Scope {

		/** Everybody. */
		GLOBAL,

		/** The same session and user. */
		SESSION,

		/** The same user. */
		USER

	}

	/**
	 * The numbers from which on a call is warned of, denied, or ends the turn.
	 *
	 * @param warn Number from which on the model is warned; 0 for never (loop).
	 * @param deny Number from which on the call is denied; 0 for never (loop).
	 * @param abort Number from which on the turn ends; 0 for never (loop).
	 */
	record Steps(Integer warn, Integer deny, Integer abort) {
	}

	/** The consequence for a call that lacks what calls are counted by. */
	enum Missing {

		/** It is denied. */
		DENY,

		/** It passes uncounted. */
		SKIP

	}

	/**
	 * The calls that count.
	 */
	enum Count {

		/** Every call that the hook lets pass. */
		DECIDED,

		/** Calls of which the tool succeeded. */
		SUCCEEDED

	}

	/** The consequence for a call that is too much. */
	enum Then {

		/** The agent gets the reason. */
		DENY,

		/** A person may let it pass. */
		ASK,

		/** The turn ends. */
		ABORT

	}

}
