package postgrest

// An Error is PostgREST's error body and the status it is sent with.
type Error struct {
	Status  int     `json:"-"`
	Code    string  `json:"code"` // PGRST… or an SQLSTATE
	Details *string `json:"details"`
	Hint    *string `json:"hint"`
	Message string  `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }
