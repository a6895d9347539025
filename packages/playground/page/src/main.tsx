/** Starts the page. */
import { render } from 'preact'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/form.css'
import './styles/tools.css'
import { App } from './shell/app.tsx'
import { startNews } from './shell/news.ts'
import { loadSession } from './shell/session.ts'
import { applyTheme } from './shell/theme.ts'
import { takeUpHandCalls } from './tools/hand-calls.ts'
import { hearOfTools } from './tools/tool-list-store.ts'

applyTheme()
void loadSession()
hearOfTools()
void takeUpHandCalls()
startNews()
render(<App />, document.getElementById('app')!)
