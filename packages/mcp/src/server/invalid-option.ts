/** What is wrong with the options of a server, said when it is made. */
import { ConfigurationError } from 'toolwright'

export const invalid = (message: string): ConfigurationError =>
  new ConfigurationError('invalid-option', message)
