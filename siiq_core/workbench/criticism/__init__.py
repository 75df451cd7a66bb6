"""Where does the model fail? Residuals by kind, a second dimension, benchmarks that treat open and closed models differently, saturation."""
