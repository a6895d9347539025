/** How much the suites do: enough for every change, or with `TOOLWRIGHT_DURABLE_FULL=1` all of it, which takes an hour. */
export const IS_FULL = process.env['TOOLWRIGHT_DURABLE_FULL'] === '1'

export const full = (all: number, some: number): number => (IS_FULL ? all : some)
