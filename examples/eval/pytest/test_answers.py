import pytest

def answer(question):  # your model is called here
    return {"capital of France": "Paris", "2 + 2": "4", "tallest mountain": "K2"}[question]

@pytest.mark.parametrize("question, wanted", [("capital of France", "Paris"), ("2 + 2", "4"), ("tallest mountain", "Everest")])
def test_answer(question, wanted, record_property):
    record_property("model", "claude-haiku-4-5")
    record_property("cost_usd", 0.0021)
    assert wanted in answer(question)

@pytest.mark.skip(reason="no key")
def test_tone(): ...

def test_setup_is_broken(no_such_fixture): ...
