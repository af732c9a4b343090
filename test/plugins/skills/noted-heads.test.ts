import {chmod, mkdir, readFile, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {findSkills} from '#plugins/skills/dist/find/find-skills.js';
import {NotedHeads} from '#plugins/skills/dist/find/noted-heads.js';
import {SkillReader} from '#plugins/skills/dist/find/read-skill.js';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';
import {skill} from './scene.js';

const NAMES = Array.from({length: 12}, (_, at) => `skill-${at}`);
let folder: Folder;

beforeEach(async () => {
  folder = await makeFolder();
  for (const name of NAMES) {
    await mkdir(join(folder.path, 'skills', name), {recursive: true});
    await writeFile(join(folder.path, 'skills', name, 'SKILL.md'), skill(name));
  }
});

afterEach(() => folder[Symbol.asyncDispose]());

interface Start {
  readonly origin?: 'user' | 'project';
  /** How long ago the skills were written. */
  readonly agoMs?: number;
}

/** What a start says of the first skill. */
async function start({origin = 'user', agoMs = 60_000}: Start = {}): Promise<string | undefined> {
  const place = {file: join(folder.path, 'cache', 'heads.json'), now: () => Date.now() + agoMs};
  const {skills} = await findSkills({
    roots: [{path: join(folder.path, 'skills'), origin}],
    home: '/nowhere',
    reader: async () => new SkillReader(),
    noted: async () => new NotedHeads(place),
  });
  expect(skills.map(({name}) => name)).toEqual(expect.arrayContaining(NAMES));
  return skills.find(({name}) => name === 'skill-0')?.description;
}

async function readHeads(): Promise<string | undefined> {
  return readFile(join(folder.path, 'cache', 'heads.json'), 'utf8').catch(() => undefined);
}

/** Lets a head that is remembered differ from the skill. */
async function mark(): Promise<void> {
  const text = (await readHeads()) ?? '';
  await writeFile(join(folder.path, 'cache', 'heads.json'), text.replace('About skill-0.', 'As remembered.'));
}

describe('heads that are remembered [skills.find]', () => {
  test('count while the file is as it was', async () => {
    expect(await start()).toBe('About skill-0.');
    await mark();
    expect(await start()).toBe('As remembered.');
    await writeFile(join(folder.path, 'skills', 'skill-0', 'SKILL.md'), skill('skill-0', 'Written again.'));
    expect(await start()).toBe('Written again.');
  });

  test('are of no file that may still change without a new time', async () => {
    await start({agoMs: 0});
    expect(await readHeads()).toBeUndefined();
  });

  test('are of no project', async () => {
    await start({origin: 'project'});
    expect(await readHeads()).toBeUndefined();
  });

  test('say nothing of where the folder is', async () => {
    await start();
    const [from, to] = [join(folder.path, 'skills', 'skill-0'), join(folder.path, 'moved')];
    await rename(from, to);
    await symlink(to, from);
    const {folder: real} = await new SkillReader().read(join(from, 'SKILL.md'));
    expect(real).toBe(to);
    expect(await start()).toBe('About skill-0.');
  });

  test.each([
    ['no JSON', 'no JSON'],
    ['half of it', '{"form":1,"heads":{"a":{"mark":"1"'],
    ['another form', '{"form":99,"heads":{}}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['heads without their parts', '{"form":1,"heads":{"a":null,"b":{"mark":1},"c":{"mark":"1","head":{}}}}'],
  ])('in a file with %s are read again and written again', async (_, text) => {
    await mkdir(join(folder.path, 'cache'));
    await writeFile(join(folder.path, 'cache', 'heads.json'), text);
    expect(await start()).toBe('About skill-0.');
    await mark();
    expect(await start()).toBe('As remembered.');
  });

  test('are not needed: where nothing can be written, skills are read', async () => {
    await writeFile(join(folder.path, 'cache'), 'a file');
    expect(await start()).toBe('About skill-0.');
    await rm(join(folder.path, 'cache'));
    await mkdir(join(folder.path, 'cache', 'heads.json'), {recursive: true});
    await chmod(join(folder.path, 'cache'), 0o500);
    expect(await start()).toBe('About skill-0.');
  });
});
