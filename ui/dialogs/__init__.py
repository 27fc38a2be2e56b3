"""The dialogs of the window: indexing, settings, help, about. Each is modeless, so that searching goes on behind it."""
