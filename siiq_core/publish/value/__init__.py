"""The page of the value method, made from value.json alone. book/_static/value*.js makes the same of any state of the switches."""
