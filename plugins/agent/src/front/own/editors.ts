import type {Environment, FormReply, SentForm} from '@gemini-kernel/kernel';
import type {Seat} from '../../contract.js';
import type {Speaker} from '../speaker.js';

const SETTING = 'general.preferredEditor';

/** Editors by their names in the settings, with the command that waits until a file is closed. */
const EDITORS: Readonly<Record<string, {readonly label: string; readonly command: string}>> = {
  vscode: {label: 'VS Code', command: 'code --wait'},
  vscodium: {label: 'VSCodium', command: 'codium --wait'},
  windsurf: {label: 'Windsurf', command: 'windsurf --wait'},
  cursor: {label: 'Cursor', command: 'cursor --wait'},
  antigravity: {label: 'Antigravity', command: 'agy --wait'},
  zed: {label: 'Zed', command: 'zed --wait'},
  vim: {label: 'Vim', command: 'vim'},
  neovim: {label: 'Neovim', command: 'nvim'},
  emacs: {label: 'Emacs', command: 'emacs'},
  hx: {label: 'Helix', command: 'hx'},
};

interface EditorParts {
  readonly seat: Pick<Seat, 'service'>;
  readonly environment: Pick<Environment, 'variables'>;
}

/** The command of the person's editor: the one of the settings, VISUAL or EDITOR. A project has no say. */
export async function findEditor({seat, environment: {variables}}: EditorParts): Promise<string | undefined> {
  const preferred = await (await seat.service('settings')).getApart(SETTING);
  const known = typeof preferred === 'string' ? EDITORS[preferred] : undefined;
  return known?.command ?? (variables['VISUAL'] || variables['EDITOR'] || undefined);
}

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
