/**
 * What the parts of the shape reader share: the place of a type, and how to read nested types. Types only.
 */
import type ts from 'typescript'
import type { Problems } from './problems.ts'
import type { Shape, UnionShape } from '../shape/shape.ts'
import type { TypeNames } from './type-names.ts'

/** The place of a type: for problems, and for the order in which its source writes a union. */
export interface Place {
  /** Where a problem is reported. */
  readonly node: ts.Node
  /** `order.lines[].price` */
  readonly path: string
  /** The type as it is written here, if it is. */
  readonly written?: ts.TypeNode | undefined
  /** Accepts `any` as any JSON. */
  readonly allowAny?: boolean
}

export interface ReaderOptions {
  readonly program: ts.Program
  readonly names: TypeNames
  readonly problems: Problems
  /** `input`: what a model sends. `output`: the JSON form of a tool's result. */
  readonly mode: 'input' | 'output'
  readonly allowAny: boolean
}

/** A union that was read. Whether its members can be told apart is known when everything is read. */
export interface ReadUnion {
  readonly union: UnionShape
  readonly place: Place
}

/** The part of the shape reader that the readers of objects and unions use. */
export interface Reading {
  readonly options: ReaderOptions
  readonly checker: ts.TypeChecker
  readonly unions: ReadUnion[]
  read(type: ts.Type, place: Place): Shape
  /** Reports a problem with a type, and continues. */
  refuse(place: Place, what: string, fix: string): Shape
  textOf(type: ts.Type): string
}
