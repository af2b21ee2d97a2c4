package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.Function;

import io.agenthooks.InvalidHookConfigException.Problem;

@FunctionalInterface
interface HookConfigValidation extends Function<Object, List<Problem>> {

}
