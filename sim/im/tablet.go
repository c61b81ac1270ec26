package im

// tablet is the reader's second device. It left when the phone did, and comes back when that has caught up; it asks in the same way, with
// a cursor of its own, which nothing that the phone was given has moved. The server keeps nothing of either but the exchange under way.
func (c *Catching) tablet(w *World) *Catching {
	if c.second == nil {
		way, second := c.way.Another()
		second.setUp(w, way, c.inbox, c.Chats, Tablet)
		c.second = second
	}
	return c.second
}

// Device is who asks.
func (c *Catching) Device() Actor { return c.device }
