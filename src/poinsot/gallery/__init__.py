"""The gallery: scenarios by name, and experiments of papers."""
