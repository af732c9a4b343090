import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Environment, Form, FormAnswer} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import {EDITORS, isElsewhere, keysFolder} from './editor-places.js';
import {NEWLINE_KEY, planKeys} from './plan-keys.js';

/** What became of the keys of an editor. */
export interface KeysOutcome {
  readonly outcome: 'advice' | 'there' | 'taken' | 'declined' | 'written';
  readonly file?: string;
  /** The file as it was before. */
  readonly backup?: string;
}

export interface KeysParts {
  readonly environment: Pick<Environment, 'home' | 'platform' | 'variables'>;
  readonly files: Pick<ConfigFiles, 'read' | 'replace'>;
  /** Whether nothing is asked. */
  readonly isSure: boolean;
  say(line: string): void;
  ask(form: Form): Promise<FormAnswer>;
}

interface Change {
  readonly name: string;
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** Adds Shift+Enter to the keys of an editor, after a question. Throws KernelError EDITOR_KEYS_BROKEN. */
export async function setUpKeys(editor: string, parts: KeysParts): Promise<KeysOutcome> {
  const {environment, files, say} = parts;
  const name = EDITORS[editor]?.name ?? editor;
  const folder = keysFolder(editor, environment);
  if (isElsewhere(environment)) return advise(name, 'its window may be on another machine', say);
  if (!existsSync(folder)) return advise(name, `${folder} is not there`, say);
  const file = join(folder, 'keybindings.json');
  const before = await files.read(file);
  const plan = await planKeys(file, before);
  if (plan.kind === 'add') return write({name, file, before, after: plan.after}, parts);
  if (plan.kind === 'there') say(`${file} has Shift+Enter already. Open a new terminal if it does not work.`);
  else {
    say(`${file} was not changed: it uses Shift+Enter for something else.`);
    say(`  ${plan.entry}`);
    say('Change that entry yourself, or use Ctrl+J.');
  }
  return {outcome: plan.kind, file};
}

function advise(name: string, why: string, say: KeysParts['say']): KeysOutcome {
  say(`The keys of ${name} cannot be changed from here: ${why}.`);
  say('In its window, run "Preferences: Open Keyboard Shortcuts (JSON)" from the command palette, and add:');
  say(entryText());
  return {outcome: 'advice'};
}

async function write(change: Change, parts: KeysParts): Promise<KeysOutcome> {
  const {files, isSure, say} = parts;
  const {name, file, before, after} = change;
  const backup = before === undefined ? undefined : freeName(`${file}.before-gemini`);
  if (!isSure && !(await agree(change, backup, parts))) return {outcome: 'declined', file};
  if (before !== undefined && backup !== undefined) await files.replace(backup, undefined, before);
  if (!(await files.replace(file, before, after))) {
    say(`${file} was changed by another program meanwhile, and is left alone. Run this again.`);
    return {outcome: 'declined', file};
  }
  say(`Wrote ${file}. Shift+Enter makes a new line in terminals of ${name} now.`);
  if (backup !== undefined) say(`The file as it was: ${backup}`);
  return {outcome: 'written', file, ...(backup === undefined ? {} : {backup})};
}

async function agree({name, file}: Change, backup: string | undefined, {ask, say}: KeysParts): Promise<boolean> {
  const kept = backup === undefined ? 'The file is new.' : `The rest of the file stays. A copy goes to ${backup}.`;
  const answer = await ask({
    title: `Let Shift+Enter make a new line in terminals of ${name}?`,
    text: `This is added to ${file}:\n${entryText()}\n${kept}`,
    about: {kind: 'editor-keys', file},
    fields: [{name: 'write', label: 'Add it?', kind: 'yes-no', default: false}],
  });
  if (answer.outcome === 'answered' && answer.values['write'] === true) return true;
  const hint = answer.outcome === 'nobody' ? ' No one could be asked; --yes adds it without a question.' : '';
  say(`${file} was not changed.${hint}`);
  return false;
}

function entryText(): string {
  return JSON.stringify(NEWLINE_KEY, null, 2).replaceAll(/^/gm, '  ');
}

/** A name that no file has yet. */
function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(name)) return name;
  }
}
