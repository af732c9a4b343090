import {execFileSync} from 'node:child_process';
import {mkdir, readFile, rename, symlink, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {hashTree} from '@gemini-kernel/admission';
import {findSkills} from '#plugins/skills/dist/find/find-skills.js';
import {parseSkill} from '#plugins/skills/dist/find/skill-head.js';
import {whyOff} from '#plugins/skills/dist/skill-switch.js';
import {builtInSkills} from '#plugins/skills/dist/built-in.js';
import {hostBundles} from '../../helpers/host-services.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {faultsOf, namesOf, openSkills, skill} from './scene.js';

describe('the head of a skill', () => {
  test.each<[string, string, string]>([
    ['plain', 'name: a\ndescription: Use it.', 'Use it.'],
    ['with a colon inside', 'name: a\ndescription: Use when: the build fails', 'Use when: the build fails'],
    ['in quotes', 'name: "a"\ndescription: "Say \\"hi\\" # here"', 'Say "hi" # here'],
    ['in single quotes', "name: 'a'\ndescription: 'It''s fine'", "It's fine"],
    ['with a comment', 'name: a # my own\ndescription: Use it. # often', 'Use it.'],
    ['folded', 'name: a\ndescription: >\n  One\n  two.\n\n  Three.\nlicense: MIT', 'One two.\nThree.'],
    ['folded without its end', 'name: a\ndescription: >-\n  One\n  two.', 'One two.'],
    ['literal', 'name: a\ndescription: |\n  One\n    two.\n', 'One\n  two.'],
    ['over several lines', 'name: a\ndescription: One\n  two\n  three.', 'One two three.'],
    ['in quotes over several lines', 'name: a\ndescription: "One\n  two."', 'One two.'],
    ['with unknown keys', 'x-odd: {a: 1}\nname: a\nanchors: &b c\ndescription: Use it.', 'Use it.'],
  ])('%s [skills.head]', (_, head, description) => {
    for (const text of [`---\n${head}\n---\nBody`, `\uFEFF\n\n---\n${head}\n---\nBody`.replaceAll('\n', '\r\n')])
      expect(parseSkill(text)).toMatchObject({head: {name: 'a', description}, body: 'Body'});
  });

  test('the keys of the open format are read [skills.head]', () => {
    const head = [
      'name: a:b/c?',
      'description: d',
      'license: MIT',
      'version: 1.10',
      'compatibility: Needs git.',
      'allowed-tools: Bash(git add:*) Read',
      'metadata:',
      '  author: "me"',
      '  level: 2',
    ];
    expect(parseSkill(`---\n${head.join('\n')}\n---\n`)).toEqual({
      head: {
        name: 'a-b-c-',
        description: 'd',
        license: 'MIT',
        version: '1.10',
        compatibility: 'Needs git.',
        allowedTools: ['Bash(git add:*)', 'Read'],
        metadata: {author: 'me', level: '2'},
      },
      body: '',
    });
    const lists = ['[Read, "Bash(ls, pwd)"]', '\n  - Read\n  - "Bash(ls, pwd)"', '\n- Read\n- Bash(ls, pwd)'];
    for (const list of lists)
      expect(parseSkill(`---\nname: a\ndescription: d\nallowed-tools: ${list}\n---`)).toMatchObject({
        head: {allowedTools: ['Read', 'Bash(ls, pwd)']},
      });
  });

  test.each([
    ['# Title', 'does not begin with a line "---"'],
    ['', 'does not begin with a line "---"'],
    ['---\nname: a', 'opens a head in line 1 that no other line "---" closes'],
    ['---\nname a\n---', 'has no "name: value" in line 2: "name a"'],
    ['---\nname: a\nname: b\n---', 'sets name a second time in line 3'],
    ['---\ndescription: d\n---', 'has no name in its head'],
    ['---\nname: a\n---', 'has no description in its head'],
    ['---\nname: ..\ndescription: d\n---', 'has the name "..", which begins or ends with a dot'],
    ['---\nname: "a\\u202eb"\ndescription: d\n---', 'has the name "a\u202eb", which has an invisible character'],
    ['---\nname: a\0\n---', 'is not text'],
  ])('%j is left out with the reason [skills.broken]', (text, reason) => {
    expect(parseSkill(text)).toBe(reason);
  });
});

describe('which skills there are', () => {
  test('odd files are found, or named with the reason [skills.find] [skills.broken]', async () => {
    await using kernel = await openSkills({
      homeFiles: {
        '.gemini/skills/plain/SKILL.md': skill('plain'),
        '.gemini/skills/bom/SKILL.md': `\uFEFF${skill('bom')}`,
        '.gemini/skills/blank/SKILL.md': `\n \n${skill('blank')}`,
        '.gemini/skills/crlf/SKILL.md': skill('crlf').replaceAll('\n', '\r\n'),
        '.gemini/skills/lower/skill.md': skill('lower'),
        '.gemini/skills/outer/inner/SKILL.md': skill('inner'),
        '.gemini/skills/none/README.md': 'x',
        '.gemini/skills/empty/SKILL.md': '',
        '.gemini/skills/large/SKILL.md': skill('large', 'd', 'x'.repeat(1024 * 1024)),
        '.gemini/skills/packed.skill': 'PK',
        '.gemini/skills/notes.txt': 'x',
        '.gemini/skills/.hidden/SKILL.md': skill('hidden'),
        'elsewhere/SKILL.md': skill('linked'),
      },
    });
    const root = join(kernel.home, '.gemini', 'skills');
    await mkdir(join(root, 'pipe'));
    execFileSync('mkfifo', [join(root, 'pipe', 'SKILL.md')]);
    await symlink(join(kernel.home, 'elsewhere'), join(root, 'link'));
    await symlink(join(kernel.home, 'nowhere'), join(root, 'broken-link'));
    expect(await namesOf(kernel)).toEqual(['blank', 'bom', 'crlf', 'linked', 'plain']);
    expect(await faultsOf(kernel)).toEqual({
      '~/.gemini/skills/lower/skill.md': 'has to be named SKILL.md, in this case',
      '~/.gemini/skills/outer/inner/SKILL.md': 'is one level too deep; move the folder inner one level up',
      '~/.gemini/skills/none': 'has no SKILL.md',
      '~/.gemini/skills/empty/SKILL.md': 'does not begin with a line "---"',
      '~/.gemini/skills/large/SKILL.md': 'is larger than 1 MiB',
      '~/.gemini/skills/packed.skill': 'is an archive; unpack it with `gemini skills install`',
      '~/.gemini/skills/pipe/SKILL.md': 'cannot be read: it is a FIFO, not a file',
      '~/.gemini/skills/broken-link': 'is a link that leads nowhere',
    });
  });

  test('a folder of skills can be a skill itself [skills.find]', async () => {
    await using kernel = await openSkills({
      homeFiles: {'.agents/skills/SKILL.md': skill('top'), '.agents/skills/scripts/run.sh': 'x'},
    });
    expect(await namesOf(kernel)).toEqual(['top']);
    expect(await faultsOf(kernel)).toEqual({});
  });

  test('the stronger one of a name counts, and a notice says so once [skills.precedence]', async () => {
    await using kernel = await openSkills({
      homeFiles: {
        '.gemini/skills/one/SKILL.md': skill('one', 'user gemini'),
        '.agents/skills/one/SKILL.md': skill('one', 'user agents'),
        '.gemini/skills/skill-creator/SKILL.md': skill('skill-creator', 'mine'),
      },
      files: {
        '.gemini/skills/one/SKILL.md': skill('One', 'project gemini'),
        '.agents/skills/one/SKILL.md': skill('one', 'project agents'),
      },
    });
    const skills = await kernel.service('skills');
    const found = (await skills.list()).skills;
    expect(found.map(({name, description, replaces}) => [name, description, replaces?.length ?? 0])).toEqual([
      ['one', 'project agents', 3],
      ['skill-creator', 'mine', 1],
    ]);
    await skills.refresh();
    await skills.refresh();
    expect(kernel.notices.map(({code, sentence}) => [code, sentence.split(' is used')[0]])).toEqual([
      ['SKILL_REPLACED', `The skill "one" of ${join(kernel.project, '.agents/skills/one/SKILL.md')}`],
    ]);
  });

  test('a project counts only where its folder is trusted, and its links stay inside [skills.trust]', async () => {
    const files = {'.gemini/skills/one/SKILL.md': skill('one')};
    {
      await using kernel = await openSkills({files, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'}});
      expect(await namesOf(kernel)).toEqual([]);
      expect(await faultsOf(kernel)).toEqual({'.gemini/skills': expect.stringContaining('gemini trust add')});
      await (await kernel.service('skills')).refresh();
      expect(kernel.notices.filter(({code}) => code.startsWith('SKILL'))).toEqual([]);
    }
    await using kernel = await openSkills({files, homeFiles: {'private/SKILL.md': skill('private')}});
    await symlink(join(kernel.home, 'private'), join(kernel.project, '.gemini', 'skills', 'out'));
    await symlink(dirname(kernel.project), join(kernel.home, '.gemini', 'skills'));
    await writeFile(join(dirname(kernel.project), 'SKILL.md'), skill('everything'));
    expect(await namesOf(kernel)).toEqual(['one']);
    expect(await faultsOf(kernel)).toMatchObject({
      '.gemini/skills/out/SKILL.md': `leads out of the project, to ${join(kernel.home, 'private')}`.replace(
        `${kernel.home}/`,
        '~/',
      ),
      '~/.gemini/skills/SKILL.md': expect.stringContaining('holds more than a skill'),
    });
  });

  test('names of disabled skills join from all layers, without case [skills.disabled]', async () => {
    await using kernel = await openSkills({
      settings: {skills: {disabled: ['ONE']}},
      homeFiles: {'.gemini/skills/one/SKILL.md': skill('one'), '.gemini/skills/two/SKILL.md': skill('two')},
      files: {
        '.gemini/settings.json': JSON.stringify({skills: {disabled: ['two']}}),
        '.gemini/skills/3/SKILL.md': skill('3'),
      },
    });
    const {skills} = await (await kernel.service('skills')).list();
    expect(skills.map(({name, enabled}) => [name, enabled])).toEqual([
      ['3', true],
      ['one', false],
      ['skill-creator', true],
      ['two', false],
    ]);
  });

  test.each([
    [{skills: {enabled: false}}, {skills: {enabled: true}}, 'skills.enabled is false'],
    [{}, {skills: {enabled: false}}, 'skills.enabled is false'],
  ])('settings %j and %j of the project switch all off [skills.disabled]', async (settings, project, sentence) => {
    await using kernel = await openSkills({settings, files: {'.gemini/settings.json': JSON.stringify(project)}});
    expect(await (await kernel.service('skills')).list()).toMatchObject({
      skills: [],
      off: expect.stringContaining(sentence),
    });
    expect((await kernel.session.tools()).map(({name}) => name)).not.toContain('activate_skill');
  });

  test('an administrator switches all off [skills.disabled]', async () => {
    const settings = {get: async (key: string) => key !== 'admin.skills.enabled', getApart: async () => true};
    expect(await whyOff(settings as never)).toBe('Your administrator has switched skills off.');
  });

  test('changes on the disk are seen at the next prompt, and heads are read once [skills.find]', async () => {
    await using kernel = await openSkills({homeFiles: {'.gemini/skills/one/SKILL.md': skill('one')}});
    const skills = await kernel.service('skills');
    let changes = 0;
    skills.follow(() => (changes += 1));
    const file = join(kernel.home, '.gemini', 'skills', 'one', 'SKILL.md');
    await skills.refresh();
    await skills.refresh();
    expect(changes).toBe(0);
    await writeFile(file, skill('one', 'Another text.'));
    await utimes(file, new Date(), new Date(Date.now() + 5000));
    await skills.refresh();
    expect(changes).toBe(1);
    await rename(join(file, '..'), join(kernel.home, '.gemini', 'skills', 'two'));
    await writeFile(join(kernel.home, '.gemini', 'skills', 'two', 'SKILL.md'), skill('two'));
    await skills.refresh();
    expect(await namesOf(kernel)).toEqual(['two']);
  });

  test('without a SKILL.md, nothing that reads skills is imported [skills.built-in]', async () => {
    const reader = (): Promise<never> => Promise.reject(new Error('It was imported.'));
    const roots = [{path: '/nowhere/skills', origin: 'user'} as const];
    expect(await findSkills({roots, home: '/nowhere', reader, noted: reader})).toMatchObject({
      skills: builtInSkills().map(({name}) => ({name})),
    });
  });

  test('at most 500 skills count [skills.bounds]', async () => {
    const names = Array.from({length: 501}, (_, index) => `s${String(index).padStart(3, '0')}`);
    await using kernel = await openSkills({
      homeFiles: Object.fromEntries(names.map((name) => [`.gemini/skills/${name}/SKILL.md`, skill(name)])),
    });
    expect(await namesOf(kernel)).toHaveLength(500);
    expect(await faultsOf(kernel)).toEqual({'~/.gemini/skills/s500/SKILL.md': 'is one of more than 500 skills'});
  });

  test('the list knows built-in skills as their heads say [skills.built-in]', async () => {
    for (const {name, description, file} of builtInSkills())
      expect(parseSkill(await readFile(file, 'utf8'))).toMatchObject({head: {name, description}});
  });
});

test.each([
  ['user', []],
  ['system', ['review']],
] as const)('a skill of an expired bundle of the %s: %j [bundles.folders]', async (origin, expected) => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'review');
  await mkdir(path);
  await writeFile(join(path, 'SKILL.md'), skill('review'));
  const tree = hashTree(path);
  const expires = '2020-01-01T00:00:00.000Z';
  const bundle = {name: 'corp', origin, expires, settings: {}, policies: [], skills: [{name: 'review', path, tree}]};
  await using kernel = await openSkills({services: [hostBundles(bundle)]});
  expect(await namesOf(kernel)).toEqual(expected);
});
