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

// free sees to it that a new file can be made at that path, or in the current folder for
// "": its folder is made if need be.
func free(path string) error {
	_, err := os.Lstat(path)
	switch {
	case path == "-":
		return errors.New("-o - is no file: a tape does not go to standard output")
	case path != "" && os.IsPathSeparator(path[len(path)-1]):
		return fmt.Errorf("-o %s is a folder: name a file in it", path)
	case path != "" && err == nil:
		return taken(path)
	default:
		return Folder(filepath.Dir(path))
	}
}

func taken(path string) error {
	return fmt.Errorf("%s is there already: name another file with -o", path)
}

// Folder makes a folder that only its owner may read, if it is not there, and reports
// why no file can be made in it.
func Folder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	f, err := os.CreateTemp(dir, ".endwell-*")
	if err != nil {
		return fmt.Errorf("the folder %s cannot be written: %w", dir, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

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

// SaveIn writes a tape to a new file of a folder, which is named by a time, a number and
// which of the tapes with both it is, from 1, so that names sort in that order; by the next
// that is free when there is such a file. It returns the path.
func SaveIn(dir string, at time.Time, number int64, which int, t *tape.Tape) (string, error) {
	name := filepath.Join(dir, fmt.Sprintf("%s-%06d", at.UTC().Format("20060102-150405.000"), number))
	for i := range tries {
		path := fmt.Sprintf("%s-%02d.tape", name, which+i)
		if err := Save(path, t); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", fmt.Errorf("%s: %w", dir, fs.ErrExist)
}
