import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describeStale, findStaleModules} from '../find-stale-modules.js';
import {findingsOf, type Finding, type Subject} from './subject.js';

/** Manifests that are not those of the code, what `npm pack` would leave out, and compiled files without a source. */
export async function checkFiles({root, manifest, pjson: {files}}: Subject): Promise<readonly Finding[]> {
  const written = await readFile(join(root, 'gemini.plugin.json'), 'utf8').catch(() => '{}');
  const isStale =
    JSON.stringify(parseOr(written)) !== JSON.stringify(manifest) || !existsSync(join(root, 'oclif.manifest.json'));
  const unpacked = ['dist', 'gemini.plugin.json', 'oclif.manifest.json'].filter(
    (name) => files && !files.some((one) => one.replace(/^\.?\/|\/$/g, '') === name),
  );
  return [
    ...findingsOf(
      'error',
      'manifest',
      isStale ? ['The manifests are not those of the compiled code. Run gemini plugins build.'] : [],
    ),
    ...findingsOf(
      'error',
      'packed',
      unpacked.map((name) => `npm pack leaves ${name} out. Add it to "files" in package.json.`),
    ),
    ...findingsOf('error', 'stale', (await findStaleModules(root)).map(describeStale)),
  ];
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Damaged is as good as stale: it is to be built again.
    return undefined;
  }
}
