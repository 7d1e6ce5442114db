"""How the tables of the museum came to be."""
