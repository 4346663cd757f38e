"""Sound in and out: devices, files, endpoints of speech, one open output stream."""
