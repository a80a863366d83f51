"""What Poinsot claims about itself."""
