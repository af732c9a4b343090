import {chmod, chown, lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {where} from '../../../helpers/where.js';
import {findRuleFiles, systemFolderOf} from '#plugins/policy/dist/read/find-rule-files.js';
import {namedPathsOf} from '#plugins/policy/dist/read/named-paths.js';
import {readRuleFiles} from '#plugins/policy/dist/read/read-rule-file.js';
import {findBroken} from '#plugins/policy/dist/read/broken-policy.js';
import {findAdminFault} from '#plugins/policy/dist/read/admin-fault.js';
import {diagnose, renderProblem} from '#plugins/policy/dist/read/diagnose.js';

const RULE = '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 1\n';
const isRoot = process.getuid?.() === 0;

let base: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'rules-')));
});
afterEach(() => rm(base, {recursive: true, force: true}));

async function put(...files: string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(base, file)), {recursive: true});
    await writeFile(join(base, file), RULE);
  }
}

function places(more: Partial<Parameters<typeof findRuleFiles>[0]> = {}): Parameters<typeof findRuleFiles>[0] {
  return {
    cwd: join(base, 'project'),
    home: join(base, 'home'),
    platform: process.platform,
    defaults: join(base, 'defaults'),
    extensions: [],
    isTrusted: true,
    policyPaths: [],
    adminPolicyPaths: [],
    systemFolder: join(base, 'system'),
    ...more,
  };
}

async function found(
  more: Partial<Parameters<typeof findRuleFiles>[0]> = {},
): Promise<{files: string[]; problems: string[]}> {
  const {files, problems} = findRuleFiles(places(more));
  const short = (text: string): string => text.replaceAll(`${base}/`, '');
  return {
    files: files.map(({tier, file, label}) => `${tier} ${short(file)} ${label}`),
    problems: problems.map((problem) => short(renderProblem(problem))),
  };
}

describe('rule files', () => {
  const all = [
    'defaults/b.toml',
    'defaults/a.toml',
    'defaults/README.md',
    'defaults/deeper/c.toml',
    'ext/policies/e.toml',
    'project/.gemini/policies/p.toml',
    'home/.gemini/policies/u.toml',
    'system/s.toml',
  ];

  test('are found in every tier, the weakest first, directly in their folders', async () => {
    await put(...all);
    expect(await found({extensions: [{name: 'x', folder: join(base, 'ext')}]})).toEqual({
      files: [
        'default defaults/a.toml Default: a.toml',
        'default defaults/b.toml Default: b.toml',
        'extension ext/policies/e.toml Extension (x): e.toml',
        'workspace project/.gemini/policies/p.toml Workspace: p.toml',
        'user home/.gemini/policies/u.toml User: u.toml',
        'admin system/s.toml Admin: s.toml',
      ],
      problems: [],
    });
  });

  test('of a project count only where it is trusted, and nowhere as those of the home directory', async () => {
    await put('defaults/a.toml', 'project/.gemini/policies/p.toml', 'home/.gemini/policies/u.toml');
    const named = [{path: '.gemini/policies', origin: 'project'}] as const;
    expect([
      (await found({isTrusted: false, policyPaths: named})).files,
      (await found({cwd: join(base, 'home')})).files,
    ]).toEqual([
      ['default defaults/a.toml Default: a.toml', 'user home/.gemini/policies/u.toml User: u.toml'],
      ['default defaults/a.toml Default: a.toml', 'user home/.gemini/policies/u.toml User: u.toml'],
    ]);
  });

  test('that are named are added to those of the user, each once; a project can name rules of its own tier only', async () => {
    await put(
      'defaults/a.toml',
      'home/.gemini/policies/u.toml',
      'home/more/m.toml',
      'project/one.toml',
      'project/two.toml',
      'project/three.toml',
    );
    const policyPaths = [
      {path: '~/more', origin: 'settings'},
      {path: 'one.toml', origin: 'flag'},
      {path: '../home/.gemini/policies/u.toml', origin: 'flag'},
      {path: 'two.toml', origin: 'project'},
    ] as const;
    expect(await found({policyPaths, adminPolicyPaths: [{path: 'three.toml', origin: 'project'}]})).toEqual({
      files: [
        'default defaults/a.toml Default: a.toml',
        'workspace project/two.toml Workspace: two.toml',
        'workspace project/three.toml Workspace: three.toml',
        'user home/.gemini/policies/u.toml User: u.toml',
        'user home/more/m.toml User: m.toml',
        'user project/one.toml User: one.toml',
      ],
      problems: [],
    });
  });

  test(
    'that a person names for the administrator only make calls stricter where there is an administrator ' +
      '[authority.admin-tier]',
    async () => {
      await put('defaults/a.toml', 'project/x.toml', 'system/s.toml');
      await writeFile(join(base, 'project/x.toml'), RULE + RULE.replace('"deny"', '"allow"'));
      const adminPolicyPaths = [{path: 'x.toml', origin: 'flag'}] as const;
      const {files} = findRuleFiles(places({adminPolicyPaths, administrator: '/etc/x'}));
      const {rules, problems} = await readRuleFiles(
        files.filter(({file}) => file.endsWith('x.toml')),
        {knownTools: []},
      );
      expect([
        await found({adminPolicyPaths}),
        (await found({adminPolicyPaths, administrator: '/etc/x'})).problems,
        rules.map(({decision, source: {tier, tightens}}) => ({decision, tier, tightens})),
        problems.map(({message}) => message),
      ]).toEqual([
        {
          files: [
            'default defaults/a.toml Default: a.toml',
            'admin project/x.toml Admin: x.toml',
            'admin system/s.toml Admin: s.toml',
          ],
          problems: [],
        },
        [
          'project/x.toml warning These rules only make calls stricter, because this machine has an administrator ' +
            '(/etc/x).\n  Give them by --policy to use them as your own.',
        ],
        [{decision: 'deny', tier: 'admin', tightens: true}],
        [
          'On a machine with an administrator, a file that a person names for that tier can only make rules ' +
            'stricter; this rule that allows is left out.',
        ],
      ]);
    },
  );

  test('that are named and missing are errors [authority.broken]', async () => {
    await put('defaults/a.toml', 'project/file/x.toml');
    const policyPaths = [
      {path: 'gone', origin: 'flag'},
      {path: 'lost.toml', origin: 'settings'},
      {path: 'away.toml', origin: 'project'},
    ] as const;
    expect((await found({policyPaths})).problems).toEqual([
      'project/away.toml error There are no rules at project/away.toml.\n  Correct or remove the path in the settings.',
      'project/gone error There are no rules at project/gone.\n  Correct the path that was given.',
      'project/lost.toml error There are no rules at project/lost.toml.\n  Correct or remove the path in the settings.',
    ]);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['is a file', () => writeFile(join(base, 'home/.gemini/policies'), RULE), 'is not a folder.'],
    ['is a link to nothing', () => symlink('nowhere', join(base, 'home/.gemini/policies')), 'There are no rules at'],
    ['is a link to itself', () => symlink('policies', join(base, 'home/.gemini/policies')), 'cannot be read (ELOOP).'],
  ])('are not passed over when the folder %s [authority.broken]', async (_, make, said) => {
    await put('defaults/a.toml');
    await mkdir(join(base, 'home/.gemini'), {recursive: true});
    await make();
    expect((await found()).problems).toEqual([expect.stringMatching(/^home\/.gemini\/policies error /)]);
    expect((await found()).problems[0]).toContain(said);
  });

  test('are not passed over when .gemini of the home directory is a file; a project may have one [authority.broken]', async () => {
    await put('defaults/a.toml', 'home/.gemini', 'project/.gemini');
    expect((await found()).problems).toEqual([
      'home/.gemini/policies error There are no rules at home/.gemini/policies.',
    ]);
  });

  test('that cannot be read are errors, and the others still count', async () => {
    await put('defaults/a.toml', 'home/.gemini/policies/u.toml');
    await mkdir(join(base, 'home/.gemini/policies/dir.toml'));
    await writeFile(join(base, 'home/.gemini/policies/latin.toml'), Buffer.from([0x61, 0xe9]));
    const {files} = findRuleFiles(places());
    const {rules, problems} = await readRuleFiles(files, {knownTools: []});
    expect([
      rules.map(({source}) => source.label),
      problems.map((problem) => renderProblem(problem).replaceAll(`${base}/`, '')),
    ]).toEqual([
      ['Default: a.toml:1', 'User: u.toml:1'],
      [
        'home/.gemini/policies/dir.toml error The file cannot be read: it is a directory, not a file.\n  None of ' +
          'its rules count until it is a file.',
        'home/.gemini/policies/latin.toml error The file is not UTF-8.\n  None of its rules count until it is ' +
          'saved as UTF-8.',
      ],
    ]);
  });

  test('of the administrator that are broken stop the start, with the place', async () => {
    await put('defaults/a.toml', 'system/s.toml');
    await writeFile(join(base, 'system/s.toml'), `${RULE}[[rule]]\ntoolName = \n`);
    const {files} = findRuleFiles(places());
    const {problems} = await readRuleFiles(files, {knownTools: []});
    expect(findBroken(problems)).toMatchObject({
      code: 'POLICY_ADMIN_BROKEN',
      message:
        `The administrator's rules in ${base}/system/s.toml are broken at line 6, column 12: The file is not TOML: ` +
        'invalid value.',
      hint: 'Nothing runs until an administrator has corrected the file. gemini policy check shows every fault.',
    });
    expect(findBroken(problems.map((problem) => ({...problem, tier: 'user' as const})))).toMatchObject({
      code: 'POLICY_BROKEN',
      hint: 'Nothing runs until the file is corrected. gemini policy check shows every fault.',
    });
    expect(findBroken(problems.map((problem) => ({...problem, severity: 'warning' as const})))).toBeUndefined();
  });

  test('are named by settings, flags and projects', () => {
    const layers = [
      {layer: 'user', value: ['a', 5]},
      {layer: 'workspace', value: ['b']},
      {layer: 'flag', value: 'c'},
      {layer: 'system', value: 'd', managed: true},
    ] as const;
    expect(namedPathsOf({layers})).toEqual([
      {path: 'a', origin: 'settings'},
      {path: 'b', origin: 'project'},
      {path: 'c', origin: 'flag'},
      {path: 'd', origin: 'admin'},
    ]);
  });

  test.each([
    ['linux', '/etc/gemini-cli/policies'],
    ['darwin', '/Library/Application Support/GeminiCli/policies'],
    ['win32', 'C:\\ProgramData\\gemini-cli\\policies'],
  ] as const)('of the administrator lie where %s keeps such', (platform, folder) => {
    expect(systemFolderOf(platform)).toBe(folder);
  });
});

describe("the administrator's folder", () => {
  const fine = async (): Promise<undefined> => undefined;
  /** Every path belongs to root with the mode 755, except what `touched` gives another owner or mode. */
  const check = (
    folder: string,
    touched: Record<string, {uid?: number; mode?: number}> = {},
  ): ReturnType<typeof findAdminFault> =>
    findAdminFault(folder, {
      platform: 'linux',
      findAccessFault: fine,
      async statusOf(path) {
        const kind = (await lstat(path)).mode & 0o170000;
        const {uid = 0, mode = 0o755} = touched[path.replace(`${base}/`, '')] ?? {};
        return {uid, mode: kind | mode};
      },
    });

  test('that root owns and others only read is accepted, and so is a missing one', async () => {
    await put('system/s.toml');
    expect([await check(join(base, 'system')), await check(join(base, 'gone'))]).toEqual([undefined, undefined]);
  });

  test.each<[string, Record<string, {uid?: number; mode?: number}>, string, string]>([
    [
      'a file of another user',
      {'system/s.toml': {uid: 1000}},
      'BASE/system/s.toml is not owned by root',
      'Run: sudo chown root:root BASE/system/s.toml',
    ],
    [
      'a file that others write',
      {'system/s.toml': {mode: 0o666}},
      'BASE/system/s.toml can be written by others than its owner',
      'Run: sudo chmod go-w BASE/system/s.toml',
    ],
    [
      'a folder that its group writes',
      {system: {mode: 0o775}},
      'BASE/system can be written by others than its owner',
      'Run: sudo chmod go-w BASE/system',
    ],
    [
      'a folder that others write, sticky or not',
      {system: {mode: 0o1777}},
      'BASE/system can be written by others than its owner',
      'Run: sudo chmod go-w BASE/system',
    ],
    [
      'several things at once',
      {system: {uid: 5, mode: 0o777}, 'system/it s.toml': {uid: 6}},
      'BASE/system is not owned by root; BASE/system can be written by others than its owner; BASE/system/it ' +
        's.toml is not owned by root',
      "Run: sudo chown root:root BASE/system 'BASE/system/it s.toml' && sudo chmod go-w BASE/system",
    ],
  ])('with %s stops the start and says what to run', async (_, status, what, hint) => {
    await put('system/s.toml', 'system/it s.toml');
    const fault = await check(join(base, 'system'), status);
    expect({code: fault?.code, message: fault?.message, hint: fault?.hint}).toEqual({
      code: 'POLICY_ADMIN_UNSAFE',
      message: `The administrator's rules could have been changed by another user: ${what.replaceAll('BASE', base)}.`,
      hint: hint.replaceAll('BASE', base),
    });
  });

  test('below a folder of another user stops the start', async () => {
    await put('outer/system/s.toml');
    expect((await check(join(base, 'outer/system'), {outer: {uid: 7}}))?.hint).toBe(
      `Run: sudo chown root:root ${base}/outer`,
    );
  });

  test('that is a link, or holds one, stops the start', async () => {
    await put('real/s.toml', 'system/a.toml');
    await symlink(join(base, 'real'), join(base, 'linked'));
    await symlink(join(base, 'real/s.toml'), join(base, 'system/b.toml'));
    const hints = [(await check(join(base, 'linked')))?.hint, (await check(join(base, 'system')))?.hint];
    expect(hints).toEqual([
      `Put the real thing in place of ${base}/linked.`,
      `Put the real thing in place of ${base}/system/b.toml.`,
    ]);
  });

  test('that is a file stops the start', async () => {
    await put('system');
    expect(await check(join(base, 'system'))).toMatchObject({
      code: 'POLICY_ADMIN_BROKEN',
      message: expect.stringMatching(/it is not a folder\.$/),
    });
  });

  where(isRoot, 'root')('really is looked at', async () => {
    await put('system/s.toml');
    const look = (): ReturnType<typeof findAdminFault> =>
      findAdminFault(join(base, 'system'), {platform: 'linux', findAccessFault: fine});
    await chmod(base, 0o755);
    const before = await look();
    await chown(join(base, 'system/s.toml'), 1234, 1234);
    await chmod(join(base, 'system'), 0o777);
    const after = await look();
    expect([before, after?.hint]).toEqual([
      undefined,
      `Run: sudo chown root:root ${base}/system/s.toml && sudo chmod go-w ${base}/system`,
    ]);
  });

  test('on Windows is judged by its access lists', async () => {
    await put('system/s.toml');
    const folder = join(base, 'system');
    const asked: string[] = [];
    const findAccessFault = async (path: string, subject: string): Promise<string | undefined> => {
      asked.push(`${path.replace(`${base}/`, '')} ${subject}`);
      return subject === 'file' ? 'the file is not owned by an administrator' : undefined;
    };
    const fault = await findAdminFault(folder, {platform: 'win32', findAccessFault});
    const file = `${folder}\\s.toml`;
    expect([asked, fault?.message, fault?.hint]).toEqual([
      ['system directory', 'system\\s.toml file'],
      `The administrator's rules could have been changed by another user: ${file}: the file is not owned by an ` +
        'administrator.',
      `Run as administrator: icacls "${file}" /setowner *S-1-5-32-544 && icacls "${file}" /inheritance:r /grant:r ` +
        '*S-1-5-32-544:F *S-1-5-18:F *S-1-5-32-545:RX',
    ]);
  });
});

test('problems are sorted by file and place and shown as compilers do', () => {
  const common = {tier: 'user', message: 'm.'} as const;
  const diagnosis = diagnose([
    {...common, severity: 'warning', file: '/b', line: 2, column: 1},
    {...common, severity: 'error', file: '/b', line: 2, column: 1, hint: 'h.'},
    {...common, severity: 'error', file: '/b'},
    {...common, severity: 'warning', file: '/a', line: 10, column: 3},
  ]);
  expect({...diagnosis, problems: diagnosis.problems.map(renderProblem)}).toEqual({
    problems: ['/a:10:3 warning m.', '/b error m.', '/b:2:1 error m.\n  h.', '/b:2:1 warning m.'],
    errors: 2,
    warnings: 2,
  });
});
