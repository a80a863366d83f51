"""`make mutants`: would the tests notice?"""
