import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {expect, test} from '@jest/globals';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, says} from '../../helpers/run-agent.js';
import {startConversation} from '../agent/conversation.js';
import {sizeOf} from './talk.js';

const MIB = 1024 * 1024;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PICTURES = 20;

/** A picture as its bytes count here: a header, and data that no two pictures share. */
function picture(at: number): Buffer {
  return Buffer.concat([SIGNATURE, Buffer.alloc(MIB, `picture ${at};`)]);
}

test('old pictures leave requests by their bytes, and the model can look at them again [context.media]', async () => {
  let at = 0;
  const script: Script = () => {
    if (at === PICTURES) return says('Seen.');
    const {pieces = []} = callsTools(['read_file', {file_path: `p${at}.png`}]);
    at += 1;
    return {pieces: pieces.map((piece) => (piece.kind === 'call' ? {...piece, id: `look-${at}`} : piece))};
  };
  const files = Object.fromEntries(Array.from({length: PICTURES}, (_, one) => [`p${one}.png`, picture(one)]));
  await using talk = await startConversation({script, files, more: ['context', 'search', 'sessions']});
  await talk.send('Look at all pictures.');

  const {requests, faults} = talk.server;
  expect(faults).toEqual([]);
  const whole = (PICTURES * MIB * 4) / 3;
  const last = requests.at(-1);
  expect(last && sizeOf(last)).toBeLessThan(whole * 0.5);

  const [first] = (last?.messages ?? []).flatMap(({pieces}) => pieces.filter(({kind}) => kind === 'result'));
  const file = /A part of the type image\/png is in (\S+\.png)\./.exec(JSON.stringify(first))?.[1] ?? '';
  expect(digest(await readFile(file))).toBe(digest(picture(0)));
  const again = await talk.kernel.call('read_file', {file_path: file});
  expect(again.status === 'done' && JSON.stringify(again.result.model)).toContain('"mimeType":"image/png"');
}, 60_000);

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
