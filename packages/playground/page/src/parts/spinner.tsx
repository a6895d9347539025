/** Something is under way. With a label it is told to screen readers too. */
export function Spinner({ label }: { readonly label?: string }) {
  if (label === undefined) return <span class="spinner" aria-hidden="true" />
  return (
    <span class="row quiet" role="status">
      <span class="spinner" aria-hidden="true" />
      {label}
    </span>
  )
}
