"""The Gauss methods: fixed point and simplified Newton."""
