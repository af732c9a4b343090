import type {LineInput} from '@gemini-kernel/terminal';
import type {Seat} from '../../contract.js';
import type {ModeLine} from '../mode-line.js';
import type {Speaker} from '../speaker.js';

interface VimParts {
  readonly seat: Pick<Seat, 'service'>;
  readonly input: LineInput;
  readonly speaker: Speaker;
}

/** Switches the keys of vim on or off, also for later conversations. */
export async function toggleVim({seat, input, speaker}: VimParts): Promise<void> {
  const isOn = input.toggleVim();
  speaker.print(`The keys of vim are ${isOn ? 'on; Esc leaves insert mode' : 'off'}.\n`);
  await (await seat.service('settings')).set('general.vimMode', isOn, {scope: 'user'});
}

/** The mode of vim and that of the conversation, where they are not the usual ones. */
export function modeText({vimMode}: LineInput, {text}: ModeLine): string | undefined {
  const shown = [vimMode?.toUpperCase(), text].filter((one) => one !== undefined);
  return shown.length === 0 ? undefined : shown.join(' · ');
}
