/** The model that is asked next. The choice is remembered; one that is not there any more is the first again. */
import { useState } from 'preact/hooks'
import { useSession } from '../shell/session.ts'
import { chosenModel } from './kept-text.ts'

export function useModelChoice(): readonly [id: string, choose: (id: string) => void] {
  const models = useSession()?.models ?? []
  const [wanted, setWanted] = useState(() => chosenModel.get())
  const chosen = models.find(({ id }) => id === wanted) ?? models[0]
  const choose = (id: string): void => {
    chosenModel.set(id)
    setWanted(id)
  }
  return [chosen?.id ?? '', choose]
}
