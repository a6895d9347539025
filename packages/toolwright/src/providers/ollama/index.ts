/** The door `toolwright/ollama`: models that an Ollama server runs, and their embeddings. */
export { ollama, type OllamaOptions } from './ollama.ts'
export { ollamaEmbeddings, type OllamaEmbeddingsOptions } from './ollama-embeddings.ts'
