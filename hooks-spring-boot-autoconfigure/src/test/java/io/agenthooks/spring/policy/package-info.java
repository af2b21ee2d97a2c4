@NullMarked
package io.agenthooks.spring.policy;

import org.jspecify.annotations.NullMarked;
