/** The few functions that generated files may need, each printed only where it is used. */
import { END, block, list, text, type Code } from './code.ts'
import type { Checks } from './file-checks.ts'

export type HelperName = 'fromBase64' | 'entriesOf' | 'withPrototype'

/** By their usual names; a file that already uses such a name renames them. */
export const HELPERS: { readonly [name in HelperName]: (name: string) => Code } = {
  fromBase64: (name) => [
    `function ${name}(base64: string): Uint8Array<ArrayBuffer> `,
    block(['return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))']),
  ],
  // The schema allows no other keys.
  entriesOf: (name) => [
    `function ${name}<Key extends string, Value>(record: { [key in Key]?: Value }) `,
    block(['return Object.entries(record) as [Key, Value][]']),
  ],
  withPrototype: (name) => [
    `/** An instance with these fields; its constructor does not run. */\nfunction ${name}<Type extends object>(type: { prototype: Type }, fields: Partial<Type>): Type `,
    block(['return Object.assign(Object.create(type.prototype) as Type, fields)']),
  ],
}

/** Types that stop compiling if the source has changed and the generated file has not. */
export function checksCode(name: string, { counts, keys }: Checks): readonly Code[] {
  if (counts.length + keys.length === 0) return []
  const keysType: Code = ['type Keys<Type> = `${Exclude<keyof Type, symbol>}`', END]
  return [
    [
      'type Same<Now, Then> = [Now, Then] extends [Then, Now] ? true : ',
      text('changed: run toolwright generate'),
      END,
    ],
    // Compared as strings, because the keys of a Record may be numbers or enum members.
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
