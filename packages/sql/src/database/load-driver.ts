/** Drivers, and Kysely, are loaded when a database of their kind is opened: a program loads only what it uses. */
import { ConfigurationError } from 'toolwright'

export async function loadDriver<Module>(
  load: () => Promise<Module>,
  name: string,
): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new ConfigurationError(
      'missing-peer',
      `The package ${name} cannot be loaded; \`npm install ${name}\` puts it there, with the part for this machine.`,
      { cause },
    )
  }
}
