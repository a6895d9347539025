/** What is made once for each model: serialised tools, clients. */
export function perModel<Made>(make: (model: string) => Made): (model: string) => Made {
  const known = new Map<string, Made>()
  return (model) => {
    let made = known.get(model)
    if (made === undefined) known.set(model, (made = make(model)))
    return made
  }
}
