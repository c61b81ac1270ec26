package templates

// entry is a term of the glossary.
type entry struct{ en, zh, enText, zhText string }

// glossary holds the terms that texts explain in place.
var glossary = map[string]entry{
	"leg": {"leg", "一程",
		"One trip of one thing between a phone and the server, in one direction. Each leg can be lost by itself.",
		"一样东西在手机和服务器之间单向走一趟。每一程都可能单独丢掉。"},
	"ack": {"ACK", "确认",
		"Short for acknowledgement: the server’s “I have stored it”. A phone that sees none sends the message again.",
		"服务器说的“我存下了”。手机等不到它，就把消息再发一遍。"},
	"push": {"push", "推送",
		"The server sends a new message to a phone without being asked. If it is lost, neither side notices.",
		"服务器不等手机来问，主动把新消息送过去。它要是丢了，两边都不知道。"},
	"pull": {"pull", "拉取",
		"The phone asks the server for what it may have missed.",
		"手机主动去问服务器：我有没有漏掉什么？"},
	"id": {"id", "id",
		"The number that the database gives each row, one counter for all conversations. It orders messages, but in one conversation it jumps.",
		"数据库给每一行的编号，所有会话共用一个计数器。它能排出先后，但在一个会话里会跳号。"},
	"seq": {"seq", "序号",
		"A number that counts the messages of one conversation: 1, 2, 3, with no gap. Whoever has 2 and 4 knows that 3 exists.",
		"只数一个会话里的消息：1、2、3，中间不空。手上有 2 和 4，就知道还有一个 3。"},
	"transaction": {"transaction", "事务",
		"A group of writes that becomes visible all at once, at its commit, or not at all.",
		"一组写入，要么在提交的那一刻一起生效，要么一样也不生效。"},
	"rowlock": {"row lock", "行锁",
		"Held by the transaction that changed a row, until its commit. Another one that wants to change the same row waits.",
		"事务改了一行，就一直锁着它，直到提交；别的事务想改同一行，只能等。"},
	"outbox": {"outbox", "发件箱",
		"What a phone has sent and not yet seen confirmed. It sends these again.",
		"手机发出去、还没等到确认的消息。到时间就重发。"},
	"inbox": {"inbox", "信箱",
		"A list for one person of what has come for him, over all conversations, numbered 1, 2, 3. His devices read on from where they stopped.",
		"替一个人记着“有什么给他”的一张单子，不分会话，编号 1、2、3。他的每台设备都从上次停的地方接着读。"},
	"cursor": {"cursor", "游标",
		"A number with which a phone notes how far it has come.",
		"手机记的一个数：我已经拿到哪里了。"},
	"fanout": {"fan-out on write", "写扩散",
		"To write a row for every recipient when a message comes, so that reading is cheap. The opposite, to store it once and have everybody look, is fan-out on read.",
		"消息来的时候给每个收件人各写一行，读起来就便宜。反过来，只存一份、各人自己去看，叫读扩散。"},
	"rtt": {"round trip", "来回",
		"The time from a phone to the server and back: twice the one-way latency.",
		"从手机到服务器再回来的时间，是单程延迟的两倍。"},
	"rto": {"time-out", "超时",
		"How long a phone waits for an ACK before it sends the message again.",
		"手机等确认等多久，等不到就重发。"},
}

// glossaryOf lists the terms of each chapter, as print shows them.
var glossaryOf = map[string][]string{
	"polling":  {"leg", "ack", "push", "id", "transaction", "rowlock", "cursor", "rto"},
	"ordering": {"leg", "ack", "push", "pull", "id", "seq", "transaction", "rowlock", "outbox", "rtt", "rto"},
	"offline":  {"leg", "push", "id", "seq", "transaction", "rowlock", "inbox", "cursor", "fanout", "rto"},
}
