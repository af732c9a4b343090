import {describe, expect, test} from '@jest/globals';
import {openShell} from './open-shell.js';
import {
  emptyFile,
  familyOf,
  findLegacyEncoding,
  parseCodePage,
  parsePs,
  parseStat,
  shellArguments,
  shellCandidates,
  spawnOptions,
} from '#plugins/shell/dist/platform.js';
import {encodingOfLocale, findDecoder} from '#plugins/shell/dist/code-page.js';

describe('the shell', () => {
  test('is bash wherever PATH has it, then sh; never what stands in a relative folder', () => {
    expect(shellCandidates({platform: 'linux', variables: {PATH: '.:bin:/opt/bin:/bin'}})).toEqual([
      '/opt/bin/bash',
      '/bin/bash',
      '/usr/bin/bash',
      '/opt/bin/sh',
      '/bin/sh',
      '/usr/bin/sh',
    ]);
  });

  test('of Windows is PowerShell 7, else the one that is part of it', () => {
    expect(
      shellCandidates({
        platform: 'win32',
        variables: {Path: 'C:\\Program Files\\PowerShell\\7;bin', SystemRoot: 'C:\\Windows'},
      }),
    ).toEqual([
      'C:\\Program Files\\PowerShell\\7\\pwsh.exe',
      'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    ]);
  });

  test.each<[NodeJS.Platform, string, readonly string[]]>([
    ['linux', '/bin/bash', ['--norc', '-c', 'exec 2>&1; ls']],
    ['darwin', '/bin/sh', ['-c', 'exec 2>&1; ls']],
    [
      'win32',
      'C:\\pwsh.exe',
      [
        '-NoLogo',
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        '[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false); ls\nif ($?) { exit 0 } elseif ' +
          '($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }',
      ],
    ],
  ])('of %s is passed to the command', (platform, file, expected) => {
    expect(shellArguments(file, 'ls', platform)).toEqual(expected);
  });

  test('that is nowhere is an error of the call', async () => {
    await using kernel = await openShell();
    Object.assign(kernel.kernel.environment, {platform: 'win32', variables: {SystemRoot: kernel.home}});
    expect(await kernel.call('run_shell_command', {command: 'ls'})).toMatchObject({
      status: 'failed',
      error: {code: 'SHELL_MISSING'},
    });
  });

  test.each<[NodeJS.Platform, unknown]>([
    ['linux', {detached: true, windowsHide: true, empty: '/dev/null'}],
    ['darwin', {detached: true, windowsHide: true, empty: '/dev/null'}],
    ['win32', {detached: false, windowsHide: true, empty: 'NUL'}],
  ])('of %s is set apart so', (platform, expected) => {
    expect({...spawnOptions(platform), empty: emptyFile(platform)}).toEqual(expected);
  });
});

describe('processes', () => {
  test('are read from /proc, whatever their names hold', () => {
    expect([
      parseStat('4642 (sleep) S 4632 4632 4632 0 -1 4194304 103'),
      parseStat('77 (a) R (b c) Z 1 70 69 0 -1 4227084 0'),
      parseStat(''),
    ]).toEqual([
      {pid: 4642, parent: 4632, group: 4632, session: 4632, isZombie: false},
      {pid: 77, parent: 1, group: 70, session: 69, isZombie: true},
      undefined,
    ]);
  });

  test('are read from what ps of macOS prints', () => {
    expect(parsePs('    1     0     1 Ss\n  501     1   501 S+\n 8812   501  8812 Z\n')).toEqual([
      {pid: 1, parent: 0, group: 1, isZombie: false},
      {pid: 501, parent: 1, group: 501, isZombie: false},
      {pid: 8812, parent: 501, group: 8812, isZombie: true},
    ]);
  });

  test('belong to a command by group, by session or by descent', () => {
    const rows = [
      {pid: 1, parent: 0, group: 1, session: 1, isZombie: false},
      {pid: 10, parent: 1, group: 10, session: 10, isZombie: false},
      {pid: 11, parent: 10, group: 10, session: 10, isZombie: false},
      {pid: 12, parent: 1, group: 12, session: 10, isZombie: false},
      {pid: 14, parent: 13, group: 13, session: 13, isZombie: false},
      {pid: 13, parent: 11, group: 13, session: 13, isZombie: false},
      {pid: 15, parent: 10, group: 10, session: 10, isZombie: true},
      {pid: 20, parent: 1, group: 20, session: 20, isZombie: false},
    ];
    expect([...familyOf(10, rows)].sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14]);
  });
});

describe('output that is not UTF-8', () => {
  test.each<[string, string | undefined]>([
    ['Active code page: 437\r\n', 'cp437'],
    ['Aktive Codepage: 850.\r\n', 'cp850'],
    ['現在のコード ページ: 932\r\n', 'shift_jis'],
    ['Текущая кодовая страница: 866\r\n', 'ibm866'],
    ['Active code page: 1252\r\n', 'windows-1252'],
    ['Active code page: 65001\r\n', undefined],
    ['', undefined],
  ])('is decoded as chcp says: %j', (text, expected) => {
    expect(parseCodePage(text)).toBe(expected);
  });

  test.each<[string, string | undefined]>([
    ['de_DE.ISO-8859-1@euro', 'iso-8859-1'],
    ['de_DE.iso88591', 'iso-8859-1'],
    ['ja_JP.eucJP', 'euc-jp'],
    ['ja_JP.SJIS', 'sjis'],
    ['zh_CN.GBK', 'gbk'],
    ['ru_RU.KOI8-R', 'koi8-r'],
    ['en_US.UTF-8', undefined],
    ['C.utf8', undefined],
    ['C', undefined],
    ['', undefined],
    ['xx.martian', undefined],
  ])('is decoded as the locale %s says', (locale, expected) => {
    expect(encodingOfLocale(locale)).toBe(expected);
  });

  test('is decoded by the strongest variable of the locale', async () => {
    expect(
      await findLegacyEncoding({
        platform: 'linux',
        variables: {LANG: 'de_DE.ISO-8859-15', LC_ALL: '', LC_CTYPE: 'ru_RU.KOI8-R'},
      }),
    ).toBe('koi8-r');
  });

  test.each<[string, readonly number[], string]>([
    ['cp437', [0x81, 0x9b, 0xe1, 0x41], 'ü¢ßA'],
    ['cp850', [0x9b, 0x9d, 0xb5, 0xe1], 'øØÁß'],
    ['shift_jis', [0x83, 0x65, 0x83, 0x58], 'テス'],
    ['windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
  ])('in %s is read right', (encoding, bytes, text) => {
    expect(findDecoder(encoding)?.(Buffer.from(bytes))).toBe(text);
  });

  test('of a command is decoded by the locale of the person', async () => {
    await using kernel = await openShell({variables: {LANG: 'de_DE.ISO-8859-1'}});
    const outcome = await kernel.call('run_shell_command', {command: "printf 'gr\\374n'"});
    expect(outcome).toMatchObject({
      status: 'done',
      result: {model: expect.stringContaining('Output: grün\n'), data: {encoding: 'iso-8859-1'}},
    });
  });
});
