package io.agenthooks.spring.scope;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;

import io.agenthooks.SafeText;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * The findings about hooks that name what nothing is called, once all beans are there. A
 * mistake stops the start; what may be one is a warning, and a mistake if {@code
 * hooks.strict} is true.
 *
 * @since 0.1.0
 */
public final class Findings {

	private final boolean strict;

	private final Logger logger;

	private final Set<Mistake> mistakes = new LinkedHashSet<>();

	private final Set<Mistake> suspicions = new LinkedHashSet<>();

	public Findings(boolean strict, Logger logger) {
		this.strict = strict;
		this.logger = logger;
	}

	public void add(Mistake mistake) {
		this.mistakes.add(mistake);
	}

	public void suspect(Mistake suspicion) {
		((this.strict) ? this.mistakes : this.suspicions).add(suspicion);
	}

	/**
	 * Add what is a mistake unless something comes later, which makes it a suspicion.
	 * @param mistake the mistake
	 * @param all whether nothing can come later
	 */
	public void add(Mistake mistake, boolean all) {
		if (all) {
			add(mistake);
		}
		else {
			suspect(mistake);
		}
	}

	/**
	 * Add what may be a mistake, and is only unknown if something may come later.
	 * @param suspicion what is found
	 * @param all whether nothing can come later
	 */
	public void suspect(Mistake suspicion, boolean all) {
		if (all) {
			suspect(suspicion);
		}
		else {
			note(suspicion);
		}
	}

	/**
	 * Add what is only unknown: a mistake if the configuration is strict, else nothing.
	 * @param unknown what is found
	 */
	public void note(Mistake unknown) {
		if (this.strict) {
			this.mistakes.add(unknown);
		}
	}

	/**
	 * Stop the start if there is a mistake, else log the rest.
	 * @throws RuntimeException with all mistakes
	 */
	public void check() {
		List<Mistake> all = new ArrayList<>(this.mistakes);
		this.mistakes.clear();
		List<Mistake> rest = new ArrayList<>(this.suspicions);
		this.suspicions.clear();
		ConfiguredHooks.refuse(all);
		rest.forEach((each) -> this.logger.warn("{} ({}): {} {}", SafeText.reason(each.quoted()), each.place(),
				each.message(), SafeText.reason(each.action())));
	}

}
