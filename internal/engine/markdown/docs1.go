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
)
