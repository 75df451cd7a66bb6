"""Policy: what a statistician may alter, validated on reading. One module per file of params/."""
