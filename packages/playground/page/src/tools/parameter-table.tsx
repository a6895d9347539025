/** The parameters of a schema as a table. */
import type { JsonSchema } from 'toolwright'
import { printable } from '../parts/printable.ts'
import { type ParameterRow, parameterRows } from './parameter-rows.ts'

export function ParameterTable({ schema }: { readonly schema: JsonSchema }) {
  const rows = parameterRows(schema)
  if (rows.length === 0) return <p class="quiet">There is nothing in it.</p>
  return (
    <table class="parameters">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row }: { readonly row: ParameterRow }) {
  return (
    <tr>
      <th scope="row" class="mono">
        {printable(row.name || 'the whole')}
      </th>
      <td>
        {row.type}
        {row.isRequired ? <span class="required"> required</span> : null}
      </td>
      <td>
        {row.description === '' ? null : <p class="note-text">{printable(row.description)}</p>}
        {row.allowed.length === 0 ? null : (
          <p class="quiet">
            {row.allowed.map((each) => (
              <code key={each} class="allowed">
                {printable(each)}
              </code>
            ))}
          </p>
        )}
        {row.default === undefined ? null : (
          <p class="quiet">{`Default: ${printable(JSON.stringify(row.default))}`}</p>
        )}
      </td>
    </tr>
  )
}
