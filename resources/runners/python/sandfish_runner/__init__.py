"""The Python runner of Sandfish: runs cells for the engine, standard library only."""
