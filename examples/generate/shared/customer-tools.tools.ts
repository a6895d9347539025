// Written by `toolwright generate` from customer-tools.ts. Change that file and run it again.
import { tool, type ToolCallback } from 'toolwright'
import type { CustomerTools } from './customer-tools.ts'

/** The tools of a CustomerTools. */
export const customerTools = (instance: CustomerTools): readonly ToolCallback[] => [
  tool({
    name: 'getCustomerInfo',
    description: 'Retrieve customer information.',
    input: {
      type: 'object',
      properties: { id: { type: 'number' } },
      required: ['id'],
      additionalProperties: false,
    },
    output: {
      anyOf: [
        {
          type: 'object',
          properties: {
            id: { type: 'number' },
            name: { type: 'string' },
            email: { type: 'string', format: 'email' },
          },
          required: ['id', 'name'],
        },
        { type: 'null' },
      ],
    },
    context: {
      type: 'object',
      properties: { tenantId: { type: 'string' } },
      required: ['tenantId'],
      additionalProperties: false,
    },
    hints: { readOnly: true },
    execute: ({ id }, context) => instance.getCustomerInfo(id, context),
  }),
  tool({
    name: 'updateCustomerInfo',
    description: 'Update customer information.',
    input: {
      type: 'object',
      properties: {
        id: { type: 'number' },
        name: { type: 'string' },
        email: { type: 'string', description: 'Left as it is when not given' },
      },
      required: ['id', 'name'],
      additionalProperties: false,
    },
    output: { type: 'string' },
    execute: ({ id, name, email }) => instance.updateCustomerInfo(id, name, email),
  }),
]

type Same<Now, Then> = [Now, Then] extends [Then, Now] ? true : 'changed: run toolwright generate'

type AllTrue<Checks extends readonly true[]> = Checks

/** Does not compile once the source has other parameters or properties: generate again. */
export type CustomerToolsUnchanged = AllTrue<
  [
    Same<Parameters<CustomerTools['getCustomerInfo']>['length'], 2>,
    Same<Parameters<CustomerTools['updateCustomerInfo']>['length'], 2 | 3>,
  ]
>
