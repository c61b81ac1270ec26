// The player for pages that may have a map of conversations, which has to be known before the player is.
import './heat.js'
import './player.js'
