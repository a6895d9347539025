/** What the parts of the shape reader share: where a type stands, and how to read what is inside it. Types only. */
import type ts from 'typescript'
import type { Problems } from './problems.ts'
import type { Shape, UnionShape } from '../shape/shape.ts'
import type { TypeNames } from './type-names.ts'

/** Where a type stands: for problems, and for the order in which its source writes a union. */
export interface Place {
  /** Where a problem is shown. */
  readonly node: ts.Node
  /** `order.lines[].price` */
  readonly path: string
  /** The type as written here, if it is. */
  readonly written?: ts.TypeNode | undefined
  /** `any` is taken as any JSON. */
  readonly allowAny?: boolean
}

export interface ReaderOptions {
  readonly program: ts.Program
  readonly names: TypeNames
  readonly problems: Problems
  /** `input`: what a model sends. `output`: what JSON makes of what a tool gives. */
  readonly mode: 'input' | 'output'
  readonly allowAny: boolean
}

/** A union that was read; whether its members can be told apart is known once all is read. */
export interface ReadUnion {
  readonly union: UnionShape
  readonly place: Place
}

/** A reader as the readers of objects and unions see it. */
export interface Reading {
  readonly options: ReaderOptions
  readonly checker: ts.TypeChecker
  readonly unions: ReadUnion[]
  read(type: ts.Type, place: Place): Shape
  /** Says what is wrong with a type, and goes on. */
  refuse(place: Place, what: string, fix: string): Shape
  textOf(type: ts.Type): string
}
