package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/endwell-go/endwell/tape"
)

// Save writes a tape to a new file, which only its owner may read. A file that is
// there already is left alone, and one that cannot be written whole is removed.
func Save(path string, t *tape.Tape) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = t.WriteTo(f)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// tries is how many names are tried before a folder is given up.
const tries = 1000

// SaveIn writes a tape to a new file of a folder, which is named by a time and a
// number, and returns its path.
func SaveIn(dir string, at time.Time, number int, t *tape.Tape) (string, error) {
	for i := range tries {
		path := filepath.Join(dir, fmt.Sprintf("%s-%06d.tape", at.UTC().Format("20060102-150405.000"), number+i))
		if err := Save(path, t); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", fmt.Errorf("%s: %w", dir, fs.ErrExist)
}
