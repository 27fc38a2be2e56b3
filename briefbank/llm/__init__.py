"""The local language model: the port, llama.cpp behind it in a child process, and what it is told (prompts/)."""
