/** DBOS writes what it does to the console; a library does not. */
import type { DLogger } from '@dbos-inc/dbos-sdk'

const nothing = (): void => {}

export const silent: DLogger = { info: nothing, debug: nothing, warn: nothing, error: nothing }
