"""One file a joint; `joint.py` says what each offers, `table.py` leads to them."""
