import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import type {Trust} from '@gemini-kernel/plugin-trust/contract';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';

interface Asking {
  ask(form: Form): Promise<FormAnswer>;
  say(line: string): void;
}

interface Parts extends Asking {
  readonly trust: Trust;
  /** Directories that the project's settings would add. */
  readonly wants: readonly string[];
}

const LEVELS = {yes: 'TRUST_FOLDER', parent: 'TRUST_PARENT', no: 'DO_NOT_TRUST'} as const;

/** Asks the person about a folder that has no level of trust yet. */
export async function askForTrust({trust, wants, ask, say}: Parts): Promise<void> {
  const {trusted, source, folder} = await trust.state();
  if (trusted || source !== 'none') return;
  const answer = await ask(trustForm(folder, wants));
  const level = answer.outcome === 'answered' ? LEVELS[answer.values['trust'] as keyof typeof LEVELS] : undefined;
  if (level) say(`Saved in ${(await trust.set(folder, level)).file}.`);
  if (!level || level === 'DO_NOT_TRUST')
    say('gemini starts without the configuration of the folder, and asks before each change.');
}

function trustForm(folder: string, wants: readonly string[]): Form {
  const more =
    wants.length === 0
      ? ''
      : `\nIts settings also name directories outside it. You are asked about those separately: ${wants.join(', ')}`;
  return {
    title: `Do you trust ${folder}?`,
    text: `If you do, gemini uses its settings, commands, context files and servers. Enter: ask next time.${more}`,
    about: {kind: 'trust', folder, directories: wants},
    fields: [
      {
        name: 'trust',
        kind: 'choice',
        label: 'Trust it?',
        options: [
          {value: 'yes', label: 'yes', key: 'y'},
          {value: 'parent', label: 'parent folder and all in it', key: 'p'},
          {value: 'no', label: 'no', key: 'n'},
        ],
      },
    ],
  };
}

/** Asks the person about directories that something else wants to add to the workspace. */
export async function askForDirectories(workspace: Workspace, {ask, say}: Asking): Promise<void> {
  const pending = await workspace.pending();
  for (const {path} of pending.filter(({isClosed}) => isClosed))
    say(`Not adding ${path}: it is a system directory, or holds secrets. To add it, run gemini directory add.`);
  const open = pending.filter(({isClosed}) => !isClosed).map(({path}) => path);
  if (open.length === 0) return;
  const answer = await ask({
    title: `These directories outside the project need your approval: ${open.join(', ')}`,
    about: {kind: 'directories', directories: open},
    fields: [{name: 'add', kind: 'yes-no', label: 'Allow tools to reach them?', default: false}],
  });
  if (answer.outcome === 'answered' && answer.values['add'] === true) await workspace.add(open, {scope: 'session'});
}
