"""What drives real hosts and replays what they said."""
