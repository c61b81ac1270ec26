package find

import "imscope/sim/im"

// Question is a ready-made condition.
type Question struct {
	Name  string // as the command line takes it
	Where string // the condition
	En    string // the same in words
	Zh    string
}

var questions = map[string][]Question{
	im.OrderingChapter: {
		{"vanished", "missing_unnoticed >= 1 && inverted_pairs == 0", "Every order is right, yet a line is missing and its phone cannot tell", "顺序都对，却缺了一行，手机还不知道"},
		{"disorder", "missing_unnoticed == 0 && missing_known == 0 && inverted_pairs >= 1", "Nothing is missing, yet some screen is in another order than the server", "一条没缺，却有屏幕的顺序和服务器不同"},
		{"strangers", "ana != server && ben != server && ana != ben", "Ana’s screen, Ben’s screen and the server: no two show the same", "Ana 的屏幕、Ben 的屏幕和服务器，没有两个是一样的"},
		{"lucky", "lost_legs >= 3 && ana == server && ben == server", "Three legs are lost, and still both screens show what the server has", "丢了三程，两块屏幕最后还是和服务器一样"},
		{"restless", "own_moves >= 3", "Three own messages move under their writers’ eyes", "三条自己的消息在眼前挪了位置"},
		{"slow", "wait_max > 5000", "A message takes more than five seconds", "有一条消息走了五秒多"},
	},
	im.PollingChapter: {
		{"late", "wait_max > 10000", "A message takes more than ten seconds", "有一条消息走了十秒多"},
		{"twice", "duplicates >= 1", "A message is shown twice", "一条消息显示了两次"},
		{"idle", "2 * empty_polls > polls", "More than half of the polls bring nothing", "一大半轮询什么也没带回来"},
		{"busy", "3 * empty_polls < polls", "More than two of three polls bring something", "三次轮询有两次以上带回了东西"},
		{"lucky", "lost_legs >= 3 && lost == 0 && missing_unnoticed == 0", "Three legs are lost, and every message comes all the same", "丢了三程，消息还是都到了"},
	},
	im.OfflineChapter: {
		{"gathered", "2 * active_conversations <= new_messages", "Conversations with news have two messages or more, on average", "有新消息的会话，平均每个至少两条"},
		{"scattered", "active_conversations == new_messages", "Every message is in another conversation", "每条消息都在不同的会话里"},
		{"vain", "reads_for_nothing >= 195", "195 looks or more find nothing", "至少 195 次查看什么也没找到"},
		{"stubborn", "lost_legs >= 2 && left_on_server == 0", "Two legs are lost, and still nothing is left behind", "丢了两程，最后还是什么也没落下"},
	},
}

// Questions lists those about a chapter.
func Questions(chapter string) []Question { return questions[chapter] }

// FindQuestion returns the chapter's question of that name; ok is false if there is none.
func FindQuestion(chapter, name string) (q Question, ok bool) {
	for _, q := range questions[chapter] {
		if q.Name == name {
			return q, true
		}
	}
	return Question{}, false
}
