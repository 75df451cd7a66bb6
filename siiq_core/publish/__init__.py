"""Publishing (V): what readers and their scripts get. Decides nothing; everything here was computed before."""
