package io.agenthooks.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pages answer one question each: they are short, begin with an example, and have
 * sentences of one thought. The reference may be long, and the index has no example.
 */
class PageStyleTests {

	private static final int LINES = 200;

	private static final int FIRST_SCREEN = 40;

	private static final int WORDS = 35;

	private static final List<Page> PAGES = Page.all();

	private static final Pattern NEXT = Pattern.compile("\\bNext:");

	private static final Pattern ITEM = Pattern.compile("^(?:\\*|-|\\d+\\.) ");

	private static final Pattern CODE = Pattern.compile("`[^`]*`");

	private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");

	private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

	@Test
	void noPageOutsideOfTheReferenceIsLong() {
		assertThat(pagesOfJobs()).hasSizeGreaterThan(40)
			.allSatisfy((page) -> assertThat(page.lines()).as(page.path()).hasSizeLessThanOrEqualTo(LINES));
	}

	@Test
	void everyPageHasAnExampleOnItsFirstScreen() {
		assertThat(pagesOfJobs()).allSatisfy((page) -> assertThat(page.blocks()).as(page.path())
			.first()
			.extracting(Block::line)
			.satisfies((line) -> assertThat(line).isLessThanOrEqualTo(FIRST_SCREEN)));
	}

	@Test
	void everyPageSaysWhatComesNext() {
		assertThat(pagesOfJobs()).allSatisfy((page) -> assertThat(page.prose()).as(page.path())
			.anyMatch((line) -> line.equals("## Next") || NEXT.matcher(line).find()));
	}

	@Test
	void noSentenceIsLong() {
		assertThat(PAGES.stream().flatMap((page) -> longSentences(page).stream())).isEmpty();
	}

	@Test
	void sentencesAreThoseOfParagraphsItemsAndCells(@TempDir Path folder) throws IOException {
		String words = "word, ".repeat(WORDS - 1);
		String code = "`a b c`";
		Path file = Files.writeString(folder.resolve("page.md"), """
				# Heading %1$s word word

				%1$slast. %1$slast.

				%1$sone
				more.

				* %1$sone
				* %1$sone
				  more in an item.

				| %1$sone | %1$sone more in a cell |
				|---|---|

				```text
				%1$s%1$s
				```

				%1$s%2$s
				""".formatted(words, code));
		assertThat(longSentences(Page.read(folder, file)))
			.allSatisfy((sentence) -> assertThat(sentence).contains("one more"))
			.hasSize(3);
	}

	private static List<Page> pagesOfJobs() {
		return PAGES.stream()
			.filter((page) -> page.path().startsWith("docs/") && !page.path().startsWith("docs/reference/"))
			.filter((page) -> !page.path().equals("docs/README.md"))
			.toList();
	}

	private static List<String> longSentences(Page page) {
		return paragraphs(page).stream()
			.map((text) -> LINK.matcher(CODE.matcher(text).replaceAll("code")).replaceAll("$1").replace("**", ""))
			.flatMap((text) -> Arrays.stream(text.split("(?<=[.!?])[)\"]*\\s+", -1)))
			.filter((sentence) -> WORD.matcher(sentence).results().count() > WORDS)
			.map((sentence) -> page + ": " + sentence)
			.toList();
	}

	/**
	 * Paragraphs, items of lists and cells of tables.
	 */
	private static List<String> paragraphs(Page page) {
		List<String> paragraphs = new ArrayList<>();
		StringBuilder paragraph = new StringBuilder();
		for (String line : page.prose()) {
			String text = line.strip();
			boolean whole = text.isEmpty() || text.startsWith("#") || text.startsWith("|");
			if (whole || ITEM.matcher(text).lookingAt()) {
				paragraphs.add(paragraph.toString());
				paragraph.setLength(0);
			}
			if (text.startsWith("|")) {
				paragraphs.addAll(List.of(text.split("(?<!\\\\)\\|", -1)));
			}
			else if (!whole) {
				paragraph.append(ITEM.matcher(text).replaceFirst("")).append(' ');
			}
		}
		paragraphs.add(paragraph.toString());
		return paragraphs;
	}

}
