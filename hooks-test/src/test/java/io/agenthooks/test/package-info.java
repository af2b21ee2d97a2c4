@NullMarked
package io.agenthooks.test;

import org.jspecify.annotations.NullMarked;
