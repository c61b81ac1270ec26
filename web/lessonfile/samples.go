package lessonfile

import (
	"embed"
	"io/fs"
)

//go:embed samples/*.txt
var samples embed.FS

// Sample is the text of a lesson to begin with for a chapter, in both languages; ok is false if there is none.
func Sample(chapter string) (text string, ok bool) {
	data, err := fs.ReadFile(samples, "samples/"+chapter+".txt")
	return string(data), err == nil
}
