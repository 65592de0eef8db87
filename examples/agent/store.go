package main

import (
	"database/sql"
	"encoding/json"

	"github.com/endwell-go/endwell"
	_ "modernc.org/sqlite" // the driver, in pure Go
)

// Row is one message of the transcript. What went wrong stands in Notice, beside
// Text and never inside it.
type Row struct {
	ID         int64
	Agent      string
	Role       string // user, assistant or tool
	Text       string
	Calls      []endwell.ToolCall // of an assistant
	CallID     string             // of a tool: which call this is the result of
	Incomplete bool               // cut off, by a fault or by the user
	Notice     string             // what to tell the user about a fault; "" for none
}

// Store is the transcript in SQLite.
type Store struct{ db *sql.DB }

const schema = `CREATE TABLE IF NOT EXISTS transcript (
	id         INTEGER PRIMARY KEY,
	agent      TEXT NOT NULL,
	role       TEXT NOT NULL,
	text       TEXT NOT NULL,
	calls      TEXT NOT NULL,
	call_id    TEXT NOT NULL,
	incomplete INTEGER NOT NULL,
	notice     TEXT NOT NULL
)`

// OpenStore opens the transcript in a file, or in memory for ":memory:".
func OpenStore(path string) (*Store, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection to :memory: would have a database of its own
	if _, err := db.Exec(schema); err != nil {
		_ = db.Close()
		return nil, err
	}
	return &Store{db}, nil
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

// Insert adds a row and returns its id. No method takes a context: what was said
// must be kept also when the user has stopped listening.
func (s *Store) Insert(r Row) (int64, error) {
	calls, err := json.Marshal(r.Calls)
	if err != nil {
		return 0, err
	}
	res, err := s.db.Exec(`INSERT INTO transcript (agent, role, text, calls, call_id, incomplete, notice) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		r.Agent, r.Role, r.Text, string(calls), r.CallID, r.Incomplete, r.Notice)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// Update replaces what may change in a row while its answer goes on.
func (s *Store) Update(r Row) error {
	calls, err := json.Marshal(r.Calls)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(`UPDATE transcript SET text = ?, calls = ?, incomplete = ?, notice = ? WHERE id = ?`,
		r.Text, string(calls), r.Incomplete, r.Notice, r.ID)
	return err
}

// Rows returns an agent's rows after the one with that id, in order.
func (s *Store) Rows(agent string, after int64) (rows []Row, err error) {
	found, err := s.db.Query(`SELECT id, agent, role, text, calls, call_id, incomplete, notice
		FROM transcript WHERE agent = ? AND id > ? ORDER BY id`, agent, after)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var r Row
		var calls string
		if err := found.Scan(&r.ID, &r.Agent, &r.Role, &r.Text, &calls, &r.CallID, &r.Incomplete, &r.Notice); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(calls), &r.Calls); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, found.Err()
}
