import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import type {Environment} from '@gemini-kernel/kernel';
import type {LineInput} from '@gemini-kernel/terminal';
import type {Seat} from '../contract.js';
import {readClipboardImage, type NoImage} from './clipboard-image.js';
import type {Speaker} from './speaker.js';

interface PasteParts {
  readonly environment: Pick<Environment, 'variables' | 'platform' | 'newId'>;
  readonly seat: Pick<Seat, 'service'>;
  readonly input: LineInput;
  readonly speaker: Speaker;
}

const WHY: Readonly<Record<NoImage, readonly [sentence: string, hint: string]>> = {
  absent: ['There is no image on the clipboard.', "Text is pasted with your terminal's own key."],
  remote: [
    'The clipboard is on another machine, and images cannot be read from there.',
    'Copy the file, and name it with @.',
  ],
  unreadable: [
    'The clipboard cannot be read here.',
    'Install wl-paste (wl-clipboard) or xclip, or name a file with @.',
  ],
  'too-long': ['The image on the clipboard has more than 20 MB.', 'Save a smaller one, and name it with @.'],
};

/** Puts the image of the clipboard into a file of the session's, and its `@path` into the prompt. */
export async function pasteImage({environment, seat, input, speaker}: PasteParts): Promise<void> {
  const image = await readClipboardImage(environment);
  if (typeof image === 'string') return speaker.say('warn', ...WHY[image]);
  try {
    const [project, workspace] = await Promise.all([seat.service('project'), seat.service('workspace')]);
    const folder = join((await project.claim()).temporary, 'images');
    await makePrivateFolder(folder);
    const path = join(folder, `${environment.newId()}.png`);
    await writeFile(path, image, {mode: 0o600, flag: 'wx'});
    await workspace.allowReading(folder);
    const before = input.isEmpty || /\s$/.test(input.text) ? '' : ' ';
    input.set(`${input.text}${before}@${path.replace(/[ \\]/g, '\\$&')} `);
    speaker.print('');
  } catch (error) {
    speaker.complain(error);
  }
}
