package markdown

// What `poly explain` says about the rules.
const (
	docMD034 = "A URL or an address without brackets.\n\n" +
		"Only some readers make a link of it, and they disagree on where it ends. URLs in code and in the text of links are left alone.\n\n" +
		"    See https://example.com.\n\n" +
		"Write `<https://example.com>`, or a link with a text."

	docMD035 = "A thematic break that is written in another way than the others.\n\n" +
		"All ways mean the same.\n\n" +
		"    ---\n\n" +
		"    ***\n\n" +
		"Write it as the first one of the file, or as `style` asks."

	docMD036 = "A paragraph that is nothing but emphasis.\n\n" +
		"It is meant as a heading most often, but tables of contents, anchors and screen readers do not know. A paragraph that ends in one of " +
		"`punctuation` is a sentence.\n\n" +
		"    **Title**\n\n" +
		"    text\n\n" +
		"Make it a heading."

	docMD037 = "Blanks inside of the markers of emphasis.\n\n" +
		"The markers are shown as text then.\n\n" +
		"    ** text **\n\n" +
		"Put the markers next to the text. There is no fix: whether emphasis was meant is for you to say."

	docMD038 = "Blanks at the ends of code in a line.\n\n" +
		"They are shown, or not, depending on the reader. One on either side is padding that lets code start or end with a tick.\n\n" +
		"    ` text`\n\n" +
		"Remove them. There is no fix, since code with another blank is other code."

	docMD039 = "Blanks at the ends of the text of a link.\n\n" +
		"They are underlined along with the text.\n\n" +
		"    [ text ](https://example.com)\n\n" +
		"Put them outside. The fix removes them where there is room outside already."

	docMD040 = "A fenced code block without a language.\n\n" +
		"Without it the code is not highlighted, and tools that look at code in Markdown pass over it.\n\n" +
		"    ```\n    ls\n    ```\n\n" +
		"Name the language; `text` if there is none. `allowed_languages` lists those that may be used; with `language_only`, nothing may follow."

	docMD041 = "A document that does not start with a heading of the first level.\n\n" +
		"The first heading is taken for the title in many places. A title in the front matter counts, and an `<h1>`; comments before it are " +
		"left alone.\n\n" +
		"    text\n\n" +
		"Start with a title. `level` is its level; with `allow_preamble`, other things may come before it."

	docMD042 = "A link that leads nowhere.\n\n" +
		"Nothing, or the top of the page, is what a click on it gives.\n\n" +
		"    [text]()\n\n" +
		"Add a destination, or write plain text."

	docMD043 = "Headings that are not those that are required.\n\n" +
		"Documents of one kind, such as decision records, are easier to read if they have the same parts. Nothing is required unless `headings` " +
		"is set.\n\n" +
		"    # Title\n\n" +
		"    ## Other\n\n" +
		"Write the headings of `headings` in their order. There, `*` stands for any number of headings, `+` for at least one and `?` for one. " +
		"`match_case` asks for equal letters."

	docMD044 = "A proper name in other letters than its owner uses.\n\n" +
		"Names are easily written in several ways. Nothing is looked for unless `names` is set; URLs are left alone.\n\n" +
		"    javascript, if names = [\"JavaScript\"]\n\n" +
		"Write it as in `names`. Code is looked at unless `code_blocks` is false, HTML unless `html_elements` is; only text has a fix."

	docMD045 = "An image without alternative text.\n\n" +
		"It is what people hear who do not see the image, and what is shown if it does not load.\n\n" +
		"    ![](chart.png)\n\n" +
		"Say what is to be seen. An image of HTML that only decorates has `aria-hidden=\"true\"`, or an empty `alt`."

	docMD046 = "A code block of another style than the others.\n\n" +
		"Indented code has no language and is easily made, or lost, by accident.\n\n" +
		"    ```sh\n    ls\n    ```\n\n" +
		"    text\n\n" +
		"        cat\n\n" +
		"Use the style of the first block, or that of `style`."

	docMD047 = "A file without a line ending at its end.\n\n" +
		"Many tools take the last line for cut off, and show a change there when a line is added.\n\n" +
		"    # Title (end of file)\n\n" +
		"End the last line."

	docMD048 = "A fence of another marker than the others.\n\n" +
		"Ticks and tildes mean the same.\n\n" +
		"    ```sh\n    ls\n    ```\n\n" +
		"    ~~~sh\n    cat\n    ~~~\n\n" +
		"Use the marker of the first fence, or that of `style`. Code that has ticks can be put between more of them."

	docMD049 = "Emphasis with another marker than elsewhere.\n\n" +
		"`*` and `_` mean the same. Inside of a word only `*` works, and is left alone.\n\n" +
		"    *one* and _two_\n\n" +
		"Use the first marker of the file, or that of `style`."

	docMD050 = "Strong emphasis with another marker than elsewhere.\n\n" +
		"`**` and `__` mean the same. Inside of a word only `**` works, and is left alone.\n\n" +
		"    **one** and __two__\n\n" +
		"Use the first marker of the file, or that of `style`."

	docMD051 = "A link to a part of the document that is not there.\n\n" +
		"A click on it does nothing. Parts are headings under the names GitHub gives them, `id` attributes, and `name` attributes of `<a>`. " +
		"`#top` and links to lines of code are left alone.\n\n" +
		"    # Title\n\n" +
		"    [text](#titel)\n\n" +
		"Use the name of the heading in small letters with `-` for blanks. `ignore_case` allows others, `ignored_pattern` is a regular " +
		"expression for names that something else provides."

	docMD052 = "A link or image with a label that is not defined.\n\n" +
		"It is shown as it is written, with its brackets. Labels alone, as in `[text]`, are looked at with `shortcut_syntax` only, since " +
		"brackets have other uses.\n\n" +
		"    [text][label]\n\n" +
		"Define the label: `[label]: https://example.com`. Labels in `ignored_labels` are left alone."

	docMD053 = "A definition of a label that is not used, or is there already.\n\n" +
		"Of two definitions the first one counts.\n\n" +
		"    [label]: https://example.com\n\n" +
		"Delete it. `ignored_definitions` is for labels that are used as comments."

	docMD054 = "A link or image of a style that is not wanted.\n\n" +
		"Everything is allowed unless a parameter is set to false.\n\n" +
		"    <https://example.com>, if autolink = false\n\n" +
		"Write it in one of the styles that are left: `autolink`, `inline`, `full`, `collapsed`, `shortcut`; `url_inline` is for inline links " +
		"whose text is their destination."

	docMD055 = "A table row with other pipes at its ends than the first one.\n\n" +
		"Some readers need pipes at both ends.\n\n" +
		"    | a | b |\n    | - | - |\n    c | d\n\n" +
		"Write the rows alike, or as `style` asks."

	docMD056 = "A table row with another number of cells than the head.\n\n" +
		"Missing cells are shown empty, additional ones are not shown at all.\n\n" +
		"    | a | b |\n    | - | - |\n    | c | d | e |\n\n" +
		"Add or remove cells; a pipe inside of one is written `\\|`, also in code."

	docMD058 = "A table without blank lines around it.\n\n" +
		"Without one above, some readers find no table; a line right after it becomes a row.\n\n" +
		"    text\n    | a |\n    | - |\n    | b |\n\n" +
		"Put a blank line above and below."

	docMD059 = "A link whose text says nothing about where it leads.\n\n" +
		"Screen readers offer lists of links, in which ten times \"here\" is of no use.\n\n" +
		"    [here](https://example.com)\n\n" +
		"Name what the link leads to. `prohibited_texts` has the texts that are looked for."

	docMD060 = "A table whose columns are neither aligned nor set in one way.\n\n" +
		"Pipes below each other, one blank beside each pipe or none at all: each is easy to read, a mixture is not. What is reported is " +
		"measured against the style that fits best.\n\n" +
		"    | a | b |\n    | - | - |\n    | long | d|\n\n" +
		"Align the pipes, or use the same blanks everywhere. `style` asks for one of `aligned`, `compact` and `tight`; with " +
		"`aligned_delimiter`, the second row is aligned with the first in any case."
)
