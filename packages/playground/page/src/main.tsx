/** Starts the page. */
import { render } from 'preact'

render(<p>toolwright</p>, document.getElementById('app')!)
