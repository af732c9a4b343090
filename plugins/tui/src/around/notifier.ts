import type {Environment} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {safeLine} from '@gemini-kernel/terminal';
import type {Sign, WaitState} from './sign.js';

type Method = 'osc9' | 'osc777' | 'bell';

interface NotifierParts {
  readonly folder: string;
  readonly method: Method;
  write(text: string): unknown;
}

const TEXTS: Readonly<Record<Exclude<WaitState, 'working'>, string>> = {
  ready: 'gemini is done',
  asking: 'gemini asks something',
};
/** Terminals that show notifications, by TERM_PROGRAM or TERM. */
const KNOWN: readonly (readonly [name: RegExp, method: Method])[] = [
  [/^(?:iTerm\.app|ghostty|WezTerm|xterm-kitty|xterm-ghostty)$/, 'osc9'],
  [/^(?:foot|rxvt)/, 'osc777'],
];

/** The terminal says when its window gets or loses the focus. */
export const FOCUS_MODES = {on: '\u001b[?1004h', off: '\u001b[?1004l'};

/** Prepares notifications, if the person wants them. */
export async function openNotifier(
  parts: Omit<NotifierParts, 'method'>,
  settings: Settings,
  environment: Pick<Environment, 'variables'>,
): Promise<Notifier | undefined> {
  if ((await settings.get('general.enableNotifications')) !== true) return undefined;
  const wanted = await settings.get('general.notificationMethod');
  const method = ['osc9', 'osc777', 'bell'].find((one) => one === wanted) as Method | undefined;
  return new Notifier({...parts, method: method ?? recogniseMethod(environment.variables)});
}

function recogniseMethod(variables: Environment['variables']): Method {
  // A multiplexer passes only the bell on.
  if (variables['TMUX'] !== undefined || variables['STY'] !== undefined) return 'bell';
  const names = [variables['TERM_PROGRAM'] ?? '', variables['TERM'] ?? ''];
  return KNOWN.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? 'bell';
}

/** Notifies a person who looks at another window. */
export class Notifier implements Sign {
  #state: WaitState = 'ready';
  #isFocused = true;

  constructor(private readonly parts: NotifierParts) {}

  focus(isFocused: boolean): void {
    this.#isFocused = isFocused;
  }

  show(state: WaitState): void {
    const isNew = state !== this.#state && state !== 'working';
    this.#state = state;
    if (isNew && !this.#isFocused) this.#notify(TEXTS[state]);
  }

  #notify(text: string): void {
    const {method, write, folder} = this.parts;
    const body = `${text} (${safeLine(folder)})`;
    if (method === 'osc9') write(`\u001b]9;${body}\u0007`);
    // A semicolon would end the text.
    else if (method === 'osc777') write(`\u001b]777;notify;gemini;${body.replaceAll(';', ',')}\u0007`);
    else write('\u0007');
  }
}
