import {spawn} from 'node:child_process';

/** The machine, as the person's variables describe it. */
export interface BrowserPlace {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Opens an address in the person's browser, without a shell. False when that cannot be expected to work. */
export function openBrowser(url: URL, where: BrowserPlace): Promise<boolean> {
  const program = programFor(where);
  if (!program) return Promise.resolve(false);
  const [command = '', ...args] = program;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url.href], {
      env: where.variables,
      stdio: 'ignore',
      detached: where.platform !== 'win32',
      windowsHide: true,
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Whether `openBrowser` has a program to start. */
export function hasBrowser(where: BrowserPlace): boolean {
  return programFor(where) !== undefined;
}

/** The program that opens addresses; `BROWSER` names another one. */
function programFor({platform, variables}: BrowserPlace): readonly string[] | undefined {
  const {BROWSER: browser, NO_BROWSER: none, CI, SSH_CONNECTION: remote, DISPLAY, WAYLAND_DISPLAY} = variables;
  if (none || browser === 'none') return undefined;
  if (browser) return browser.split(' ');
  if (CI || remote) return undefined;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
