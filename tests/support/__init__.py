"""What tests share: independent oracles, drivers of kernels, random mechanisms, data files."""
