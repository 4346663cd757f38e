"""Words, pure: what people may say and what the host says, in every language of `phrases/`."""
