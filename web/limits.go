package web

// MaxMessages is how many messages the run of a page may have.
const MaxMessages = maxPageMessages
