package room

import (
	"fmt"
	"os"
	"path/filepath"
)

// DefaultDir is where rooms are kept if nobody says where: a folder of this user that outlives the process.
func DefaultDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "imscope"), nil
}

// folder is a data folder that this process alone uses.
type folder struct {
	path      string
	temporary bool
	lock      *os.File
}

// openFolder makes the folder if need be, and locks it; the lock ends with the process, however that ends.
func openFolder(path string) (*folder, error) {
	f := &folder{path: path, temporary: path == ""}
	var err error
	if f.temporary {
		f.path, err = os.MkdirTemp("", "imscope-*")
	} else {
		err = os.MkdirAll(path, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if f.lock, err = lockFile(filepath.Join(f.path, "lock")); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrDirInUse, f.path)
	}
	return f, nil
}

func (f *folder) close() {
	_ = f.lock.Close()
	if f.temporary {
		_ = os.RemoveAll(f.path)
	}
}
