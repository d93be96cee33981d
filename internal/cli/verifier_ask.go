package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/term"
	"cairn/internal/verifier"
)

// verifierClient is the client of the environment.
func verifierClient(env *Env, model string) (verifier.Client, error) {
	c := verifier.Client{BaseURL: env.Getenv(verifierURL), Key: env.Getenv(verifierKey), Model: model}
	if c.Key == "" {
		return c, command.Auth(term.Hint(errors.New("the verifier needs a key, and "+verifierKey+" is not set"),
			"export %s=… and run this again", verifierKey))
	}
	return c, nil
}

// runVerifyRequest is the other end of askChild.
func runVerifyRequest(env *Env) error {
	data, err := io.ReadAll(env.Stdin)
	if err != nil {
		return err
	}
	var req verifyRequest
	if err := json.Unmarshal(data, &req); err != nil {
		return command.Data(term.Hint(fmt.Errorf("stdin is not a question: %w", err), "cairn compact verify RULE FIXTURE tries the verifier"))
	}
	client, err := verifierClient(env, req.Model)
	if err != nil {
		return err
	}
	var reply verifyReply
	reply.Answer, err = askVerifier(client, req.Question)
	if errors.Is(err, verifier.ErrAnswer) {
		reply.Error = err.Error()
	} else if err != nil {
		return err
	}
	return printJSON(env, reply)
}

func askVerifier(c verifier.Client, q compact.Question) (compact.Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), compact.VerifyLimit)
	defer cancel()
	a, err := c.Ask(ctx, q)
	var status *verifier.StatusError
	var network *url.Error
	switch {
	case errors.As(err, &status) && (status.Code == http.StatusUnauthorized || status.Code == http.StatusForbidden):
		err = command.Auth(term.Hint(err, "is %s right?", verifierKey))
	case errors.As(err, &status), errors.As(err, &network):
		err = command.Net(err)
	}
	return a, err
}
