import type {Trust} from '@gemini-kernel/plugin-trust/contract';

interface Parts {
  readonly trust: Trust;
  ask(question: string): Promise<string | undefined>;
  say(line: string): void;
}

/** Asks a person about a folder of which nobody has said whether it is trusted. */
export async function askForTrust({trust, ask, say}: Parts): Promise<void> {
  const {trusted, source, folder} = await trust.state();
  if (trusted || source !== 'none') return;
  say(`Nobody has said yet whether ${folder} is trusted. Trust lets its own settings, commands, context files and servers count.`);
  const answer = ((await ask('Trust it? [y]es, [p]arent folder and all in it, [n]o, or Enter to be asked again next time: ')) ?? '').trim().toLowerCase();
  const level = ({y: 'TRUST_FOLDER', yes: 'TRUST_FOLDER', p: 'TRUST_PARENT', parent: 'TRUST_PARENT', n: 'DO_NOT_TRUST', no: 'DO_NOT_TRUST'} as const)[answer];
  if (level) say(`Kept in ${(await trust.set(folder, level)).file}.`);
  if (!level || level === 'DO_NOT_TRUST') say('It goes on without them, and asks before anything is changed.');
}
