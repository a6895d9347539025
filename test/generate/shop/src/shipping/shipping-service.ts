import type { Address } from '../shared/address.ts'

export enum Speed {
  Slow,
  Normal,
  Express = 10,
}

export type Destination = Address | { pickupPoint: `PP-${number}` }

/** Latitude and longitude */
export type Position = [latitude: number, longitude: number]

export class ShippingService {
  /**
   * What shipping costs.
   * @tool
   * @readOnly
   * @param to Where it goes
   * @param weight In kilograms {@minimum 0.1}
   * @param speed How fast
   */
  quote(to: Destination, weight: number, speed: Speed = Speed.Normal): string {
    const where = 'pickupPoint' in to ? to.pickupPoint : to.city
    return `${(weight * (1 + speed)).toFixed(2)} to ${where}`
  }

  /**
   * Follow a parcel.
   * @tool
   * @readOnly
   * @param parcels Their numbers
   */
  async *track(parcels: readonly string[]): AsyncGenerator<string, Record<string, Position>> {
    const positions: Record<string, Position> = {}
    for (const [index, parcel] of parcels.entries()) {
      yield `Looking for ${parcel}`
      positions[parcel] = [50 + index, 8]
    }
    return positions
  }
}
