import {spawn} from 'node:child_process';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Entry, Seat} from '../../contract.js';
import type {Speaker} from '../speaker.js';

interface CopyParts {
  readonly seat: Seat;
  readonly environment: Pick<Environment, 'variables' | 'platform'>;
  readonly speaker: Speaker;
}

/** A program that puts its standard input on the clipboard. */
type Program = readonly [command: string, ...words: readonly string[]];

/** Terminals take so many bytes at most. */
const MOST_BYTES = 74_000;
const PROGRAM_MS = 3000;

/** `/copy`: puts the source text of the last answer on the clipboard; `/copy code` its last code block. */
export async function copyAnswer(what: string, parts: CopyParts): Promise<void> {
  const {seat, environment, speaker} = parts;
  const text = textToCopy(await seat.conversations.history(seat.conversation), what);
  for (const program of programsFor(environment)) {
    if (!(await runWith(program, text))) continue;
    return speaker.print(`Copied ${describe(text)}.\n`);
  }
  const bytes = Buffer.from(text);
  if (bytes.length > MOST_BYTES)
    throw new KernelError('COPY_TOO_LONG', `${describe(text)} are more than a terminal takes.`, {
      hint: 'Install wl-copy, xclip or xsel, or copy the answer with the mouse.',
    });
  seat.output.write(`\u001b]52;c;${bytes.toString('base64')}\u0007`);
  speaker.print(`Sent ${describe(text)} to the clipboard of your terminal, if it allows that.\n`);
}

/** The last answer, or its last code block. */
export function textToCopy(entries: readonly Entry[], what: string): string {
  const answers = entries.filter(({kind}) => kind === 'model').map(({message}) => textIn(message.pieces));
  const answer = answers.findLast((text) => text.trim() !== '');
  if (answer === undefined)
    throw new KernelError('COPY_EMPTY', 'There is no answer to copy.', {hint: 'Ask something first.'});
  if (what === '') return answer.trimEnd();
  if (what !== 'code')
    throw new KernelError('COPY_EMPTY', `/copy cannot copy "${what}".`, {hint: 'Type /copy, or /copy code.'});
  const block = [...answer.matchAll(/^(`{3,}|~{3,})[^\n]*\n([^]*?)^\1/gm)].at(-1)?.[2];
  if (block === undefined)
    throw new KernelError('COPY_EMPTY', 'The last answer has no code block.', {hint: 'Type /copy to copy all of it.'});
  return block.trimEnd();
}

function textIn(pieces: Entry['message']['pieces']): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

function describe(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? `${text.length} characters` : `${lines} lines`;
}

/** The programs of this machine; none for a remote session, whose clipboard is elsewhere. */
export function programsFor({variables, platform}: CopyParts['environment']): readonly Program[] {
  if (variables['SSH_TTY'] !== undefined || variables['SSH_CONNECTION'] !== undefined) return [];
  if (platform === 'darwin') return [['pbcopy']];
  if (platform === 'win32') return [['clip']];
  return [
    ...(variables['WAYLAND_DISPLAY'] === undefined ? [] : ([['wl-copy']] as const)),
    ...(variables['DISPLAY'] === undefined
      ? []
      : ([
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ] as const)),
  ];
}

/** Whether the program took the text. */
function runWith([command, ...words]: Program, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, words, {stdio: ['pipe', 'ignore', 'ignore'], timeout: PROGRAM_MS});
    child.on('error', () => resolve(false));
    // Programs for X stay in the background to serve the text, and only the first process ends.
    child.on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
}
