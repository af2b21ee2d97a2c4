@NullMarked
package io.agenthooks.spring.command;

import org.jspecify.annotations.NullMarked;
