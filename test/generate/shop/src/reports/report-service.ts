/** A report for a span of time, with parameters of its own. */
export interface ReportRequest<Kind extends string, Parameters> {
  kind: Kind
  period: { from: Date; to: Date }
  parameters: Parameters
}

export type SalesReport = ReportRequest<'sales', { byCountry?: boolean }>
export type StockReport = ReportRequest<'stock', { at: Date; skus: ReadonlySet<string> }>

export interface Cell {
  label: string
  value: number | string | null
}

export class ReportService {
  /**
   * Make a report.
   * @tool
   * @readOnly
   * @param request Which one
   * @param limit The most rows {@minimum 1} {@maximum 500}
   */
  async report(request: SalesReport | StockReport, limit = 100): Promise<Cell[][]> {
    const days = (request.period.to.getTime() - request.period.from.getTime()) / 86_400_000
    const detail =
      request.kind === 'sales'
        ? { label: 'by country', value: String(request.parameters.byCountry ?? false) }
        : { label: [...request.parameters.skus].join(), value: request.parameters.at.getUTCDate() }
    return [[{ label: request.kind, value: days }, detail, { label: 'limit', value: limit }]]
  }

  /**
   * Keep any settings for the next time.
   * @tool
   * @param settings Whatever the report page shows
   */
  keepSettings(settings: Record<string, unknown>): string {
    return Object.keys(settings).join(', ')
  }
}
