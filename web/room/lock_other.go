//go:build !windows && (!unix || solaris || aix)

package room

import "os"

// lockFile only opens the file: here, whoever starts two processes has to give each its own folder.
func lockFile(name string) (*os.File, error) { return os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) }
