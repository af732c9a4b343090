/** What a terminal said about itself. Undefined: it did not say. */
export interface Answers {
  /** Whether it answered anything. */
  readonly answers: boolean;
  readonly name?: string;
  readonly reportsCursor: boolean;
  readonly kittyKeys: boolean;
  readonly modifyOtherKeys: boolean;
  readonly background?: 'light' | 'dark';
  readonly focus: boolean | undefined;
  readonly paste: boolean | undefined;
  readonly synchronised: boolean | undefined;
  /** Whether it says that programs may write the clipboard. */
  readonly clipboard: boolean;
}

/** Reads the answers of a terminal. */
export function readAnswers(heard: string): Answers {
  const name = /\u001bP>\|([^\u001b\u0007]{1,100})/.exec(heard)?.[1]?.replaceAll(/[^\u0020-\u007e]/g, '');
  const background = readBackground(heard);
  return {
    answers: heard.includes('\u001b['),
    ...(name === undefined ? {} : {name}),
    reportsCursor: /\u001b\[\d+;\d+R/.test(heard),
    kittyKeys: /\u001b\[\?\d+u/.test(heard),
    modifyOtherKeys: /\u001b\[>4;\d*m/.test(heard),
    ...(background === undefined ? {} : {background}),
    focus: modeOf(heard, 1004),
    paste: modeOf(heard, 2004),
    synchronised: modeOf(heard, 2026),
    // Among the attributes of the terminal, as some list it.
    clipboard: /\u001b\[\?(?:\d+;)*52(?:;\d+)*c/.test(heard),
  };
}

/** Whether a mode can be set: 0 and 4 mean that it cannot. */
function modeOf(heard: string, mode: number): boolean | undefined {
  const value = new RegExp(`\\u001b\\[\\?${mode};(\\d)\\$y`).exec(heard)?.[1];
  return value === undefined ? undefined : value !== '0' && value !== '4';
}

function readBackground(heard: string): 'light' | 'dark' | undefined {
  const match = /\u001b\]11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(heard);
  if (!match) return undefined;
  const [red = 0, green = 0, blue = 0] = match
    .slice(1, 4)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
