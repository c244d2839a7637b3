//! Models, prompts and the action parser.
