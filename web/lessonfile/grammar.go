package lessonfile

// Grammar is how the text of a lesson is written.
const Grammar = `A lesson is a text in UTF-8, a statement a line:

	languages en zh      the languages it is written in, in the order in which it writes them; without this line: en
	title TEXT           what the lesson is called
	at LINK              a step: this moment of this run. LINK is an address of the site, as the browser shows it
	question TEXT        a step: this is asked. After it come
	answer TEXT            2 to 6 answers to choose from,
	right TEXT             one of them with this word instead: the right one,
	number 1.6             or, instead of them all, the number to guess
	question chapter     a step: the question of the chapter that the last LINK showed; the run answers it
	note TEXT            for the presenter alone, to the step before it; before the first step, to the whole lesson
	# TEXT               a comment: it says nothing

A TEXT in several languages is written in each, in order, with a bar between:

	languages en zh
	note Count the lines. | 数一数有几行。

If it is written once, it is for all of them. Empty lines, and spaces around a statement, do not matter. A TEXT has at most 1,000 bytes in
each language, a lesson 64 KB and 200 steps.
`
