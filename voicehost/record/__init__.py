"""What has happened, kept: the journal on disk, and the protocol of the evening made from it."""
