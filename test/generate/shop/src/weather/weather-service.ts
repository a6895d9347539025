export type Unit = 'C' | 'F'

export interface Weather {
  temperature: number
  unit: Unit
}

/** All static: there is nothing to remember. */
export class WeatherService {
  /**
   * Get the weather in a place.
   * @tool
   * @readOnly
   * @param place City, or city and country
   * @param unit Left out: as is usual there
   * @returnDirect
   */
  static currentWeather(place: string, unit?: Unit | null): Weather {
    return { temperature: place.length, unit: unit ?? 'C' }
  }
}
