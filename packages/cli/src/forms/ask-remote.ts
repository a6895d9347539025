/**
 * Asks a server's question at the terminal, field by field. What the server wrote is only shown: nothing in it is
 * opened, and nothing is sent before the user has said so.
 */
import type { Decision, Json } from 'toolwright'
import { cut, printable } from '../terminal/printable.ts'
import { YES } from '../terminal/yes.ts'
import type { LineQuestion, Typed } from '../terminal/line-editor.ts'
import { formFields, readField, type FormField } from './form-field.ts'
import type { FormQuestion, OneQuestion, RemoteQuestion, UrlQuestion } from './remote-question.ts'

/** Where the user is asked. */
export interface FormDesk {
  /** Shows lines of their own. */
  say(text: string, how?: 'strong' | 'wrong'): void
  readLine(question: LineQuestion): Promise<Typed>
}

const MOST_SHOWN = { characters: 2000, lines: 30 }

/** What was asked of a pending call, and the tool that is called. */
export interface AskedCall {
  readonly toolName: string
  readonly question: RemoteQuestion
}

/** Undefined if the user left with Ctrl-C or Ctrl-D. */
export async function askRemote(
  desk: FormDesk,
  { toolName, question: { server, problem, asked } }: AskedCall,
): Promise<Decision | undefined> {
  const who = printable(server === undefined ? toolName : `${toolName} (${server})`)
  if (problem !== undefined)
    desk.say(`The last answer could not be used: ${cut(problem, MOST_SHOWN)}`, 'wrong')
  if (asked.mode !== 'several') {
    const answer = await askOne(desk, who, asked)
    return answer && decisionOf(answer, server)
  }
  const answers: [string, Json][] = []
  for (const [key, request] of asked.requests) {
    const answer = await askOne(desk, who, request)
    if (answer === undefined) return undefined
    answers.push([key, answer.action === 'decline' ? 'decline' : answer.value])
  }
  return { answer: Object.fromEntries(answers) }
}

type Answer = { readonly action: 'accept'; readonly value: Json } | { readonly action: 'decline' }

/** A server is told that the user declined; a tool of the program's own is not run further. */
function decisionOf(answer: Answer, server: string | undefined): Decision {
  if (answer.action === 'accept') return { answer: answer.value }
  return server === undefined ? { deny: 'The user declined.' } : { answer: 'decline' }
}

function askOne(desk: FormDesk, who: string, asked: OneQuestion): Promise<Answer | undefined> {
  desk.say(`${who} asks: ${cut(asked.message, MOST_SHOWN)}`, 'strong')
  return asked.mode === 'url' ? askUrl(desk, asked) : askForm(desk, asked)
}

async function askUrl(desk: FormDesk, { url }: UrlQuestion): Promise<Answer | undefined> {
  desk.say(`It wants you to open this address${hostIn(url)}. It is not opened for you:`)
  desk.say(`  ${printable(url).replace(/\s/g, '')}`)
  return agreed(desk, 'Did you do it? y/n > ', { action: 'accept' })
}

/** The host as it is looked up: letters that only look like others are seen then. */
function hostIn(url: string): string {
  return URL.canParse(url) ? ` at ${printable(new URL(url).host)}` : ''
}

async function askForm(
  desk: FormDesk,
  { requestedSchema }: FormQuestion,
): Promise<Answer | undefined> {
  const fields = formFields(requestedSchema)
  if (fields.length === 0) return agreed(desk, 'Do you agree? y/n > ', {})
  if (fields.some(({ isRequired }) => !isRequired))
    desk.say(
      'An empty line takes what stands in brackets, or leaves the field out. * must be filled in.',
    )
  const content: [string, Json][] = []
  for (const field of fields) {
    const answer = await askField(desk, field)
    if (answer === undefined) return undefined
    if (answer.value !== undefined) content.push([field.name, answer.value])
  }
  return agreed(desk, 'Send this? y/n > ', Object.fromEntries(content))
}

/** A value; none for a field that is left out. */
interface FieldAnswer {
  readonly value: Json | undefined
}

async function askField(desk: FormDesk, field: FormField): Promise<FieldAnswer | undefined> {
  const { title, description, choices, isRequired } = field
  const mark = isRequired ? '*' : ''
  if (description !== undefined) desk.say(`${title}${mark}: ${cut(description, MOST_SHOWN)}`)
  else if (choices.length > 0) desk.say(`${title}${mark}:`)
  for (const [at, choice] of choices.entries()) desk.say(`  ${at + 1}  ${choice.title}`)
  for (;;) {
    const typed = await desk.readLine({ prompt: promptOf(field, mark) })
    if (typed.kind !== 'line') return undefined
    const text = typed.text.trim()
    if (text === '' && field.default !== undefined) return { value: field.default }
    if (text === '' && !isRequired) return { value: undefined }
    const read = text === '' ? { problem: 'it must be filled in' } : readField(field, text)
    if ('value' in read) return read
    desk.say(`${title}: ${read.problem}.`, 'wrong')
  }
}

const HOW: { readonly [kind in FormField['kind']]: string } = {
  text: '',
  number: ' (number)',
  'yes-no': ' y/n',
  choice: ' (one)',
  choices: ' (1, 2, …)',
  json: ' (JSON)',
}

function promptOf({ title, kind, default: value, choices }: FormField, mark: string): string {
  const usual = value === undefined ? '' : ` [${defaultInWords(value, choices)}]`
  return `${title}${mark}${HOW[kind]}${usual} > `
}

function defaultInWords(value: Json, choices: FormField['choices']): string {
  const words = [value].flat().map((each) => {
    if (typeof each === 'boolean') return each ? 'y' : 'n'
    const title = choices.find((choice) => choice.value === each)?.title
    return title ?? (typeof each === 'string' ? each : JSON.stringify(each))
  })
  return cut(words.join(', ').replace(/\s+/g, ' '), { characters: 60, lines: 1 })
}

async function agreed(desk: FormDesk, prompt: string, value: Json): Promise<Answer | undefined> {
  for (;;) {
    const typed = await desk.readLine({ prompt })
    if (typed.kind !== 'line') return undefined
    const text = typed.text.trim()
    if (YES.test(text)) return { action: 'accept', value }
    if (/^no?$/i.test(text)) return { action: 'decline' }
    desk.say('Type y or n. n tells the server that you decline.')
  }
}
