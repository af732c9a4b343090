import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import type {Seat} from '../../contract.js';
import {EDITORS, SETTING} from '../../editor/find-editor.js';
import type {Speaker} from '../speaker.js';

interface ChoosingParts {
  readonly seat: Pick<Seat, 'service'>;
  readonly speaker: Speaker;
  fill(form: SentForm): Promise<FormReply | undefined>;
}

/** `/editor`: chooses the editor for texts, also of later conversations. */
export async function chooseEditor(name: string, {seat, speaker, fill}: ChoosingParts): Promise<void> {
  const settings = await seat.service('settings');
  const current = await settings.getApart(SETTING);
  const chosen = name === '' ? await ask(typeof current === 'string' ? current : '', fill) : name;
  if (chosen === undefined) return;
  if (chosen !== '' && !EDITORS[chosen]) {
    const names = Object.keys(EDITORS).join(', ');
    return speaker.say('bad', `/editor does not know "${chosen}".`, `Known: ${names}. Others: set VISUAL or EDITOR.`);
  }
  await settings.set(SETTING, chosen === '' ? undefined : chosen, {scope: 'user'});
  speaker.print(`Editor: ${EDITORS[chosen]?.command ?? 'the one of VISUAL or EDITOR'}.\n`);
}

async function ask(current: string, fill: ChoosingParts['fill']): Promise<string | undefined> {
  const reply = await fill({
    title: 'Texts that you edit outside of gemini open in this editor.',
    about: {kind: 'editor'},
    source: '@gemini-kernel/plugin-agent',
    isOurs: true,
    fields: [
      {
        name: 'editor',
        label: 'Which editor?',
        kind: 'choice',
        default: EDITORS[current] ? current : '',
        options: [
          {value: '', label: 'The one of VISUAL or EDITOR'},
          ...Object.entries(EDITORS).map(([value, {label}]) => ({value, label})),
        ],
      },
    ],
  });
  return reply?.outcome === 'answered' ? String(reply.values['editor']) : undefined;
}
