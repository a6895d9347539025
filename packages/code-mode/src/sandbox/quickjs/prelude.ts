/**
 * What runs in the engine before a program: it makes the globals that the program sees, and the functions by which the
 * host reaches in. A program may change every object it can reach, so nothing here asks the world again after the
 * program has begun: intrinsics are kept in constants, records and descriptors have no prototype, text is framed by
 * lengths instead of JSON, no method is looked up on a value, and no element is set where a setter could stand.
 *
 * Frames of the outbox: a letter, lengths in characters, `;`, then the texts. `T` a call of a tool and `S` a search
 * (name, arguments, stack), `C` a line of the console (level, text).
 */

/** Its name in stack traces; frames of it are the host's business. */
export const PRELUDE_FILE = 'toolwright'

/** Words longer than this are cut where errors are told. */
const LONGEST_WORDS = 2_000
/** Those of an error inside of another. */
const LONGEST_INNER_WORDS = 500
/** How many of the errors that one is made of are told. */
const MOST_INNER = 3
/** What a line that was cut ends with: '…' and the end of the line. */
const LINE_END_BYTES = 4

export const PRELUDE = `(function (bytesOf) {
  'use strict'
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { create, defineProperty, freeze, getPrototypeOf, setPrototypeOf } = Object
  const { slice } = String.prototype
  const NativeError = Error
  const { captureStackTrace } = NativeError
  const NativePromise = Promise
  const NativeProxy = Proxy
  const textOf = String
  const promisePrototype = NativePromise.prototype
  const isError = NativeError.isError

  // A program that could set it would be handed the functions of this file as frames of its stack.
  const fixed = (value) => ({ __proto__: null, value, writable: false, enumerable: false, configurable: false })
  const open = (value) => ({ __proto__: null, value, writable: true, enumerable: false, configurable: true })
  NativeError.stackTraceLimit = 10
  defineProperty(NativeError, 'stackTraceLimit', fixed(10))
  defineProperty(NativeError, 'prepareStackTrace', fixed(undefined))
  delete globalThis.SharedArrayBuffer
  delete globalThis.eval

  let outbox = ''
  let nextIndex = 0
  let openCount = 0
  let openCalls = 0
  let valueBytes = 0
  let consoleLeft = 0
  let isConsoleCut = false
  let consoleBytes = 0
  const waiting = create(null)

  const cutTo = (text, length) => (text.length > length ? apply(slice, text, [0, length]) + '…' : text)
  const cut = (text) => cutTo(text, ${LONGEST_WORDS})
  // Characters are at most three bytes each, so most texts need not be measured.
  const isTooLong = (text) =>
    text.length > valueBytes || (text.length * 3 > valueBytes && bytesOf(text) > valueBytes)

  // Where the program called that function: the frames of this file are left out, programs have lines of their own only.
  const place = { __proto__: null }
  const stackBefore = (called) => {
    captureStackTrace(place, called)
    return place.stack
  }

  class ToolError extends NativeError {
    constructor(message, facts) {
      super(message)
      defineProperty(this, 'stack', open(stackBefore(ToolError)))
      this.code = facts?.code
      this.tool = facts?.tool
    }
  }
  const toolErrorPrototype = ToolError.prototype
  defineProperty(toolErrorPrototype, 'name', open('ToolError'))
  const toolError = (code, tool, message, stack) => {
    const error = new NativeError(message)
    setPrototypeOf(error, toolErrorPrototype)
    defineProperty(error, 'code', { __proto__: null, value: code, writable: true, enumerable: true, configurable: true })
    defineProperty(error, 'tool', { __proto__: null, value: tool, writable: true, enumerable: true, configurable: true })
    defineProperty(error, 'stack', open(stack))
    return error
  }

  // JSON leaves out the name and the message of an error: neither is a field of its own that is listed.
  const errorFields = (error) => ({ __proto__: null, name: error.name, message: error.message, ...error })
  const withErrors = (key, value) => (isError(value) ? errorFields(value) : value)

  // Promises, maps and sets would be written as {}: a promise hides that an await is missing, the others lose what they
  // hold. Methods of theirs say so, because a function that JSON asks about each value costs more than the rest of a call.
  let isLeaving = false
  const wrong = (what) => ({
    toJSON(key) {
      if (isLeaving) throw new TypeError((key === '' ? 'it' : '"' + cut(textOf(key)) + '"') + ' is ' + what)
      return this
    },
  }).toJSON
  defineProperty(promisePrototype, 'toJSON', open(wrong('a promise; await it first')))
  defineProperty(Map.prototype, 'toJSON', open(wrong('a Map, which JSON writes as {}; use Object.fromEntries(map)')))
  defineProperty(Set.prototype, 'toJSON', open(wrong('a Set, which JSON writes as {}; use [...set]')))
  defineProperty(BigInt.prototype, 'toJSON', open(wrong('a BigInt, which JSON does not have; use Number(value), or String(value) if it is large')))
  defineProperty(NativeError.prototype, 'toJSON', open({ toJSON() { return isLeaving ? errorFields(this) : this } }.toJSON))
  // Of what leaves the program.
  const written = (value) => {
    isLeaving = true
    try {
      return stringify(value)
    } finally {
      isLeaving = false
    }
  }

  // The model reads which call failed, because one line may make several.
  const toolWords = (thrown) => {
    if (getPrototypeOf(thrown) !== toolErrorPrototype) return ''
    const { tool, code } = thrown
    return typeof tool === 'string' && typeof code === 'string' ? cut(tool) + ' (' + cut(code) + '): ' : ''
  }
  const ownFacts = (thrown) => {
    let name = 'Error'
    let message = ''
    let stack = ''
    try {
      if ((typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function') {
        const { name: itsName, message: itsMessage, stack: itsStack } = thrown
        if (typeof itsName === 'string' && itsName !== '' && itsName.length <= 100) name = itsName
        if (typeof itsMessage === 'string') message = toolWords(thrown) + itsMessage
        else message = (stringify(thrown, withErrors) ?? 'A function') + ' was thrown; throw an Error instead.'
        if (typeof itsStack === 'string' && itsStack.length <= 20_000) stack = itsStack
      } else if (typeof thrown === 'string') message = thrown
      else message = textOf(thrown) + ' was thrown; throw an Error instead.'
    } catch {
      name = 'Error'
      message = 'What was thrown cannot be read.'
    }
    return { __proto__: null, name, message: cut(message), stack }
  }
  const listOf = (errors) => {
    if (typeof errors !== 'object' || errors === null) return ''
    const { length } = errors
    if (typeof length !== 'number') return ''
    let list = ''
    for (let at = 0; at < length && at < ${MOST_INNER}; at++)
      list += (at === 0 ? '' : '; ') + cutTo(ownFacts(errors[at]).message, ${LONGEST_INNER_WORDS})
    return length > ${MOST_INNER} ? list + '; and ' + (length - ${MOST_INNER}) + ' more' : list
  }
  const causeOf = (cause) => {
    if (!isError(cause)) return ''
    const { name, message } = ownFacts(cause)
    return 'Caused by: ' + name + ': ' + cutTo(message, ${LONGEST_INNER_WORDS})
  }
  const joined = (first, mark, second) => {
    if (first === '' || second === '') return first + second
    return first + (first[first.length - 1] === '.' ? '' : mark) + ' ' + second
  }
  // Errors inside of an error often say why it was thrown. They are told one level deep, since they may go round.
  const withInner = (thrown, message) => {
    try {
      if (!isError(thrown)) return message
      const { errors, cause } = thrown
      return joined(joined(message, ':', listOf(errors)), '.', causeOf(cause))
    } catch {
      return message
    }
  }
  const facts = (thrown) => {
    const { name, message, stack } = ownFacts(thrown)
    return { __proto__: null, name, message: withInner(thrown, message), stack }
  }
  const inWords = (thrown) => {
    const { name, message } = facts(thrown)
    return name + ': ' + message
  }

  // One executor for all promises, and no function that holds on to a call: to make them took longer than the rest.
  let newestResolve
  let newestReject
  const keepSettlers = (resolve, reject) => {
    newestResolve = resolve
    newestReject = reject
  }
  // The last is what the program called for it.
  const call = (letter, name, input, called) => {
    const stack = stackBefore(called)
    const promise = new NativePromise(keepSettlers)
    // All of its fields are its own, so that none is looked for elsewhere.
    send(letter, input, { resolve: newestResolve, reject: newestReject, name, stack })
    return promise
  }
  const refuse = ({ reject, name, stack }, code, message) => reject(toolError(code, name, message, stack))
  const send = (letter, input, made) => {
    const { name, stack } = made
    if (typeof name !== 'string' || name.length > 1000) {
      made.name = 'callTool'
      return refuse(made, 'unknown-tool', 'The name of a tool is a short text.')
    }
    if (letter === 'S' && typeof input !== 'string')
      return refuse(made, 'invalid-arguments', 'searchTools takes a text to search by; it got ' + (input === null ? 'null' : typeof input) + '.')
    let text
    try {
      text = input === undefined ? '{}' : written(input)
    } catch (thrown) {
      return refuse(made, 'invalid-arguments', 'The input cannot be written as JSON. ' + inWords(thrown))
    }
    if (typeof text !== 'string')
      return refuse(made, 'invalid-arguments', 'The input is a ' + typeof input + '; give plain data.')
    if (isTooLong(text))
      return refuse(made, 'limit', 'The input is longer than ' + valueBytes + ' bytes (limits.valueBytes); send less at a time.')
    if (openCount >= openCalls)
      return refuse(made, 'limit', 'More than ' + openCalls + ' calls are open (limits.openCalls); await some of them before the next.')
    const told = stack.length > 4000 ? '' : stack
    outbox += letter + name.length + ',' + text.length + ',' + told.length + ';' + name + text + told
    waiting[nextIndex] = made
    nextIndex++
    openCount++
  }

  const settle = (index, json, code, tool, message) => {
    if (!(index in waiting)) return false
    const { resolve, reject, name, stack } = waiting[index]
    delete waiting[index]
    openCount--
    if (code !== undefined) return reject(toolError(code, tool === '' ? name : tool, message, stack))
    if (json === undefined) return resolve()
    let value
    try {
      value = parse(json)
    } catch (thrown) {
      return reject(toolError('output', name, 'The result cannot be read. ' + inWords(thrown), stack))
    }
    resolve(value)
  }

  const shown = (value) => {
    try {
      if (typeof value === 'string') return value
      if (typeof value === 'bigint') return textOf(value) + 'n'
      if (typeof value === 'function') return '[function]'
      if (typeof value !== 'object' || value === null) return textOf(value)
      if (isError(value)) return inWords(value)
      return stringify(value, withErrors) ?? textOf(value)
    } catch (thrown) {
      return '[' + inWords(thrown) + ']'
    }
  }
  // The longest beginning of so many bytes, by halves; no character is cut in two.
  const fitting = (text, bytes) => {
    let fits = 0
    let tooLong = (text.length < bytes ? text.length : bytes) + 1
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >>> 1
      if (bytesOf(apply(slice, text, [0, middle])) <= bytes) fits = middle
      else tooLong = middle
    }
    const last = fits === 0 ? '' : text[fits - 1]
    return apply(slice, text, [0, last >= '\\ud800' && last <= '\\udbff' ? fits - 1 : fits])
  }
  const sendLine = (level, text) => {
    outbox += 'C' + level.length + ',' + text.length + ';' + level + text
  }
  const write = (level, text) => {
    // One that is surely too long is not measured: it may be so long that there is no memory to do that.
    const bytes = text.length < consoleLeft ? bytesOf(text) + 1 : text.length + 1
    if (bytes <= consoleLeft) {
      consoleLeft -= bytes
      return sendLine(level, text)
    }
    isConsoleCut = true
    const room = consoleLeft - ${LINE_END_BYTES}
    const kept = room > 0 ? fitting(text, room) : ''
    if (kept !== '') sendLine(level, kept + '…')
    sendLine('warn', 'The console takes ' + consoleBytes + ' bytes of a program (limits.consoleBytes); the rest is left out.')
  }
  const writer = (level) => (...values) => {
    if (isConsoleCut) return
    let line = ''
    for (let at = 0; at < values.length && line.length <= consoleLeft; at++)
      line += (at === 0 ? '' : ' ') + shown(values[at])
    write(level, line)
  }
  const nothing = () => {}
  const log = writer('log')
  const error = writer('error')
  const consoleObject = {
    log, info: writer('info'), debug: writer('debug'), warn: writer('warn'), error,
    dir: (value) => log(value), table: (value) => log(value), trace: log, group: log, groupCollapsed: log,
    assert: (holds, ...values) => holds || error('Assertion failed', ...values),
    groupEnd: nothing, time: nothing, timeLog: nothing, timeEnd: nothing, count: nothing, countReset: nothing,
  }

  const seedRandom = (low, high) => {
    // sfc32: two draws make the 53 bits of a number.
    let a = 0x9e3779b9 | 0
    let b = low | 0
    let c = high | 0
    let counter = 1
    const draw = () => {
      const sum = (a + b + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = ((c << 21) | (c >>> 11)) + sum | 0
      return sum >>> 0
    }
    for (let round = 0; round < 12; round++) draw()
    const random = () => ((draw() >>> 5) * 67108864 + (draw() >>> 6)) / 9007199254740992
    defineProperty(Math, 'random', open({ random: () => random() }.random))
  }

  const toolsFor = (names) => {
    const functionFor = (name) => {
      const called = (input) => call('T', name, input, called)
      return called
    }
    // A name that is not listed is called all the same, so that whoever answers can say which names there are; but not for
    // \`await tools\` and \`return tools\`.
    const others = new NativeProxy(create(null), {
      __proto__: null,
      get: (_target, name) => (typeof name !== 'string' || name === 'then' || name === 'toJSON' ? undefined : functionFor(name)),
    })
    const tools = create(others)
    for (const name of names)
      defineProperty(tools, name, { __proto__: null, value: functionFor(name), enumerable: true })
    return freeze(tools)
  }

  const callTool = (name, input) => call('T', name, input, callTool)
  const searchTools = (query) => call('S', 'searchTools', query, searchTools)

  const setUp = (text) => {
    const settings = parse(text)
    openCalls = settings.openCalls
    valueBytes = settings.valueBytes
    consoleBytes = consoleLeft = settings.consoleBytes
    seedRandom(settings.low, settings.high)
    const globals = {
      tools: toolsFor(settings.toolNames),
      callTool,
      console: consoleObject,
      ToolError,
    }
    if (settings.hasSearch) globals.searchTools = searchTools
    for (const name of Object.keys(globals)) defineProperty(globalThis, name, open(globals[name]))
  }

  const take = () => {
    const text = outbox
    outbox = ''
    return text
  }
  const describe = (thrown) => {
    const { name, message, stack } = facts(thrown)
    return name.length + ',' + message.length + ';' + name + message + stack
  }
  // A letter says what follows: U nothing, J the text, E words about what is wrong.
  const result = (value) => {
    if (value === undefined) return 'U'
    let text
    try {
      text = written(value)
    } catch (thrown) {
      return 'E' + 'What the program returns cannot be written as JSON: ' + inWords(thrown)
    }
    if (typeof text !== 'string') return 'E' + 'The program returns a ' + typeof value + '; return plain data.'
    if (isTooLong(text))
      return 'E' + 'What the program returns is longer than ' + valueBytes + ' bytes (limits.valueBytes); return less, or a summary.'
    return 'J' + text
  }
  // Whether nothing is waited for.
  const isIdle = () => (openCount === 0 ? 'I' : '')
  return { __proto__: null, setUp, take, settle, describe, result, isIdle }
})`
