@NullMarked
package io.agenthooks.spring.alert;

import org.jspecify.annotations.NullMarked;
