package io.agenthooks.spring.answer;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.Cache;
import org.springframework.util.StringUtils;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Answers a call with what the tool returned for an equal one. A result is kept only if
 * the tool succeeded and got the very call that the hook saw: a later hook or a person
 * may have changed the arguments. It is kept as the tool returned it; hooks that replace
 * results see every answer. A cache that fails has no answer, and the call goes on. This
 * is not a policy, as its answer changes with time.
 */
final class CacheToolHook implements PreToolHook, PostToolHook, PreCallWarnings {

	/** The results of calls under way beyond this number are not kept. */
	static final int MAX_UNDER_WAY = 10_000;

	private static final Logger logger = LoggerFactory.getLogger(CacheToolHook.class);

	private final String name;

	private final CacheConfig.Scope scope;

	private final Cache results;

	private volatile boolean usersKnown;

	private final Map<String, Miss> misses = Collections.synchronizedMap(new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Miss> eldest) {
			return size() > MAX_UNDER_WAY;
		}

	});

	private final WarningThrottle warnings = new WarningThrottle(logger);

	CacheToolHook(String name, CacheConfig config, ToolResultCacheProvider caches) {
		CacheSettings settings = CacheSettings.of(config);
		this.name = name;
		this.scope = settings.scope();
		Cache cache = caches.cacheFor(name, settings.ttl(), settings.maxEntries());
		if (cache == null) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of(), "The ToolResultCacheProvider has no cache for this hook.",
							"Let the ToolResultCacheProvider bean return a cache for each name.")));
		}
		this.results = cache;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public List<String> preCallWarnings(HookOptions options) {
		return (options.scope().match() != null || options.scope().matcher() != null) ? List.of()
				: List.of("The cache '" + this.name + "' answers equal calls of every tool, also of one that is to do "
						+ "something each time. Name the tools that only look something up, in 'match'.");
	}

	@Override
	public boolean mayAsk() {
		return false;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		String key = (isOfUnknownUser(call)) ? null : CallKey.of(call, this.scope);
		if (key == null) {
			return ToolDecision.approve();
		}
		CachedResult result = find(key);
		if (result != null) {
			return ToolDecision.respond(result.toResult());
		}
		this.misses.put(call.id(), new Miss(new WeakReference<>(call), key));
		return ToolDecision.approve();
	}

	/**
	 * It may be a guest's, or one whose user was lost on its way: it is unknown whose
	 * result it would get.
	 */
	private boolean isOfUnknownUser(ToolCall call) {
		if (this.scope == CacheConfig.Scope.GLOBAL) {
			return false;
		}
		if (StringUtils.hasLength(call.context().user())) {
			this.usersKnown = true;
			return false;
		}
		return this.usersKnown;
	}

	private @Nullable CachedResult find(String key) {
		try {
			Cache.ValueWrapper found = this.results.get(key);
			// What others put there, or an earlier version, is not an answer.
			return (found != null && found.get() instanceof CachedResult result) ? result : null;
		}
		catch (RuntimeException ex) {
			failed("asked", ex);
			return null;
		}
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		Miss miss = this.misses.remove(outcome.effective().id());
		ToolResult result = outcome.originalResult();
		if (miss == null || result == null || outcome.status() != ToolCallStatus.SUCCEEDED
				|| !outcome.effective().equals(miss.call().get())) {
			return;
		}
		CachedResult kept = CachedResult.of(result);
		if (kept == null) {
			logger.debug("Hook '{}': a result is not kept: it is too large, or not text and JSON values", this.name);
			return;
		}
		try {
			this.results.put(miss.key(), kept);
		}
		catch (RuntimeException ex) {
			failed("filled", ex);
		}
	}

	/** Tell that the cache failed, without what it says: that may hold results. */
	private void failed(String when, RuntimeException ex) {
		this.warnings.warn("Hook '%s': the cache failed when it was %s: %s. Calls go on without it".formatted(this.name,
				when, ex.getClass().getName()));
	}

	private record Miss(WeakReference<ToolCall> call, String key) {
	}

}
