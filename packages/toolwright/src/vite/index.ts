/** The door `toolwright/vite`: decorators in Vite and Vitest. */
export { decorators, type DecoratorsPlugin } from './decorators.ts'
