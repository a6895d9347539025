/**
 * Every error code with its next step, in one table. `docs/errors.md` is checked against it. The
 * message of an error says what happened and what we had; the next step says what to do.
 */
export type ErrorFamily = 'caller' | 'model' | 'outside' | 'limits'

export interface CatalogueEntry {
  readonly family: ErrorFamily
  readonly nextStep: string
}

const caller = (nextStep: string): CatalogueEntry => ({ family: 'caller', nextStep })
const model = (nextStep: string): CatalogueEntry => ({ family: 'model', nextStep })
const outside = (nextStep: string): CatalogueEntry => ({ family: 'outside', nextStep })
const limits = (nextStep: string): CatalogueEntry => ({ family: 'limits', nextStep })

export const CATALOGUE = {
  // The program is wrong: found before the model is asked where possible.
  'unknown-option': caller('Remove the option or correct its spelling.'),
  'invalid-option': caller('Give the option a value of the kind the message names.'),
  'duplicate-tool': caller('Rename one of the tools, or offer only one of them.'),
  'invalid-tool': caller('Correct the tool definition as the message says.'),
  'invalid-tool-source': caller(
    'Pass a tool, a provider, an object or class with tools, a record, or an array of these; await promises first.',
  ),
  'invalid-tool-context': caller('Give the keys the tool declares with .toolContext({...}).'),
  'invalid-schema': caller('Correct the schema as the message says.'),
  'unknown-tool-name': caller('Correct the name, or register the tool with the resolver.'),
  'two-tool-calling-advisors': caller('Keep one tool-calling advisor per client.'),
  'invalid-advisor': caller('Correct the advisor as the message says.'),
  'history-without-memory': caller(
    'Add a memory advisor inside the loop (order above the tool-calling advisor), or leave conversationHistory on.',
  ),
  'invalid-message': caller('Correct the message as the message text says.'),
  'missing-conversation-id': caller('Name the conversation with .conversation(id).'),
  'missing-api-key': caller('Pass apiKey, or set the environment variable the message names.'),
  'invalid-base-url': caller(
    'Give baseUrl as an absolute http(s) address including the version path, e.g. https://host/v1.',
  ),
  'no-tool-call': caller('Call executeToolCalls only with a response that asks for tools.'),
  // A suspended run cannot go on like this: the state stays usable.
  'state-invalid': caller('Pass the state exactly as the suspended run gave it.'),
  'state-signature': caller('Use the untouched state, and the same stateSecret on both sides.'),
  'state-used': caller('A state resumes once: use the state of the newest suspension.'),
  'state-tools-changed': caller(
    'Offer the same tools with the same definitions as when the run was suspended.',
  ),
  'decision-unknown-call': caller('Decide only calls listed in pending.'),
  'decision-wrong-kind': caller(
    'Give approvals approve, deny or edit; results result or deny; questions answer or deny.',
  ),
  'decision-invalid-edit': caller("Edit the input so that it fits the tool's schema and policy."),
  'decision-missing': caller('Give a decision for at least one pending call.'),
  'resume-messages': caller('Resume without new messages; send them in a new request afterwards.'),
  // The model misbehaved beyond what it can be told.
  'incomplete-stream': model('Ask again; nothing of the cut answer was executed.'),
  'invalid-response': model(
    'Check that the endpoint speaks the dialect of this adapter; ask again.',
  ),
  'no-answer': model('Look at the finish reason and the messages of the result.'),
  // The outside world failed.
  'provider-rejected': outside('Correct the request as the provider says.'),
  'provider-auth': outside('Check the API key and its permissions.'),
  'provider-not-found': outside(
    'Check the model name and the baseUrl, which must include the version path.',
  ),
  'provider-rate-limit': outside('Wait, lower the rate, or raise the quota.'),
  'provider-unavailable': outside('Try again later, or put the model behind fallbackModel.'),
  'provider-unreachable': outside('Check the baseUrl, the network and any proxy.'),
  'provider-timeout': outside('Try again, or raise idleTimeoutMs.'),
  'provider-too-large': outside('The answer passed the size limit; check the endpoint.'),
  'tool-execution': outside('Look at the cause: it is what the tool threw.'),
  'tool-output': outside(
    'Make the tool return what its output schema says, or correct the schema.',
  ),
  'tool-input': outside('Correct the arguments as the issues say.'),
  'tool-timeout': outside('Make the tool faster, or raise its timeoutMs.'),
  // A budget ended.
  'run-limit': limits(
    'Raise the limit the message names, or look at error.result for what was obtained.',
  ),
  'run-suspended': limits(
    'Collect decisions for error.result.pending and resume with error.result.state.',
  ),
  'run-abandoned': limits('Keep reading the run, or start a new one.'),
  // Ours.
  internal: limits('This is a defect of toolwright: please report it with the message.'),
  // The testing kit.
  'script-mismatch': caller('Correct the script, or the program under test.'),
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof CATALOGUE
