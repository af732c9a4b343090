import {spawn} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Seat} from '../contract.js';
import type {LineInput, Keyboard} from '@gemini-kernel/terminal';
import {findEditor} from './own/editors.js';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';

interface EditorParts {
  readonly environment: Pick<Environment, 'variables' | 'cacheDir' | 'platform'>;
  readonly seat: Pick<Seat, 'input' | 'output' | 'service'>;
  readonly terminal: Keyboard;
  readonly screen: Screen;
  readonly speaker: Speaker;
}

/** A text to edit, and the name of the file that shows its kind. */
export interface EditedText {
  readonly text: string;
  readonly name: string;
}

/** Opens texts in the person's own editor. */
export class OutsideEditor {
  constructor(private readonly parts: EditorParts) {}

  /** Opens the prompt. */
  async edit(prompt: LineInput): Promise<void> {
    const edited = await this.editText({text: prompt.text, name: 'prompt.md'});
    if (edited === undefined) return;
    prompt.set(edited.replace(/\r\n/g, '\n').replace(/\n$/, ''));
    this.parts.speaker.print('');
  }

  /** The text as the editor left it, which has the terminal meanwhile; undefined after an error, which is printed. */
  async editText(given: EditedText): Promise<string | undefined> {
    const {terminal, screen, speaker} = this.parts;
    screen.release();
    terminal.pause();
    try {
      const edited = await editOutside(given, this.parts);
      this.#resume();
      return edited;
    } catch (error) {
      this.#resume();
      speaker.complain(error);
      return undefined;
    }
  }

  #resume(): void {
    this.parts.terminal.resume();
    this.parts.screen.acquire();
  }
}

/** The edited text. Throws KernelError EDITOR_MISSING or EDITOR_FAILED. */
async function editOutside(
  {text, name}: EditedText,
  parts: Pick<EditorParts, 'environment' | 'seat'>,
): Promise<string> {
  const {platform, cacheDir} = parts.environment;
  const {input, output} = parts.seat;
  const editor = await findEditor(parts);
  if (!editor)
    throw new KernelError('EDITOR_MISSING', 'No editor is set.', {
      hint: 'Choose one with /editor, or set VISUAL or EDITOR, for example EDITOR=vim.',
    });
  await makePrivateFolder(cacheDir);
  const folder = await mkdtemp(join(cacheDir, 'prompt-'));
  try {
    const file = join(folder, basename(name) || 'text');
    await writeFile(file, text, {mode: 0o600});
    const [command, words] =
      platform === 'win32' ? [`${editor} "${file}"`, []] : ['sh', ['-c', `${editor} "$1"`, 'sh', file]];
    await new Promise<void>((resolve, reject) => {
      const failed = (cause: unknown, how: string): void =>
        reject(
          new KernelError('EDITOR_FAILED', `The editor ${editor} ${how}, so the text is unchanged.`, {
            cause,
            hint: 'Check /editor, VISUAL or EDITOR, which names the editor.',
          }),
        );
      const child = spawn(command, words, {stdio: [input, output, output], shell: platform === 'win32'});
      child.on('error', (cause) => failed(cause, 'could not be started'));
      child.on('close', (code) => (code === 0 ? resolve() : failed(undefined, `ended with code ${code ?? 'none'}`)));
    });
    return await readText(file);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
