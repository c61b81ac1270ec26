package room

import "strings"

// A room with the code C has these keys:
//
//	room.C.state             a record
//	room.C.lesson            the text of the presenter's lesson
//	room.C.answer.Q.T        what the browser with token T answers to question Q
//	room.C.here.P            how many follow in process P
//
// The revision of the state is the version of the room.

const (
	bucketName = "imscope"
	streamName = "KV_" + bucketName // in which the bucket lies
)

func stateKey(code string) string  { return "room." + code + ".state" }
func lessonKey(code string) string { return "room." + code + ".lesson" }
func allKeys(code string) string   { return "room." + code + ".>" }
func answerKey(code, question, token string) string {
	return "room." + code + ".answer." + question + "." + token
}
func hereKey(code, process string) string { return "room." + code + ".here." + process }

// subject is the subject that a key has in the stream of the bucket.
func subject(key string) string { return "$KV." + bucketName + "." + key }

// splitKey takes a key apart: the code, what it is, and the words after that.
func splitKey(key string) (code, kind string, rest []string) {
	words := strings.Split(key, ".")
	if len(words) < 3 {
		return "", "", nil
	}
	return words[1], words[2], words[3:]
}
