@NullMarked
package io.agenthooks.spring;

import org.jspecify.annotations.NullMarked;
