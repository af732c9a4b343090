import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readRegular} from '../read-regular.js';
import {hideCredentials} from './fetch-git.js';
import {runNpm, type ProgramPlace} from './run-program.js';

export interface NpmFetch {
  /** Is there, and is empty; the archive is written there. */
  readonly place: ProgramPlace;
  /** A name, with a version or a tag. */
  readonly spec: string;
  readonly limit: number;
  /** Makes the error of a reason such as `404 Not Found`. */
  failed(reason: string): Error;
}

/** A name of a registry; paths and addresses are not. */
const SPEC = /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(@[\w.^~<>=*| +-]+)?$/i;

/** The archive of a package, from the registry that the person's npm uses. npm checks its integrity. */
export async function fetchNpm({place, spec, limit, failed}: NpmFetch): Promise<Buffer> {
  if (!SPEC.test(spec)) throw failed(`${JSON.stringify(spec)} is not the name of a package`);
  // Without one, npm takes the next folder above that has one, and obeys its .npmrc: that of others, in /tmp.
  await writeFile(join(place.folder, 'package.json'), '{}\n', {flag: 'wx'});
  const {code, stderr} = await runNpm(['pack', '--pack-destination', place.folder, '--', spec], place);
  const [name] = (await readdir(place.folder)).filter((one) => one.endsWith('.tgz'));
  if (code !== 0 || name === undefined) throw failed(reasonOfNpm(stderr));
  return readRegular(join(place.folder, name), {limit});
}

function reasonOfNpm(stderr: string): string {
  const line = stderr
    .split('\n')
    .map((one) => one.replace(/^npm (error|ERR!)\s*/, '').trim())
    .find((one) => one !== '' && !one.startsWith('code '));
  return hideCredentials(line ?? 'npm failed without a reason').replace(/\.$/, '');
}
