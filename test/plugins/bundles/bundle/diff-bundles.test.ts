import {expect, test} from '@jest/globals';
import {makeTeam, type PlatformTeam} from './platform-team.js';

async function releaseTwo(team: PlatformTeam): Promise<readonly [string, string]> {
  await team.write('policies/net.toml', 'a = 1\nb = 2\n');
  const first = await team.release({policies: ['policies/net.toml'], settings: {enforced: {general: {vimMode: true}}}});
  team.registry.publish({
    name: 'counter',
    version: '2.1.0',
    manifest: null,
    files: {'index.js': 'export const count = 4;\n'},
  });
  team.registry.publish({
    name: '@corp/words',
    version: '1.1.0',
    pack: {dependencies: {counter: '^2.1.0'}},
    manifest: {capabilities: ['fs:read', 'net:*']},
    files: {'dist/more.js': ''},
  });
  await team.write('policies/net.toml', 'a = 1\nb = 3\n');
  const second = await team.release({
    serial: 2,
    plugins: [{name: '@corp/words', version: '1.1.0'}],
    policies: ['policies/net.toml'],
    settings: {enforced: {general: {vimMode: false}}},
    expires: '2040-01-01T00:00:00Z',
  });
  return [first, second];
}

test(
  'a reviewer sees new capabilities first, then code, policies and terms; the name of an applied bundle stands for ' +
    'what is in force, and it does not differ from itself',
  async () => {
    await using team = await makeTeam();
    const [first, second] = await releaseTwo(team);
    const {code, stdout} = await team.elsewhere('bundle', 'diff', first, second, '--exit-code');
    expect({code, lines: stdout.trimEnd().split('\n')}).toEqual({
      code: 1,
      lines: [
        'corp 1 -> corp 2',
        '',
        'CAPABILITIES',
        '  + @corp/words may now: net:*',
        '',
        'Plugins',
        '  ~ @corp/words 1.0.0 -> 1.1.0',
        '      dependency ~ counter',
        '      file + dist/more.js',
        '      file ~ dist/tools/echo.js',
        '      file ~ gemini.plugin.json',
        '      file ~ oclif.manifest.json',
        '      file ~ package.json',
        '',
        'Policies',
        '  ~ policies/net.toml',
        '      -b = 2',
        '      +b = 3',
        '',
        'Terms',
        '  ~ serial: 1 -> 2',
        '  + expires: "2040-01-01T00:00:00Z"',
        '  ~ settings.enforced.general.vimMode: true -> false',
      ],
    });
    await team.apply(first);
    expect(await team.elsewhere('bundle', 'diff', 'corp', first, '--exit-code')).toMatchObject({
      code: 0,
      stdout: 'corp 1 -> corp 1: no differences.\n',
    });
    const {stdout: json} = await team.elsewhere('bundle', 'diff', 'corp', second, '--json');
    expect(JSON.parse(json)).toMatchObject({
      plugins: [{name: '@corp/words', change: 'changed', before: '1.0.0', after: '1.1.0', gained: ['net:*'], lost: []}],
      policies: [{path: 'policies/net.toml', lines: ['-b = 2', '+b = 3']}],
    });
  },
  60_000,
);
