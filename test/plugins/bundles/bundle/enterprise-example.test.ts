import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {checkout} from '../../../helpers/plugin-root.js';
import {runGemini} from '../../../helpers/run-gemini.js';
import {readBundle} from '#plugins/bundles/dist/bundle/read-bundle.js';
import {checkBundle} from '#plugins/bundles/dist/bundle/check-bundle.js';

const manifests = join(checkout, 'manifests/bundles');

test('the example for platform teams has known settings and sound policies, and can be locked', async () => {
  await using folder = await makeFolder();
  const written = await readBundle(join(manifests, 'enterprise-example.json'));
  await checkBundle(written);
  const paths = [...written.policies.keys()].map((path) => join(manifests, path));
  expect(await runGemini(['policy', 'check', ...paths], {cwd: folder.path, home: folder.path})).toMatchObject({
    code: 0,
    stdout: `${paths.length} files, 0 errors, 0 warnings.\n`,
  });
  expect(
    await runGemini(['bundle', 'lock', join(manifests, 'enterprise-example.json'), '--check'], {
      cwd: folder.path,
      home: folder.path,
    }),
  ).toMatchObject({code: 1, stderr: expect.stringContaining('it does not exist')});
});
