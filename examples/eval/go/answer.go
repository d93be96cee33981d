package main

var cases = map[string]string{"capital of France": "Paris", "2 + 2": "4", "tallest mountain": "Everest"}

// answer is where your model is called.
func answer(question string) string {
	return map[string]string{"capital of France": "It is Paris.", "2 + 2": "4", "tallest mountain": "K2"}[question]
}
