/** The server was asked for something it cannot be. The message says what to give instead. */
export class FaultServerError extends Error {
  override name = 'FaultServerError'
  readonly code = 'invalid-option'
}
