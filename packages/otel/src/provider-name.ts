/** The provider of a model as the conventions call it, where they have a name for it. */

/** By what toolwright and the AI SDK call them; of several words the longest that is known counts. */
const KNOWN: { readonly [name: string]: string } = {
  'amazon-bedrock': 'aws.bedrock',
  anthropic: 'anthropic',
  azure: 'azure.ai.openai',
  'azure-openai': 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  cohere: 'cohere',
  deepseek: 'deepseek',
  google: 'gcp.gemini',
  'google.vertex': 'gcp.vertex_ai',
  groq: 'groq',
  mistral: 'mistral_ai',
  openai: 'openai',
  perplexity: 'perplexity',
  xai: 'x_ai',
}

/** Models of the AI SDK say more than their provider: `openai.responses`. */
export function providerName(provider: string): string {
  for (let name = provider; ; name = name.slice(0, name.lastIndexOf('.'))) {
    if (Object.hasOwn(KNOWN, name)) return KNOWN[name]!
    if (!name.includes('.')) return provider
  }
}
