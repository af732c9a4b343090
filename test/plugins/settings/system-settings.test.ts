import {describe, expect, test} from '@jest/globals';
import {findOwnershipFault} from '#plugins/settings/dist/system-settings.js';
import {findAccessFault} from '#plugins/settings/dist/windows-access.js';
import {findSettingsPlaces} from '#plugins/settings/dist/settings-places.js';

describe('a system file on Linux and macOS', () => {
  const file = {uid: 0, mode: 0o100644};
  const directory = {uid: 0, mode: 0o40755};
  test.each<[string, Parameters<typeof findOwnershipFault>, string | undefined]>([
    ['of root, written by root only, counts', [file, directory], undefined],
    [
      'that root alone can read counts',
      [
        {uid: 0, mode: 0o100600},
        {uid: 0, mode: 0o40700},
      ],
      undefined,
    ],
    ['of another user does not', [{...file, uid: 1000}, directory], 'the file is not owned by root'],
    [
      'in a directory of another user does not',
      [file, {...directory, uid: 1000}],
      'its directory is not owned by root',
    ],
    [
      'that its group can write does not',
      [{...file, mode: 0o100664}, directory],
      'the file is writable by other users',
    ],
    [
      'that everybody can write does not',
      [{...file, mode: 0o100646}, directory],
      'the file is writable by other users',
    ],
    [
      'in a directory that its group can write does not',
      [file, {...directory, mode: 0o40775}],
      'its directory is writable by other users',
    ],
    [
      'in a directory like /tmp does not',
      [file, {...directory, mode: 0o41777}],
      'its directory is writable by other users',
    ],
  ])('%s', (_, [one, other], fault) => {
    expect(findOwnershipFault(one, other)).toBe(fault);
  });
});

describe('a system file on Windows', () => {
  const inherited = 'O:BAG:SYD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)';
  test.each<[string, [string, 'file' | 'directory'], string | undefined]>([
    ['of Administrators that Users can read counts', [inherited, 'file'], undefined],
    [
      'of TrustedInstaller counts',
      [
        'O:S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464G:SYD:PAI(A;;0x1301bf;;;SY)(A;;FR;;;BU)',
        'file',
      ],
      undefined,
    ],
    [
      'of a user does not',
      ['O:S-1-5-21-1-2-3-1001G:SYD:(A;;FA;;;SY)', 'file'],
      'the file is not owned by an administrator',
    ],
    [
      'that Users can change does not',
      ['O:BAG:SYD:(A;;FA;;;SY)(A;;0x1301bf;;;BU)', 'file'],
      'the file can be changed by others than administrators',
    ],
    [
      'that Everyone owns by letters does not',
      ['O:BAG:SYD:(A;;FA;;;WD)', 'file'],
      'the file can be changed by others than administrators',
    ],
    ['that is denied to some counts', ['O:SYG:SYD:(D;;FA;;;BG)(A;;FA;;;BA)', 'file'], undefined],
    ['without a list does not', ['O:BAG:SYD:NO_ACCESS_CONTROL', 'file'], 'the file can be changed by anyone'],
    ['without an owner does not', ['', 'file'], 'the file is not owned by an administrator'],
    [
      'in a directory where Users can add files, as ProgramData is, counts',
      ['O:BAG:SYD:AI(A;OICIID;FA;;;SY)(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)', 'directory'],
      undefined,
    ],
    [
      'in a directory where Users can delete files does not',
      ['O:BAG:SYD:(A;;0x1301ff;;;BU)', 'directory'],
      'its directory can be changed by others than administrators',
    ],
  ])('%s', (_, [descriptor, subject], fault) => {
    expect(findAccessFault(descriptor, subject)).toBe(fault);
  });
});

describe('the places of the files', () => {
  const common = {cwd: '/project', home: '/home/me', variables: {}};
  test.each<[string, Parameters<typeof findSettingsPlaces>[0], Omit<ReturnType<typeof findSettingsPlaces>, 'unused'>]>([
    [
      'on Linux',
      {...common, platform: 'linux'},
      {
        systemDefaults: '/etc/gemini-cli/system-defaults.json',
        user: '/home/me/.gemini/settings.json',
        workspace: '/project/.gemini/settings.json',
        system: '/etc/gemini-cli/settings.json',
      },
    ],
    [
      'on macOS',
      {...common, platform: 'darwin'},
      {
        systemDefaults: '/Library/Application Support/GeminiCli/system-defaults.json',
        user: '/home/me/.gemini/settings.json',
        workspace: '/project/.gemini/settings.json',
        system: '/Library/Application Support/GeminiCli/settings.json',
      },
    ],
    [
      'on Windows',
      {cwd: 'D:\\project', home: 'C:\\Users\\me', variables: {}, platform: 'win32'},
      {
        systemDefaults: 'C:\\ProgramData\\gemini-cli\\system-defaults.json',
        user: 'C:\\Users\\me\\.gemini\\settings.json',
        workspace: 'D:\\project\\.gemini\\settings.json',
        system: 'C:\\ProgramData\\gemini-cli\\settings.json',
      },
    ],
    [
      'with a system file elsewhere, defaults beside it',
      {...common, platform: 'linux', variables: {GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/opt/g/s.json'}},
      {
        systemDefaults: '/opt/g/system-defaults.json',
        user: '/home/me/.gemini/settings.json',
        workspace: '/project/.gemini/settings.json',
        system: '/opt/g/s.json',
      },
    ],
    [
      'with system defaults elsewhere',
      {...common, platform: 'linux', variables: {GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/opt/d.json'}},
      {
        systemDefaults: '/opt/d.json',
        user: '/home/me/.gemini/settings.json',
        workspace: '/project/.gemini/settings.json',
        system: '/etc/gemini-cli/settings.json',
      },
    ],
  ])('%s', (_, environment, places) => {
    expect(findSettingsPlaces(environment)).toEqual({...places, unused: []});
  });
});
