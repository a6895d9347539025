/** The `WeatherService` of the seeds, as a function. */
export type Unit = 'C' | 'F'

export interface WeatherRequest {
  /** The city and country */
  location: string
  /** Unit of the temperature */
  unit: Unit
}

export interface WeatherResponse {
  temp: number
  unit: Unit
}

/**
 * Get the weather in location.
 * @tool
 * @readOnly
 */
export function currentWeather(request: WeatherRequest): WeatherResponse {
  return { temp: request.unit === 'C' ? 30 : 86, unit: request.unit }
}
