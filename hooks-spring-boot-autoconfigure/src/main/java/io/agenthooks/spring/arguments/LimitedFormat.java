package io.agenthooks.spring.arguments;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.format.Format;

import io.agenthooks.pattern.Budget;

/** A format of the library, for texts of a length for which all of them are quick. */
final class LimitedFormat implements Format {

	private static final int MAX_LENGTH = 2_000;

	private static final int COST_OF_CHARACTER = 100;

	private final Format format;

	LimitedFormat(Format format) {
		this.format = format;
	}

	@Override
	public String getName() {
		return this.format.getName();
	}

	@Override
	public String getMessageKey() {
		return this.format.getMessageKey();
	}

	@Override
	public boolean matches(ExecutionContext context, SchemaContext schema, String value) {
		if (value.length() > MAX_LENGTH) {
			throw new TooCostlyException("An argument is too long for the format that the schema of the tool asks for");
		}
		((CheckContext) context).spend(COST_OF_CHARACTER * (1L + value.length()));
		try {
			return (getName().equals("regex")) ? isRegex(value) : this.format.matches(context, schema, value);
		}
		catch (StackOverflowError ex) {
			throw new Budget.ExhaustedException();
		}
	}

	/** The library would keep the pattern among those of the schema. */
	private static boolean isRegex(String value) {
		try {
			Pattern.compile(EcmaPattern.translate(value));
			return true;
		}
		catch (PatternSyntaxException ex) {
			return false;
		}
	}

}
