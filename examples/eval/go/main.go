// Command evals asks every question and prints the run: go run . | cairn eval push -
package main

import (
	"encoding/json"
	"log"
	"os"
	"strings"
)

type outcome map[string]any

func main() {
	var results []outcome
	for question, wanted := range cases {
		got := answer(question)
		results = append(results, outcome{"name": question, "passed": strings.Contains(got, wanted), "output": outcome{"response": got}})
	}
	run := outcome{"schema_version": 1, "suite": "go", "all_results": results}
	if err := json.NewEncoder(os.Stdout).Encode(run); err != nil {
		log.Fatal(err)
	}
}
