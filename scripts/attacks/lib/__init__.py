"""What the attacks share: the binary, a house that is open, its screens, its store."""
