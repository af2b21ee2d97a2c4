package io.agenthooks.spring.arguments;

import java.util.List;
import java.util.stream.Stream;

import com.networknt.schema.Specification;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialect;

final class Dialects {

	/** The keyword that the library does not allow to wrap. There is one in each part. */
	private static final String FORMAT = "format";

	/** The first is the one that is meant if a schema does not say. */
	static final List<Dialect> LIMITED = Stream
		.of(SpecificationVersion.DRAFT_2020_12, SpecificationVersion.DRAFT_2019_09, SpecificationVersion.DRAFT_7,
				SpecificationVersion.DRAFT_6, SpecificationVersion.DRAFT_4)
		.map(Specification::getDialect)
		.map(Dialects::limit)
		.toList();

	private Dialects() {
	}

	private static Dialect limit(Dialect dialect) {
		return Dialect.builder(dialect)
			.keywords((keywords) -> dialect.getKeywords()
				.forEach((name, keyword) -> keywords.put(name,
						(name.equals(FORMAT)) ? keyword : new LimitedKeyword(keyword))))
			.formats((formats) -> formats.replaceAll((name, format) -> new LimitedFormat(format)))
			// The library would keep and log the name of each that it does not know.
			.unknownKeywordFactory((keyword, context) -> null)
			.build();
	}

}
