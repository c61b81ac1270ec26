// Package static holds the files that the server sends as they are: the style sheet, the icon, and the client, which is built into
// dist and not committed.
package static

import "embed"

// Files are the embedded files, by their path below this folder. vendor is a folder of the user's: a datastar.js in it is served
// instead of our client.
//
//go:embed app.css asked.css bare.css class.css embedding.css heat.css text.css icon.svg all:dist all:vendor
var Files embed.FS
