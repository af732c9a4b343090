import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import type {Restored} from './contract.js';
import {joinRestored} from './rewind-session.js';

interface Parts {
  ask(form: Form): Promise<FormAnswer>;
  /** Tries again with the paths that a person agreed to. */
  again(approved: readonly string[]): Promise<Restored>;
}

/**
 * Asks the person about files that rules ask about, and restores them after a yes. Without a person they stay as they
 * are.
 */
export async function askGuarded(restored: Restored, {ask, again}: Parts): Promise<Restored> {
  const paths = restored.guarded.map(({path}) => path);
  if (paths.length === 0) return restored;
  const answer = await ask({
    title: 'Rules ask about these files, because they control what runs:',
    text: paths.map((path) => `  ${path}`).join('\n'),
    about: {kind: 'restore', paths},
    fields: [{name: 'agreed', label: 'Restore them too?', kind: 'yes-no', default: false}],
  });
  const isAgreed = answer.outcome === 'answered' && answer.values['agreed'] === true;
  return isAgreed ? joinRestored(restored, await again(paths)) : restored;
}
