/** `toolwright/ollama`: models of a local Ollama. */
export { ollamaEmbeddings, type OllamaEmbeddingsOptions } from './ollama-embeddings.ts'
