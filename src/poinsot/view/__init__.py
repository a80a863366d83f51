"""Pages of runs: one HTML file each, which any browser shows without a network."""
