import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import type {Environment} from '@gemini-kernel/kernel';
import type {Seat} from '../contract.js';
import type {LineInput, Keyboard} from '@gemini-kernel/terminal';
import {runEditor, type EditingParts} from '../editor/run-editor.js';
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
    return this.#lend(() => editOutside(given, this.parts));
  }

  /** Opens a file itself; whether that worked. An error is printed. */
  async editFile(file: string): Promise<boolean> {
    const done = await this.#lend(async () => {
      await runEditor(file, this.parts);
      return true;
    });
    return done === true;
  }

  async #lend<T>(act: () => Promise<T>): Promise<T | undefined> {
    const {terminal, screen, speaker} = this.parts;
    screen.release();
    terminal.pause();
    try {
      const done = await act();
      this.#resume();
      return done;
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
  parts: EditingParts & Pick<EditorParts, 'environment'>,
): Promise<string> {
  const {cacheDir} = parts.environment;
  await makePrivateFolder(cacheDir);
  const folder = await mkdtemp(join(cacheDir, 'prompt-'));
  try {
    const file = join(folder, basename(name) || 'text');
    await writeFile(file, text, {mode: 0o600});
    await runEditor(file, parts);
    return await readText(file);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
