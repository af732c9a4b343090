import {spawnSync} from 'node:child_process';
import {join, posix, win32} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import {findPlaces} from '@gemini-kernel/admission/start';
import {checkout} from '../helpers/plugin-root.js';
import {where} from '../helpers/where.js';

const {settleVariables} = (await import(
  pathToFileURL(join(checkout, 'bin/dist/settle-variables.js')).href
)) as typeof import('../../bin/src/settle-variables.js');

test.each<[string, Parameters<typeof findPlaces>[0], Omit<ReturnType<typeof findPlaces>, 'installs'>]>([
  [
    'Linux',
    {platform: 'linux', user: '/home/ada', variables: {}},
    {home: '/home/ada', cache: '/home/ada/.cache/gemini', data: '/home/ada/.local/share/gemini'},
  ],
  [
    'macOS',
    {platform: 'darwin', user: '/Users/ada', variables: {}},
    {home: '/Users/ada', cache: '/Users/ada/Library/Caches/gemini', data: '/Users/ada/.local/share/gemini'},
  ],
  [
    'Windows',
    {platform: 'win32', user: 'C:\\Users\\ada', variables: {LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local'}},
    {
      home: 'C:\\Users\\ada',
      cache: 'C:\\Users\\ada\\AppData\\Local\\gemini',
      data: 'C:\\Users\\ada\\AppData\\Local\\gemini',
    },
  ],
  [
    'a system whose places were moved by variables',
    {
      platform: 'linux',
      user: '/home/ada',
      variables: {GEMINI_CLI_HOME: '/g', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/c', GEMINI_DATA_DIR: '/e'},
    },
    {home: '/g', cache: '/c/gemini', data: '/e'},
  ],
])('the places of %s are where its people look for them', (_, system, places) => {
  const {installs, ...rest} = findPlaces(system);
  expect(rest).toEqual(places);
  const {join} = system.platform === 'win32' ? win32 : posix;
  expect(installs.user).toEqual({
    lock: join(places.data, 'plugins.lock.json'),
    store: join(places.data, 'store'),
    bundles: join(places.data, 'bundles'),
  });
});

test.each([
  ['linux', '/etc/gemini-cli/plugins.d', '/etc/gemini-cli/plugins.lock.json', '/var/lib/gemini-cli/store', 0],
  [
    'darwin',
    '/Library/Application Support/GeminiCli/plugins.d',
    '/Library/Application Support/GeminiCli/plugins.lock.json',
    '/Library/Application Support/GeminiCli/store',
    0,
  ],
  [
    'win32',
    'C:\\Program Files\\gemini-cli\\plugins.d',
    'C:\\Program Files\\gemini-cli\\plugins.lock.json',
    'C:\\Program Files\\gemini-cli\\store',
    undefined,
  ],
] as const)('no variable moves what the administrator of %s says', (platform, rules, lock, store, owner) => {
  const everything = new Proxy<Record<string, string>>({}, {get: () => '/moved'});
  const {system} = findPlaces({platform, user: '/home/ada', variables: everything}).installs;
  expect(system).toMatchObject({rules, lock, store, owner});
});

test.each([
  ['an empty home', {HOME: ''}, {HOME: '/home/ada'}],
  ['a home in the current folder', {HOME: 'here', XDG_DATA_HOME: './data'}, {HOME: '/home/ada'}],
  ['no home', {PATH: '/bin'}, {PATH: '/bin', HOME: '/home/ada'}],
  [
    'places of their own',
    {HOME: '/h', XDG_CACHE_HOME: '/c', GEMINI_CLI_HOME: '/g'},
    {HOME: '/h', XDG_CACHE_HOME: '/c', GEMINI_CLI_HOME: '/g'},
  ],
  [
    'relative ones among them',
    {HOME: '/h', XDG_CACHE_HOME: 'c', GEMINI_CLI_HOME: 'g', GEMINI_DATA_DIR: ''},
    {HOME: '/h'},
  ],
])(
  'a project cannot stand in for the person: variables with %s are settled',
  (_, variables: Record<string, string | undefined>, settled) => {
    settleVariables(variables, () => ({homedir: '/home/ada'}));
    expect(variables).toEqual(settled);
  },
);

test('a user whom the system does not know gets the hint to set HOME [home.missing]', () => {
  const unknown = (): never => {
    throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), {code: 'ERR_SYSTEM_ERROR'});
  };
  expect(() => settleVariables({}, unknown)).toThrow(
    expect.objectContaining({code: 'HOME_MISSING', hint: expect.stringContaining('Set HOME')}),
  );
  const variables = {HOME: '/h'};
  settleVariables(variables, unknown);
  expect(variables).toEqual({HOME: '/h'});
});

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
where(isRoot, 'root on Linux')(
  'a process of a user whom the system does not know, without HOME, ends with a sentence [home.missing]',
  () => {
    const words = [
      '--reuid',
      '54321',
      '--regid',
      '54321',
      '--clear-groups',
      process.execPath,
      join(checkout, 'bin', 'gemini.cjs'),
      'directory',
      'show',
      '--json',
    ];
    const {status, stdout, stderr} = spawnSync('setpriv', words, {
      cwd: '/',
      env: {PATH: process.env['PATH'] ?? ''},
      encoding: 'utf8',
    });
    expect([status, JSON.parse(stdout), stderr]).toEqual([
      42,
      {error: expect.objectContaining({code: 'HOME_MISSING', exit: 42})},
      'Error: There is no home directory: HOME is not set, and the system does not know this user.\nSet HOME to a ' +
        'directory that you can write, for example HOME=/tmp/home.\n',
    ]);
  },
);
