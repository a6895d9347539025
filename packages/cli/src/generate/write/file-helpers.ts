/** The few functions that generated files use when they need them, each printed where it is used. */
import { END, block, list, text, type Code } from './code.ts'
import type { Checks } from './file-checks.ts'

export type HelperName = 'fromBase64' | 'entriesOf' | 'withPrototype'

/** By their usual names; a file that has such a name already calls them otherwise. */
export const HELPERS: { readonly [name in HelperName]: (name: string) => Code } = {
  fromBase64: (name) => [
    `function ${name}(base64: string): Uint8Array<ArrayBuffer> `,
    block(['return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))']),
  ],
  // The schema lets no other keys in.
  entriesOf: (name) => [
    `function ${name}<Key extends string, Value>(record: { [key in Key]?: Value }) `,
    block(['return Object.entries(record) as [Key, Value][]']),
  ],
  withPrototype: (name) => [
    `/** An instance with these fields; its constructor does not run. */\nfunction ${name}<Type extends object>(type: { prototype: Type }, fields: Partial<Type>): Type `,
    block(['return Object.assign(Object.create(type.prototype) as Type, fields)']),
  ],
}

/** Types that stop compiling when the source has changed and the file has not. */
export function checksCode(name: string, { counts, keys }: Checks): readonly Code[] {
  if (counts.length + keys.length === 0) return []
  const keysType: Code = ['type Keys<Type> = `${Exclude<keyof Type, symbol>}`', END]
  return [
    [
      'type Same<Now, Then> = [Now, Then] extends [Then, Now] ? true : ',
      text('changed: run toolwright generate'),
      END,
    ],
    // As texts: the keys of a Record may be numbers, or members of an enum.
    ...(keys.length > 0 ? [keysType] : []),
    ['type AllTrue<Checks extends readonly true[]> = Checks', END],
    [
      `/** Does not compile once the source has other parameters or properties: generate again. */\nexport type ${name} = AllTrue<`,
      list(['[', ']'], [...counts, ...keys]),
      '>',
      END,
    ],
  ]
}
