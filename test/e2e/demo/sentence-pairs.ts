/**
 * Sentences and the tool each asks for, made up from a seed: domains × verbs × parameters × ways to say it.
 * None of these tools exists. What is expected is known from how a sentence was put together.
 */
import type { Json, JsonSchema } from 'toolwright'
import { seededRandom } from 'toolwright/testing'

export interface MadeTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & {
    readonly properties: { readonly [name: string]: JsonSchema }
  }
}

export interface SentencePair {
  readonly sentence: string
  readonly tools: readonly MadeTool[]
  readonly tool: string
  /** The required arguments. */
  readonly expected: { readonly [name: string]: Json }
}

/** When the sentences are said: a Monday morning, wherever the test runs. */
export const SAID_AT = new Date(2026, 4, 4, 9).getTime()

/** A moment of that week. */
const at = (day: number, hour: number, minute: number): string =>
  new Date(2026, 4, day, hour, minute).toISOString()

/** Reproducible chance in the words of this file. */
interface Dice {
  one<T>(list: readonly T[]): T
  some<T>(list: readonly T[], count: number): T[]
  chance(probability: number): boolean
  upTo(least: number, most: number): number
}

function dice(seed: number): Dice {
  const random = seededRandom(seed)
  const upTo = (least: number, most: number): number =>
    least + Math.floor(random.next() * (most - least + 1))
  const one = <T>(list: readonly T[]): T => list[upTo(0, list.length - 1)]!
  return {
    one,
    upTo,
    chance: (probability) => random.next() < probability,
    some(list, count) {
      const left = [...list]
      const taken = []
      while (taken.length < count && left.length > 0)
        taken.push(...left.splice(upTo(0, left.length - 1), 1))
      return taken
    },
  }
}

/** A value as a sentence says it, and as the tool should get it. */
interface Said {
  readonly said: string
  readonly value: Json
  /** It may stand at the beginning: "For Ann Lee, ...". */
  readonly front?: boolean
}

interface Kind {
  readonly names: readonly string[]
  readonly schema: JsonSchema
  readonly about: (name: string) => string
  readonly say: (dice: Dice, name: string) => Said
}

const PEOPLE = [
  'Maria Lopez',
  'Otto',
  'Priya Nair',
  'Sven Holm',
  'Amina Diallo',
  'Mr Tanaka',
  'Chloe',
  'Viktor Orlov',
]
const PLACES = [
  'Lisbon',
  'Oslo',
  'New Orleans',
  'Kyoto',
  'Buenos Aires',
  'Ghent',
  'Cape Town',
  'Leeds',
  'Zagreb',
]
const TITLES = [
  'Morning light',
  'The long way home',
  'Quarterly figures',
  'Do not touch',
  'Blue hour',
  'Second draft',
]
const TOPICS = [
  'copper wire',
  'solar eclipses',
  'gluten free bread',
  'tax deadlines',
  'medieval bridges',
  'wireless headphones',
  'indoor plants',
]
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'] // prettier-ignore

const spoken = (dice: Dice, number: number): string =>
  number < NUMBER_WORDS.length && dice.chance(0.4) ? NUMBER_WORDS[number]! : String(number)

const text = { type: 'string' } as const

const KINDS = {
  person: {
    names: ['customer', 'guest', 'member', 'patientName', 'assignee', 'owner'],
    schema: text,
    about: (name) => `Name of the ${name.replace('Name', '')}`,
    say(dice) {
      const value = dice.one(PEOPLE)
      return {
        value,
        said: dice.one([`for ${value}`, `on behalf of ${value}`, `for ${value}`]),
        front: true,
      }
    },
  },
  place: {
    names: ['city', 'location', 'town', 'branch', 'destination'],
    schema: text,
    about: (name) => `The ${name} it is about`,
    say(dice) {
      const value = dice.one(PLACES)
      return {
        value,
        said: dice.one([`in ${value}`, `near ${value}`, `at ${value}`, `in ${value}`]),
        front: true,
      }
    },
  },
  count: {
    names: ['seats', 'copies', 'boxes', 'tickets', 'nights'],
    schema: { type: 'integer', minimum: 1 },
    about: (name) => `How many ${name}`,
    say(dice, name) {
      const value = dice.upTo(2, 30)
      const number = spoken(dice, value)
      return {
        value,
        said: dice.one([`with ${number} ${name}`, `for ${number} ${name}`, `, ${number} ${name}`]),
      }
    },
  },
  amount: {
    names: ['budget', 'price', 'amount', 'limit', 'deposit'],
    schema: { type: 'number' },
    about: (name) => `The ${name} in euros`,
    say(dice, name) {
      const value = dice.one([12.5, 40, 99.95, 250, 1200, 35])
      return {
        value,
        said: dice.one([
          `with a ${name} of ${value} euros`,
          `for ${value} euros`,
          `, ${name} ${value}`,
          `for $${value}`,
        ]),
      }
    },
  },
  day: {
    names: ['date', 'day', 'dueDate', 'startDate'],
    schema: { type: 'string', format: 'date' },
    about: () => 'On which day',
    say(dice) {
      const [said, value] = dice.one([
        ['tomorrow', '2026-05-05'],
        ['on Thursday', '2026-05-07'],
        ['on 12 June 2026', '2026-06-12'],
        ['on 2026-08-20', '2026-08-20'],
        ['on September 3rd', '2026-09-03'],
        ['in three days', '2026-05-07'],
        ['today', '2026-05-04'],
      ] as const)
      return { value, said, front: true }
    },
  },
  moment: {
    names: ['time', 'startsAt', 'scheduledFor', 'when'],
    schema: { type: 'string', format: 'date-time' },
    about: () => 'The moment, as ISO 8601',
    say(dice) {
      const [said, value] = dice.one([
        ['tomorrow at 5pm', at(5, 17, 0)],
        ['in twenty minutes', at(4, 9, 20)],
        ['on Friday at 10:30', at(8, 10, 30)],
        ['at 2 pm', at(4, 14, 0)],
        ['in 2 hours', at(4, 11, 0)],
      ] as const)
      return { value, said, front: true }
    },
  },
  size: {
    names: ['size', 'format', 'variant'],
    schema: { enum: ['small', 'medium', 'large', 'extra_large'] },
    about: () => 'How big',
    say(dice) {
      const value = dice.one(['small', 'medium', 'large', 'extra_large'])
      const words = value.replace('_', ' ')
      return {
        value,
        said: dice.one([
          `in ${words}`,
          `in size ${words}`,
          `, ${words} please`,
          `, the ${words} one`,
        ]),
      }
    },
  },
  urgency: {
    names: ['priority', 'urgency', 'level'],
    schema: { type: 'string', enum: ['low', 'normal', 'high', 'critical'] },
    about: () => 'How important it is',
    say(dice, name) {
      const value = dice.one(['low', 'normal', 'high', 'critical'])
      return {
        value,
        said: dice.one([`with ${value} ${name}`, `, ${name} ${value}`, `as ${value}`]),
      }
    },
  },
  insured: {
    names: ['insured', 'express', 'anonymous'],
    schema: { type: 'boolean' },
    about: (name) => `Whether it is ${name}`,
    say(dice, name) {
      const value = dice.chance(0.6)
      return {
        value,
        said: value
          ? dice.one([`, ${name}`, `and make it ${name}`])
          : dice.one([`, not ${name}`, `but not ${name}`]),
      }
    },
  },
  email: {
    names: ['email', 'contact', 'replyTo'],
    schema: { type: 'string', format: 'email' },
    about: () => 'Mail address',
    say(dice) {
      const value = dice.one(['ann@lake.example', 'b.stone@mill.example', 'desk+7@north.example'])
      return {
        value,
        said: dice.one([
          `and notify ${value}`,
          `for ${value}`,
          `with a copy to ${value}`,
          `, contact ${value}`,
        ]),
      }
    },
  },
  link: {
    names: ['url', 'link', 'source'],
    schema: { type: 'string', format: 'uri' },
    about: () => 'Where to find it',
    say(dice) {
      const value = dice.one([
        'https://lake.example/a/7',
        'https://mill.example/notes?id=3',
        'http://north.example',
      ])
      return { value, said: dice.one([`from ${value}`, `at ${value}`, `using ${value}`]) }
    },
  },
  reference: {
    names: ['reference', 'code', 'orderId', 'caseNumber'],
    schema: text,
    about: () => 'The reference it has',
    say(dice, name) {
      const value = dice.one(['KX-4410', 'B7731', 'zz-09-114', 'INV2026-18', 'Q45T'])
      return {
        value,
        said: dice.one([`with reference ${value}`, value, `${name} ${value}`, `number ${value}`]),
      }
    },
  },
  title: {
    names: ['title', 'label', 'heading', 'caption'],
    schema: text,
    about: (name) => `Its ${name}`,
    say(dice, name) {
      const value = dice.one(TITLES)
      return {
        value,
        said: dice.one([
          `called "${value}"`,
          `with the ${name} "${value}"`,
          `titled '${value}'`,
          `"${value}"`,
        ]),
      }
    },
  },
  topic: {
    names: ['topic', 'query', 'subject', 'keywords'],
    schema: text,
    about: () => 'What it is about',
    say(dice) {
      const value = dice.one(TOPICS)
      return { value, said: dice.one([`about ${value}`, `on ${value}`, `for ${value}`]) }
    },
  },
  minutes: {
    names: ['minutes', 'durationMinutes'],
    schema: { type: 'integer' },
    about: () => 'How long, in minutes',
    say(dice) {
      const value = dice.one([5, 10, 12, 30, 45, 90])
      return {
        value,
        said: dice.one([
          `for ${spoken(dice, value)} minutes`,
          `lasting ${value} minutes`,
          `, ${value} minutes long`,
        ]),
      }
    },
  },
} satisfies { readonly [kind: string]: Kind }

type KindName = keyof typeof KINDS

interface Domain {
  readonly noun: string
  /** Another word for it, which no tool uses. */
  readonly other: string
  readonly about: string
  readonly kinds: readonly KindName[]
}

const DOMAINS: readonly Domain[] = [
  ['kayak', 'canoe', 'from the boat rental', 'person day place count insured'],
  ['invoice', 'bill', 'in the accounts', 'person amount reference day email urgency'],
  ['greenhouse sensor', 'plant probe', 'of the greenhouse', 'reference place moment'],
  ['podcast episode', 'audio show', 'of the podcast', 'title topic link minutes day'],
  ['choir rehearsal', 'singing practice', 'of the choir', 'moment place minutes'],
  ['vaccination', 'jab', 'at the clinic', 'person day place'],
  ['parking spot', 'car space', 'in the garage', 'place moment minutes reference'],
  ['poster', 'placard', 'at the print shop', 'title size count amount'],
  ['support ticket', 'complaint', 'at the help desk', 'title urgency email person reference'],
  ['beehive', 'bee colony', 'of the apiary', 'reference place day'],
  ['telescope session', 'stargazing slot', 'at the observatory', 'moment minutes person topic'],
  ['recipe', 'dish', 'in the cookbook', 'topic title link count'],
  ['parcel', 'package', 'with the courier', 'reference place email insured amount'],
  ['mural', 'wall painting', 'in the city register', 'title place person'],
  ['swimming lane', 'pool lane', 'at the baths', 'day minutes count person'],
  ['translation', 'localisation', 'by the language office', 'link urgency email topic'],
  ['tent', 'camping shelter', 'from the outdoor store', 'size count day insured amount'],
  ['crossword', 'word puzzle', 'for the newspaper', 'title day topic urgency'],
  ['solar panel', 'photovoltaic module', 'on the roof', 'reference amount place size'],
  ['donation', 'gift of money', 'to the shelter', 'amount person email insured'],
  ['library card', 'reader pass', 'of the public library', 'person email day'],
  ['fire drill', 'evacuation exercise', 'in the building', 'moment place minutes'],
].map(([noun, other, about, kinds]) => ({
  noun: noun!,
  other: other!,
  about: about!,
  kinds: kinds!.split(' ') as KindName[],
}))

interface Verb {
  readonly verb: string
  readonly does: string
  readonly others: readonly string[]
  /** How it is asked for as a question. */
  readonly questions?: readonly string[]
}

const VERBS: readonly Verb[] = [
  { verb: 'reserve', does: 'Reserve', others: ['book', 'hold'] },
  { verb: 'cancel', does: 'Cancel', others: ['call off', 'drop'] },
  { verb: 'find', does: 'Find', others: ['search for', 'look for', 'locate'], questions: ['Is there any', 'Where can I find a'] },
  { verb: 'create', does: 'Create', others: ['add', 'make', 'set up'] },
  { verb: 'delete', does: 'Delete', others: ['remove', 'erase'] },
  { verb: 'get', does: 'Get the details of', others: ['show', 'fetch', 'tell me about'], questions: ['What is the status of the', 'Can you tell me about the', 'What do we know about the'] },
  { verb: 'schedule', does: 'Schedule', others: ['plan', 'arrange'] },
  { verb: 'approve', does: 'Approve', others: ['sign off', 'accept'] },
  { verb: 'order', does: 'Order', others: ['buy', 'purchase'] },
  { verb: 'archive', does: 'Archive', others: ['put away', 'store'] },
  { verb: 'inspect', does: 'Inspect', others: ['check', 'examine'], questions: ['How is the'] },
] // prettier-ignore

interface Made {
  readonly tool: MadeTool
  readonly domain: Domain
  readonly verb: Verb
  readonly parameters: readonly {
    readonly name: string
    readonly kind: Kind
    readonly required: boolean
  }[]
}

const NAMINGS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) =>
    words.map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join(''),
  (words) => words.join('-'),
]

function makeTool(dice: Dice, domain: Domain, verb: Verb): Made {
  const kinds = dice.some(domain.kinds, dice.upTo(1, 3))
  const used = new Set<string>()
  const parameters = kinds.map((kindName, at) => {
    const kind: Kind = KINDS[kindName]
    const name = dice.one(kind.names.filter((candidate) => !used.has(candidate)))
    used.add(name)
    return { name, kind, required: at === 0 || dice.chance(0.6) }
  })
  const described = ({ name, kind }: { name: string; kind: Kind }): JsonSchema =>
    dice.chance(0.8) ? { ...kind.schema, description: kind.about(name) } : kind.schema
  const properties = Object.fromEntries(parameters.map((each) => [each.name, described(each)]))
  const required = parameters.filter((each) => each.required).map((each) => each.name)
  const article = /^[aeiou]/.test(domain.noun) ? 'an' : 'a'
  return {
    tool: {
      name: dice.one(NAMINGS)([verb.verb, ...domain.noun.split(' ')]),
      description: dice.one([
        `${verb.does} ${article} ${domain.noun} ${domain.about}`,
        `${verb.does} ${article} ${domain.noun}.`,
      ]),
      inputSchema: { type: 'object', properties, required },
    },
    domain,
    verb,
    parameters,
  }
}

/** The tool asked for among others: some of the same domain, some with the same verb. */
function othersFor(dice: Dice, { domain, verb, tool }: Made): readonly MadeTool[] {
  const verbs = dice.some(
    VERBS.filter((other) => other !== verb),
    dice.upTo(1, 3),
  )
  const domains = dice.some(
    DOMAINS.filter((other) => other !== domain),
    dice.upTo(11, 24),
  )
  const made = [
    ...verbs.map((other) => makeTool(dice, domain, other)),
    ...domains.map((other, at) => makeTool(dice, other, at < 3 ? verb : dice.one(VERBS))),
  ].map((other) => other.tool)
  return dice.some([...made, tool], made.length + 1)
}

function sayIt(
  dice: Dice,
  { domain, verb, parameters }: Made,
): Pick<SentencePair, 'sentence' | 'expected'> {
  const given = parameters
    .filter(({ required }) => required || dice.chance(0.3))
    .map(({ name, kind, required }) => ({ name, required, ...kind.say(dice, name) }))
  const noun = dice.chance(0.15) ? domain.other : domain.noun
  const does = dice.chance(0.35) ? dice.one(verb.others) : verb.verb
  const article = dice.one([/^[aeiou]/.test(noun) ? 'an' : 'a', 'the', 'my'])
  const front = given.find((each) => each.front && dice.chance(0.25))
  const rest = dice.some(
    given.filter((each) => each !== front),
    given.length,
  )
  const tail = rest.map(({ said }) => (said.startsWith(',') ? said : ` ${said}`)).join('')
  const wish = `${does} ${article} ${noun}${tail}`
  const question =
    verb.questions && dice.chance(0.6) ? `${dice.one(verb.questions)} ${noun}${tail}?` : undefined
  const plain = question ?? dice.one([
    `${wish}.`, `Please ${wish}.`, `Could you ${wish}?`, `I would like to ${wish}`, `Can you please ${wish}?`,
    `I want you to ${wish}.`, `${wish}, thanks`, `We need to ${wish}.`, `Hey, ${wish}!`,
  ]) // prettier-ignore
  const whole = front ? `${front.said}, ${plain[0]!.toLowerCase()}${plain.slice(1)}` : plain
  const expected = given
    .filter((each) => each.required)
    .map(({ name, value }) => [name, value] as const)
  return {
    sentence: whole[0]!.toUpperCase() + whole.slice(1),
    expected: Object.fromEntries(expected),
  }
}

export function sentencePairs(seed: number, count = 100): readonly SentencePair[] {
  const random = dice(seed)
  return Array.from({ length: count }, () => {
    const made = makeTool(random, random.one(DOMAINS), random.one(VERBS))
    return { ...sayIt(random, made), tool: made.tool.name, tools: othersFor(random, made) }
  })
}
