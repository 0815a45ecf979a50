"""What can be found out about the hosts of this machine: are they here, and do they call readmark."""
