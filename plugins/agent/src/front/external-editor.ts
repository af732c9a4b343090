import {spawn} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Seat} from '../contract.js';
import type {LineInput, Keyboard} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';

interface EditorParts {
  readonly environment: Pick<Environment, 'variables' | 'cacheDir' | 'platform'>;
  readonly seat: Pick<Seat, 'input' | 'output'>;
  readonly terminal: Keyboard;
  readonly screen: Screen;
  readonly speaker: Speaker;
}

/** Opens prompts in the person's own editor. */
export class OutsideEditor {
  constructor(private readonly parts: EditorParts) {}

  /** Opens the prompt; the editor has the terminal until it ends. */
  async edit(prompt: LineInput): Promise<void> {
    const {terminal, screen, speaker} = this.parts;
    screen.release();
    terminal.pause();
    try {
      prompt.set(await editOutside(prompt.text, this.parts));
      this.#resume();
      speaker.print('');
    } catch (error) {
      this.#resume();
      speaker.complain(error);
    }
  }

  #resume(): void {
    this.parts.terminal.resume();
    this.parts.screen.acquire();
  }
}

/** The edited text. Throws KernelError EDITOR_MISSING or EDITOR_FAILED. */
async function editOutside(
  text: string,
  {environment, seat: {input, output}}: Pick<EditorParts, 'environment' | 'seat'>,
): Promise<string> {
  const {variables, platform, cacheDir} = environment;
  const editor = variables['VISUAL'] || variables['EDITOR'];
  if (!editor)
    throw new KernelError('EDITOR_MISSING', 'No editor is set for prompts.', {
      hint: 'Set VISUAL or EDITOR, for example EDITOR=vim.',
    });
  await makePrivateFolder(cacheDir);
  const folder = await mkdtemp(join(cacheDir, 'prompt-'));
  try {
    const file = join(folder, 'prompt.md');
    await writeFile(file, text, {mode: 0o600});
    const [command, words] =
      platform === 'win32' ? [`${editor} "${file}"`, []] : ['sh', ['-c', `${editor} "$1"`, 'sh', file]];
    await new Promise<void>((resolve, reject) => {
      const failed = (cause: unknown, how: string): void =>
        reject(
          new KernelError('EDITOR_FAILED', `The editor ${editor} ${how}, so the prompt is unchanged.`, {
            cause,
            hint: 'Check VISUAL or EDITOR, which names the editor.',
          }),
        );
      const child = spawn(command, words, {stdio: [input, output, output], shell: platform === 'win32'});
      child.on('error', (cause) => failed(cause, 'could not be started'));
      child.on('close', (code) => (code === 0 ? resolve() : failed(undefined, `ended with code ${code ?? 'none'}`)));
    });
    return (await readText(file)).replace(/\r\n/g, '\n').replace(/\n$/, '');
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
