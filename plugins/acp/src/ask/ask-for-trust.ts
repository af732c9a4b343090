import type {SentForm} from '@gemini-kernel/kernel';
import type {Trust} from '@gemini-kernel/plugin-trust/contract';
import type {Editor} from '../serve/editor.js';
import {readElicited, toElicitation} from './ask-form.js';

interface Parts {
  readonly trust: Pick<Trust, 'state' | 'set'>;
  readonly editor: Editor;
  readonly requestId: string | number | null;
  readonly signal: AbortSignal;
  log(line: string): void;
}

const LEVELS = {yes: 'TRUST_FOLDER', parent: 'TRUST_PARENT', no: 'DO_NOT_TRUST'} as const;

/**
 * Asks about a folder that has no level of trust yet, before a session begins in it. An editor that shows no forms is
 * not asked: the folder stays untrusted, and a line of the log says so.
 */
export async function askForTrust({trust, editor, requestId, signal, log}: Parts): Promise<void> {
  const {trusted, source, folder} = await trust.state();
  if (trusted || source !== 'none') return;
  const request = editor.capabilities.elicitation?.form ? toElicitation(trustForm(folder), {requestId}) : undefined;
  if (!request)
    return log(
      `${folder} is not trusted: its settings, commands and servers do not count. Run gemini trust add there.`,
    );
  const reply = readElicited(await editor.elicit(request, signal));
  const level = reply.outcome === 'answered' ? LEVELS[reply.values['trust'] as keyof typeof LEVELS] : undefined;
  if (level) await trust.set(folder, level);
}

function trustForm(folder: string): SentForm {
  return {
    source: 'gemini',
    isOurs: true,
    title: `Do you trust ${folder}?`,
    text: 'If you do, gemini uses its settings, commands, context files and servers, and the servers of the editor.',
    about: {kind: 'trust', folder},
    fields: [
      {
        name: 'trust',
        kind: 'choice',
        label: 'Trust it?',
        options: [
          {value: 'yes', label: 'Yes'},
          {value: 'parent', label: 'Its parent folder and all in it'},
          {value: 'no', label: 'No'},
        ],
      },
    ],
  };
}
