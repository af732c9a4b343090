import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describeStale, findStaleModules} from '../find-stale-modules.js';
import {findingsOf, type Finding, type Subject} from './subject.js';

/** Manifests that do not match the code, files that `npm pack` would omit, and compiled files without a source. */
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
      isStale ? ['The manifests do not match the compiled code. Run gemini plugins build.'] : [],
    ),
    ...findingsOf(
      'error',
      'packed',
      unpacked.map((name) => `npm pack omits ${name}. Add it to "files" in package.json.`),
    ),
    ...findingsOf('error', 'stale', (await findStaleModules(root)).map(describeStale)),
  ];
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A damaged manifest counts as stale: rebuild it.
    return undefined;
  }
}
