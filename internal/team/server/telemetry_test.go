package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
)

// TestTelemetry: agents' messages come in packed or not, and are refused in the words of
// OTLP; of what people write and models answer no byte stays on the disk or in the log.
func TestTelemetry(t *testing.T) {
	s, log := made(t, Config{})
	running(t, s)
	ctx := context.Background()
	u, err := s.accounts.CreateUser(ctx, account.NewUser{Email: "ada@acme.test", Confirmed: true})
	if err != nil {
		t.Fatal(err)
	}
	team := uuid.New()
	err = s.db.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		if err := tx.Do(ctx, `insert into teams (id, name, slug) values (?, 'acme', 'acme')`, team); err != nil {
			return err
		}
		return tx.Do(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, team, u.ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := s.keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: u.ID.String()}, Role: "authenticated"})
	if err != nil {
		t.Fatal(err)
	}
	post := func(body []byte, header ...string) (int, string, http.Header) {
		t.Helper()
		r, _ := http.NewRequest(http.MethodPost, s.URL()+wire.OTLP+"logs", bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text), resp.Header
	}
	const canary = "zebracanary"
	var records []string
	for i, name := range []string{"api_request", "user_prompt", "tool_result", "assistant_response", canary, canary + " happened"} {
		records = append(records, fmt.Sprintf(`{"timeUnixNano":"%d","body":{"stringValue":"%s"},"attributes":[{"key":"event.name","value":{"stringValue":%q}},{"key":"session.id","value":{"stringValue":"s"}},
			{"key":"prompt","value":{"stringValue":"fix the %s"}},{"key":"%s","value":{"stringValue":"%s"}},{"key":"tool_parameters","value":{"kvlistValue":{"values":[{"key":"file","value":{"stringValue":"/home/%s"}}]}}},
			{"key":"input_tokens","value":{"intValue":3}},{"key":"cost_usd_micros","value":{"intValue":9}},{"key":"model","value":{"stringValue":"m"}}]}`,
			time.Now().UnixNano()+int64(i), canary, name, canary, canary, canary, canary))
	}
	body := []byte(`{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"claude-code"}},{"key":"cwd","value":{"stringValue":"` + canary + `"}}]},
		"scopeLogs":[{"logRecords":[` + strings.Join(records, ",") + `]}]}]}`)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(body)
	_ = z.Close()
	if status, text, _ := post(packed.Bytes(), "Content-Encoding", "gzip"); status != 200 || text != "{}" {
		t.Fatalf("packed: %d %s", status, text)
	}
	if status, text, _ := post([]byte(`{"`+canary), "X-Request-Id", "request-0001"); status != 400 || strings.Contains(text, canary) {
		t.Errorf("garbage: %d %s", status, text)
	}
	if status, text, _ := post(body, "Content-Encoding", "br"); status != 415 || !strings.Contains(text, `"code":3`) {
		t.Errorf("another coding: %d %s", status, text)
	}
	if status, text, _ := post(make([]byte, otherBody+1)); status != 413 || !strings.Contains(text, `"code":3`) {
		t.Errorf("too large: %d %s", status, text)
	}
	var n int
	if err := s.db.Get(ctx, `select count(*) from spend_days where requests = 1 and usd_micros = 9 and team_id = ? and user_id = ?`, []any{team, u.ID}, &n); err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
	found := 0
	err = filepath.WalkDir(s.config.Store.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if found++; bytes.Contains(data, []byte(canary)) {
			t.Errorf("%s has words of a prompt", filepath.Base(path))
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d files, %v", found, err)
	}
	if strings.Contains(log.String(), canary) {
		t.Error("the log has words of a prompt")
	}
	if page := get(s.handler, wire.Metrics, here).Body.String(); strings.Contains(page, canary) || !strings.Contains(page, `cairn_telemetry_records_total{signal="logs",what="counted"} 1`) {
		t.Error(page)
	}
	pace := s.limits.paces.Of(bucket{pace: easy, token: digest(token)}, 1, 1)
	pace.SetLimit(0.5)
	pace.SetBurst(1)
	post(nil)
	if status, text, head := post(nil); status != 429 || head.Get("Retry-After") == "" || !strings.Contains(text, `"code":8`) {
		t.Errorf("too often: %d %s", status, text)
	}
}
