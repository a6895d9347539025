/** Our wire types of the Gemini API against those of the official client: what we send it takes, what it gets we read. */
import type {
  Blob as SdkBlob,
  Candidate,
  Content,
  FileData,
  FinishReason,
  FunctionCall,
  FunctionCallingConfigMode,
  FunctionDeclaration,
  FunctionResponse,
  FunctionResponsePart,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  GenerationConfig,
  Part,
  PartialArg,
  ToolConfig,
} from '@google/genai'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  SentCalling,
  SentDeclaration,
  SentGeneration,
  SentMedia,
  SentResult,
  SentToolConfig,
  WireAnswer,
  WireCandidate,
  WireFunctionCall,
  WirePartialArg,
  WireUsage,
} from '../../packages/toolwright/src/providers/google/wire-types.ts'

/** Theirs, not changed by anybody, and with what is not set said to be undefined. */
type Fixed<T> = T extends (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<T[Key]> | undefined }
    : T

type Calling = NonNullable<ToolConfig['functionCallingConfig']>
/** The data of a media part, by the field it stands in. */
type Inline = Extract<SentMedia, { readonly inlineData: unknown }>['inlineData']
type File = Extract<SentMedia, { readonly fileData: unknown }>['fileData']

describe('what we send', () => {
  it('is what they take', () => {
    expectTypeOf<SentGeneration>().toExtend<Fixed<GenerationConfig>>()
    expectTypeOf<SentDeclaration>().toExtend<Fixed<FunctionDeclaration>>()
    expectTypeOf<Omit<SentResult, 'parts'>>().toExtend<Fixed<Omit<FunctionResponse, 'parts'>>>()
    expectTypeOf<SentMedia>().toExtend<Fixed<FunctionResponsePart>>()
    expectTypeOf<SentMedia>().toExtend<Fixed<Part>>()
    expectTypeOf<Inline>().toExtend<Fixed<SdkBlob>>()
    expectTypeOf<File>().toExtend<Fixed<FileData>>()
    expectTypeOf<Omit<SentCalling, 'mode'>>().toExtend<Fixed<Omit<Calling, 'mode'>>>()
    expectTypeOf<SentCalling['mode']>().toExtend<`${FunctionCallingConfigMode}` | undefined>()
  })

  it('has only fields that they know', () => {
    expectTypeOf<keyof SentGeneration>().toExtend<keyof GenerationConfig>()
    expectTypeOf<keyof SentDeclaration>().toExtend<keyof FunctionDeclaration>()
    expectTypeOf<keyof SentResult>().toExtend<keyof FunctionResponse>()
    expectTypeOf<keyof SentToolConfig>().toExtend<keyof ToolConfig>()
    expectTypeOf<keyof SentCalling>().toExtend<keyof Calling>()
    expectTypeOf<keyof Inline>().toExtend<keyof SdkBlob>()
    expectTypeOf<keyof File>().toExtend<keyof FileData>()
  })
})

describe('what we read', () => {
  it('is an answer of theirs', () => {
    expectTypeOf<GenerateContentResponse>().toExtend<WireAnswer>()
    expectTypeOf<Candidate>().toExtend<WireCandidate>()
    expectTypeOf<GenerateContentResponseUsageMetadata>().toExtend<WireUsage>()
    expectTypeOf<FunctionCall>().toExtend<WireFunctionCall>()
    expectTypeOf<PartialArg>().toExtend<WirePartialArg>()
  })

  it('has only fields that they know', () => {
    expectTypeOf<keyof WireAnswer>().toExtend<keyof GenerateContentResponse>()
    expectTypeOf<keyof WireCandidate>().toExtend<keyof Candidate>()
    expectTypeOf<keyof WireUsage>().toExtend<keyof GenerateContentResponseUsageMetadata>()
    expectTypeOf<keyof WireFunctionCall>().toEqualTypeOf<keyof FunctionCall>()
    expectTypeOf<keyof WirePartialArg>().toEqualTypeOf<keyof PartialArg>()
  })

  it('is what they had when the adapter was written: a new kind of part or ending shows here', () => {
    expectTypeOf<keyof Content>().toEqualTypeOf<'parts' | 'role'>()
    type Data =
      | 'text'
      | 'functionCall'
      | 'functionResponse'
      | 'inlineData'
      | 'fileData'
      | 'executableCode'
      | 'codeExecutionResult'
      | 'toolCall'
      | 'toolResponse'
      | 'audioTranscription'
    type About =
      | 'thought'
      | 'thoughtSignature'
      | 'partMetadata'
      | 'mediaResolution'
      | 'videoMetadata'
      | 'mediaProcessing'
      | 'speechMetadata'
    expectTypeOf<keyof Part>().toEqualTypeOf<Data | About>()
    type Endings =
      | 'STOP'
      | 'MAX_TOKENS'
      | 'CONTINUATION'
      | 'SAFETY'
      | 'RECITATION'
      | 'LANGUAGE'
      | 'BLOCKLIST'
      | 'PROHIBITED_CONTENT'
      | 'SPII'
      | 'IMAGE_SAFETY'
      | 'IMAGE_PROHIBITED_CONTENT'
      | 'IMAGE_RECITATION'
      | 'IMAGE_OTHER'
      | 'NO_IMAGE'
      | 'MALFORMED_FUNCTION_CALL'
      | 'UNEXPECTED_TOOL_CALL'
      | 'TOO_MANY_TOOL_CALLS'
      | 'OTHER'
      | 'FINISH_REASON_UNSPECIFIED'
    expectTypeOf<`${FinishReason}`>().toEqualTypeOf<Endings>()
  })
})
