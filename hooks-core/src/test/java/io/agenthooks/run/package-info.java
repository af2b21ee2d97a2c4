@NullMarked
package io.agenthooks.run;

import org.jspecify.annotations.NullMarked;
