package markdown

// What `poly explain` says about the rules.
const (
	docMD001 = "A heading that is more than one level below the one before it.\n\n" +
		"Readers with a screen reader, and tables of contents, go by the levels; a step that is left out looks like a missing part.\n\n" +
		"    # Title\n\n" +
		"    ### Detail\n\n" +
		"Use the next level, or add the heading that is missing. A title in the front matter counts as level 1; which keys are a title is told " +
		"by `front_matter_title`."

	docMD003 = "A heading that is written in another way than the others.\n\n" +
		"Headings with `#` in front, with `#` on both sides and with a line below them mean the same; one way a document is easier to read and " +
		"to search.\n\n" +
		"    # Title\n\n" +
		"    Chapter\n    -------\n\n" +
		"Write it as the first heading of the file is written, or as `style` asks."

	docMD004 = "A bullet that differs from the others.\n\n" +
		"The marker says nothing, so a change of it only looks as if it did. Beware: two lists in a row that differ in their marker alone " +
		"become one if the markers become equal; there is no fix for those.\n\n" +
		"    - one\n    + two\n\n" +
		"Use the marker of the first list, or the one of `style`; with `sublist` each level has its own."

	docMD005 = "Items of one list that are indented differently.\n\n" +
		"Nesting is told by indentation. An item a column off still belongs to the list, but the next editor may not think so.\n\n" +
		"    - one\n     - two\n\n" +
		"Align the items: at the left, or, of numbered ones, at the end of the number."

	docMD007 = "An item of a bulleted list that is not indented by a multiple of the step.\n\n" +
		"Other readers of Markdown and many editors need the same step at each level. Lists inside of numbered ones are left alone: there the " +
		"number decides.\n\n" +
		"    - one\n       - two\n\n" +
		"Indent by `indent` columns a level, and by `start_indent` more if `start_indented` is set."

	docMD009 = "Blanks at the end of a line.\n\n" +
		"They are invisible, and two of them break the line, which nobody sees either. Code blocks are left alone unless `code_blocks` is set; " +
		"with `strict`, also breaks that break nothing are reported.\n\n" +
		"    text_\n\n" +
		"Remove them. A break, two blanks by default (`br_spaces`), may stay; the fix keeps a longer one as a break."

	docMD010 = "A hard tab.\n\n" +
		"Tabs are as wide as the reader sets them, while Markdown counts four columns. Text that is aligned with them is not aligned elsewhere.\n\n" +
		"    a<tab>b\n\n" +
		"Use blanks, `spaces_per_tab` for each. Code is looked at too unless `code_blocks` is false or its language is in " +
		"`ignore_code_languages`; there is no fix in code, where a tab may matter."

	docMD011 = "A link with its brackets the wrong way round.\n\n" +
		"It is shown as it is written, and leads nowhere.\n\n" +
		"    (text)[https://example.com]\n\n" +
		"Write `[text](https://example.com)`."

	docMD012 = "More than one blank line in a row.\n\n" +
		"They are shown as one. In code blocks they count and are left alone.\n\n" +
		"    one\n\n" +
		"\n    two\n\n" +
		"Keep `maximum` of them."

	docMD013 = "A line that is too long.\n\n" +
		"Long lines are hard to review and to read in a terminal. What has no blank to break it at is left alone unless `strict` or `stern` is " +
		"set, and so are lines that are nothing but a link, and definitions.\n\n" +
		"    a line of more characters than line_length allows, which is 80 unless it is set\n\n" +
		"Break the line. `line_length`, `heading_line_length` and `code_block_line_length` are the limits; `tables`, `headings` and " +
		"`code_blocks` tell what is looked at."

	docMD014 = "Commands that start with a dollar sign though no output is shown.\n\n" +
		"The sign is copied along with the command. It has a use only where commands and their output are mixed.\n\n" +
		"    ```sh\n    $ ls\n    $ cat a\n    ```\n\n" +
		"Leave the sign out, or show the output."

	docMD018 = "No blank after the `#` of a heading.\n\n" +
		"It is a paragraph to most readers of Markdown.\n\n" +
		"    #Title\n\n" +
		"Put a blank between. If it is meant as text, write `\\#`."

	docMD019 = "More than one blank after the `#` of a heading.\n\n" +
		"The additional ones do nothing.\n\n" +
		"    #  Title\n\n" +
		"Keep one."

	docMD020 = "No blank inside of the `#` of a heading that is closed with them.\n\n" +
		"Without the first one it is no heading, without the second one the last `#` is part of the text.\n\n" +
		"    #Title#\n\n" +
		"Put blanks between; `\\#` is for one that belongs to the text."

	docMD021 = "More than one blank inside of the `#` of a closed heading.\n\n" +
		"The additional ones do nothing.\n\n" +
		"    #  Title  #\n\n" +
		"Keep one on either side."

	docMD022 = "A heading without blank lines around it.\n\n" +
		"Some readers of Markdown do not find it then, and people do not either.\n\n" +
		"    # Title\n    text\n\n" +
		"Put `lines_above` and `lines_below` blank lines around it. -1 allows any number."

	docMD023 = "A heading that is indented.\n\n" +
		"It looks as if it belonged to something; with four columns it is code.\n\n" +
		"      # Title\n\n" +
		"Start it at the left."

	docMD024 = "Two headings with the same text.\n\n" +
		"Their anchors differ by a number that nobody wrote, and links to them change when one is added.\n\n" +
		"    # Title\n\n" +
		"    ## Fixed\n\n" +
		"    ## Fixed\n\n" +
		"Say what they are about. With `siblings_only`, headings below different ones may be equal, as in a changelog."

	docMD025 = "More than one title.\n\n" +
		"A document that starts with a heading of the first level has a title; all others are parts of it. A title in the front matter counts.\n\n" +
		"    # One\n\n" +
		"    # Two\n\n" +
		"Use level 2 for the parts. `level` is the level of titles."

	docMD026 = "A heading that ends in punctuation.\n\n" +
		"Headings are no sentences. Question marks are allowed unless `punctuation` has them.\n\n" +
		"    # Title.\n\n" +
		"Remove it. What readers take for part of the meaning, such as `!`, has no fix."

	docMD027 = "More than one blank after the `>` of a quote.\n\n" +
		"It looks like code, or like a nested list, and is neither.\n\n" +
		"    >  text\n\n" +
		"Keep one. With `list_items` set to false, lists are left alone."

	docMD028 = "A blank line between quotes.\n\n" +
		"Some readers make one quote of them, others two.\n\n" +
		"    > one\n\n" +
		"    > two\n\n" +
		"Put `>` on the blank line, or a line of text between the quotes."

	docMD029 = "An item of a numbered list with another number than expected.\n\n" +
		"Only the first number is shown; the others are counted. A list that starts anew at an unexpected number is most often one that was cut " +
		"in two by a line which is not indented.\n\n" +
		"    1. one\n    3. two\n\n" +
		"Number 1, 2, 3 or 1, 1, 1, or as `style` asks; indent what belongs to an item. The first number has no fix, since it is what readers see."

	docMD030 = "Another number of blanks after a list marker than expected.\n\n" +
		"The content of an item starts where its first word does, so the number decides how what follows must be indented.\n\n" +
		"    -   text\n\n" +
		"Use `ul_single` and `ol_single` blanks where each item has one line, `ul_multi` and `ol_multi` elsewhere: 1 unless set."

	docMD031 = "A fenced code block without blank lines around it.\n\n" +
		"Some readers of Markdown do not find the fence. In a list, a blank line also sets the items wider apart, so there is no fix there; " +
		"`list_items` set to false leaves them alone.\n\n" +
		"    text\n    ```sh\n    ls\n    ```\n\n" +
		"Put a blank line above and below."

	docMD032 = "A list without blank lines around it.\n\n" +
		"Some readers of Markdown do not find it, and a line right after it is part of its last item.\n\n" +
		"    text\n    - one\n\n" +
		"Put a blank line above and below."

	docMD033 = "HTML.\n\n" +
		"Not every reader of Markdown shows it, and it is harder to read. Comments and closing tags are not counted.\n\n" +
		"    <b>bold</b>\n\n" +
		"Use Markdown, or allow the element with `allowed_elements`, in tables with `table_allowed_elements`."

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
