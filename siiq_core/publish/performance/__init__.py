"""What `make bench` recorded, and the page that sets it beside its targets."""
