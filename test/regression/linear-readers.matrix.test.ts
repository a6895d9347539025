/**
 * Whoever reads what a model, a tool or a provider wrote takes a number of steps that grows no faster than the text.
 * Looked at are two sizes: a reader that sees everything once takes sixteen times the steps for the larger, one that
 * compares everything with everything 256 times. The bar is in the middle.
 */
import { afterAll, expect, it } from 'vitest'
import { HOSTILE_INPUTS } from './hostile-inputs.ts'
import { StepCounter } from './step-counter.ts'

const GROWTH = 16
const MOST_STEPS = GROWTH ** 1.5

const counter = new StepCounter()
afterAll(() => counter.close())

for (const { reader, name, make, read, from } of HOSTILE_INPUTS)
  it(`${reader}: ${name}`, async () => {
    const [small, large] = [make(from), make(from * GROWTH)]
    // What is compiled or cached the first time is no part of the growth.
    await read(small)
    const few = await counter.stepsOf(() => read(small))
    const many = await counter.stepsOf(() => read(large))
    expect(few, 'the library reads it at all').toBeGreaterThan(0)
    expect(many).toBeLessThan(few * MOST_STEPS)
  })
