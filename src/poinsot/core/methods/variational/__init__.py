"""The variational methods: the step and all it is made of."""
