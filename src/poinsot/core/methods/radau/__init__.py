"""The Radau methods: L-stable, with exact derivatives."""
