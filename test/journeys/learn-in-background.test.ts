import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {callsTools, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting} from '../helpers/sit-at-gemini.js';
import {writeOldSession} from '../plugins/learning/old-session.js';
import {openInboxPlace, type InboxPlace} from '../plugins/learning/place-with-inbox.js';
import {atTerminal} from './run-at-terminal.js';

const READS = ['a.ts', 'b.ts', 'c.ts'].map((path) => ['read_file', {file_path: path}, 'text'] as const);
const ON = {experimental: {autoMemory: true}};
const fact = {scope: 'private', text: '- Tests need a database.', sessions: ['first-01']};

async function openScene(settings: object, files: Readonly<Record<string, string>> = {}): Promise<InboxPlace> {
  const scene = await openInboxPlace({}, {script: [says('Hi.')], settings: settings as never, files});
  await writeOldSession(scene.memory, {id: 'first-01', calls: READS});
  return scene;
}

atTerminal(
  'old sessions are looked through after an answer, and a notice says what was learned [learning.background]',
  async () => {
    await using scene = await openScene(ON);
    const {place, memory} = scene;
    // A run of one prompt has nothing of it.
    await place.ask(['-p', 'hello']);
    expect(await readdir(memory).catch(() => [])).toEqual([]);
    const before = place.server.requests.length;
    place.server.script(({system}) =>
      system.startsWith('You look at records') ? callsTools(['propose_memory', fact]) : says('Hello.'),
    );
    await using sitting = await GeminiSitting.begin(place);
    await sitting.see('> ');
    // No start asks a model, or looks at sessions.
    expect(place.server.requests).toHaveLength(before);
    sitting.type('hello\r');
    await sitting.see('Hello.');
    await sitting.see('One proposal from old sessions: /memory inbox.');
    expect(place.server.requests).toHaveLength(before + 2);
    sitting.type('/memory inbox\r');
    await sitting.see('private:learned-');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toMatchObject({code: 0});
  },
  60_000,
);

atTerminal(
  'it ends with the program and is done the next time; a project cannot switch it on [learning.background]',
  async () => {
    await using scene = await openScene(ON, {'.gemini/settings.json': JSON.stringify(ON)});
    const {place, memory} = scene;
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    place.server.script(({system}) => {
      if (!system.startsWith('You look at records')) return says('Hello.');
      isAsked();
      return {stall: 'headers'};
    });
    const sitting = await GeminiSitting.begin(place);
    await sitting.see('> ');
    sitting.type('hello\r');
    await sitting.see('Hello.');
    await asked;
    expect(await readdir(memory)).toContain('.extraction.lock');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toMatchObject({code: 0});
    expect(await readdir(memory)).toEqual([]);
    place.server.script([says('Nothing.')]);
    const learned = await place.run(['learn', 'now', '--json'], {variables: {GEMINI_MODEL: 'model-a'}});
    expect(JSON.parse(learned.stdout)).toMatchObject({status: 'done', sessions: ['first-01'], proposals: []});
    // The person's own word alone counts.
    const own = join(place.home, '.gemini', 'settings.json');
    const {experimental: _, ...rest} = JSON.parse(await readFile(own, 'utf8')) as Record<string, unknown>;
    await writeFile(own, JSON.stringify(rest));
    const status = await place.run(['learn', 'status', '--json'], {variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'}});
    expect(JSON.parse(status.stdout)).toMatchObject({isOn: false});
  },
  60_000,
);
