import type {Trust} from '@gemini-kernel/plugin-trust/contract';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';

interface Asking {
  ask(question: string): Promise<string | undefined>;
  say(line: string): void;
}

interface Parts extends Asking {
  readonly trust: Trust;
  /** Directories that the project's settings would bring in. */
  readonly wants: readonly string[];
}

/** Asks a person about a folder of which nobody has said whether it is trusted. */
export async function askForTrust({trust, wants, ask, say}: Parts): Promise<void> {
  const {trusted, source, folder} = await trust.state();
  if (trusted || source !== 'none') return;
  say(
    `Nobody has said yet whether ${folder} is trusted. Trust lets its own settings, commands, context files and ` +
      'servers count.',
  );
  if (wants.length > 0)
    say(`Its settings also ask for directories outside it, about which you are asked apart: ${wants.join(', ')}`);
  const answer = (
    (await ask('Trust it? [y]es, [p]arent folder and all in it, [n]o, or Enter to be asked again next time: ')) ?? ''
  )
    .trim()
    .toLowerCase();
  const level = (
    {
      y: 'TRUST_FOLDER',
      yes: 'TRUST_FOLDER',
      p: 'TRUST_PARENT',
      parent: 'TRUST_PARENT',
      n: 'DO_NOT_TRUST',
      no: 'DO_NOT_TRUST',
    } as const
  )[answer];
  if (level) say(`Kept in ${(await trust.set(folder, level)).file}.`);
  if (!level || level === 'DO_NOT_TRUST') say('It goes on without them, and asks before anything is changed.');
}

/** Asks a person about directories that something else wants in the workspace. */
export async function askForDirectories(workspace: Workspace, {ask, say}: Asking): Promise<void> {
  const pending = await workspace.pending();
  for (const {path} of pending.filter(({isClosed}) => isClosed))
    say(`${path} is left out: it is the system's, or holds secrets. gemini directory add brings it in all the same.`);
  const open = pending.filter(({isClosed}) => !isClosed).map(({path}) => path);
  if (open.length === 0) return;
  say(`Directories outside the project are left out until you say yes: ${open.join(', ')}`);
  const answer = ((await ask('Let tools reach them? [y/N] ')) ?? '').trim();
  if (/^y(?:es)?$/i.test(answer)) await workspace.add(open, {scope: 'session'});
}
