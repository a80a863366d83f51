"""The symplectic Gauss methods: variational collocation at Gauss nodes."""
