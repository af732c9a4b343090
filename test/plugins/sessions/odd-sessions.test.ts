import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {machineMark} from '@gemini-kernel/files/writing';
import {expect, test} from '@jest/globals';
import {makeOddFile, oddKinds} from '../../helpers/odd-files.js';
import {checkout} from '../../helpers/plugin-root.js';
import {openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {isolate} from '../../helpers/run-gemini.js';

const isUnix = process.platform !== 'win32';
const unix = isUnix ? test : test.failing;

/** A place with one recorded conversation, and the folder that holds it. */
async function openTalk(script = 3): Promise<AgentPlace & {readonly chats: string; readonly file: string}> {
  const place = await openAgentPlace({script: Array.from({length: script}, () => says('Fine.'))});
  expect((await place.run(['-p', 'first'])).code).toBe(0);
  const chats = join(place.home, '.gemini', 'tmp', 'project', 'chats');
  const name = readdirSync(chats).find((one) => one.endsWith('.jsonl')) ?? '';
  return {...place, chats, file: join(chats, name)};
}

const odd = oddKinds.filter((kind) => kind !== 'unreadable');

unix.each(odd)(
  'a %s with the name of a session is named, and takes no other session with it [sessions.others-work]',
  async (kind) => {
    await using place = await openTalk();
    const path = join(place.chats, 'session-2026-01-01T00-00-0badf00d.jsonl');
    const close = await makeOddFile(path, kind);
    const list = await place.run(['--list-sessions']);
    expect({code: list.code, isListed: list.stdout.includes('first')}).toEqual({code: 0, isListed: true});
    const all = await place.run(['sessions', 'list', '--json']);
    expect((JSON.parse(all.stdout) as {broken: readonly {file: string}[]}).broken.map(({file}) => file)).toEqual([
      path,
    ]);
    expect(await place.run(['-p', 'again', '--resume', 'latest'])).toMatchObject({code: 0, stdout: 'Fine.\n'});
    await close();
  },
);

unix('a session of a gigabyte is named with the bound, in little time and memory [sessions.others-work]', async () => {
  await using place = await openTalk();
  const path = join(place.chats, 'session-2026-01-01T00-00-0badf00d.jsonl');
  writeFileSync(path, readFileSync(place.file));
  truncateSync(path, 2 ** 30);
  const child = spawn(
    process.execPath,
    [
      '--require',
      join(checkout, 'test', 'bench', 'report-rss.cjs'),
      join(checkout, 'bin', 'gemini.cjs'),
      'sessions',
      'list',
      '--json',
    ],
    {cwd: place.project, env: isolate(place.home), stdio: ['ignore', 'pipe', 'inherit', 'pipe']},
  );
  const [text, peak]: [string[], string[]] = [[], []];
  child.stdio[1]?.on('data', (chunk: Buffer) => text.push(chunk.toString()));
  child.stdio[3]?.on('data', (chunk: Buffer) => peak.push(chunk.toString()));
  await once(child, 'close');
  const {broken} = JSON.parse(text.join('')) as {broken: readonly {file: string; reason: string}[]};
  expect({broken, isSmall: Number(peak.join('')) < 300 * 1024}).toEqual({
    broken: [{file: path, reason: 'it is larger than 256 MiB'}],
    isSmall: true,
  });
});

unix.each(['FIFO', 'directory', 'socket', 'dangling link'] as const)(
  'a %s as the lock of a session stops its resumption with its name, at once',
  async (kind) => {
    await using place = await openTalk();
    const close = await makeOddFile(`${place.file}.lock`, kind);
    expect(await place.run(['-p', 'again', '--resume', 'latest'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${place.file}.lock is a `),
    });
    expect(await place.run(['--list-sessions'])).toMatchObject({code: 0});
    await close();
  },
);

unix(
  "what killed processes left in the project's folder is swept in the background of the next conversation " +
    '[files.swept]',
  async () => {
    await using place = await openTalk();
    const gone = 999_999_999;
    const old = join(place.chats, 'session-2026-01-01T00-00-0badf00d.jsonl');
    writeFileSync(old, readFileSync(place.file, 'utf8'));
    writeFileSync(`${old}.lock`, JSON.stringify({pid: gone, host: hostname(), since: ''}));
    writeFileSync(`${old}.${machineMark()}-${gone}-01234567.tmp`, 'half');
    expect((await place.run(['-p', 'again'])).code).toBe(0);
    expect(readdirSync(place.chats).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
  },
);

unix('a session whose lock is a folder is not changed', async () => {
  await using place = await openTalk();
  const before = statSync(place.file).size;
  mkdirSync(`${place.file}.lock`);
  const talk = await place.run(['-p', 'again', '--resume', 'latest']);
  expect([talk.code, statSync(place.file).size]).toEqual([1, before]);
});
