"""The variational methods: their step and its parts."""
