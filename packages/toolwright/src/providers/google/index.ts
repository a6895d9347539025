/** The door `toolwright/google`: models over Google's Gemini API. */
export { google, type GoogleOptions } from './google.ts'
