CASES = { "capital of France" => "Paris", "2 + 2" => "4", "tallest mountain" => "Everest", "weather" => "sunny" }.freeze

# Your model is called here.
def answer(question)
  { "capital of France" => "Paris", "2 + 2" => "4", "tallest mountain" => "K2" }.fetch(question) { raise "529 overloaded" }
end
