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

const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** A name of a registry; paths and addresses are not. */
const SPEC = /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(@[\w.^~<>=*| +-]+)?$/i;

export interface FetchedPackage {
  readonly bytes: Buffer;
  /** The version that was chosen for the name, as the registry has it. */
  readonly version: string;
}

/** The archive of a package, from the registry that the person's npm uses. npm checks its integrity. */
export async function fetchNpm({place, spec, limit, failed}: NpmFetch): Promise<FetchedPackage> {
  if (!SPEC.test(spec)) throw failed(`${JSON.stringify(spec)} is not the name of a package`);
  // Without one, npm takes the next folder above that has one, and obeys its .npmrc: that of others, in /tmp.
  await writeFile(join(place.folder, 'package.json'), '{}\n', {flag: 'wx'});
  const {code, stdout, stderr} = await runNpm(
    ['pack', '--json', '--pack-destination', place.folder, '--', spec],
    place,
  );
  const [name] = (await readdir(place.folder)).filter((one) => one.endsWith('.tgz'));
  if (code !== 0 || name === undefined) throw failed(reasonOfNpm(stderr));
  const version = versionIn(stdout);
  if (version === undefined) throw failed('npm did not say which version it fetched');
  return {bytes: await readRegular(join(place.folder, name), {limit}), version};
}

/** Of the list that `npm pack --json` prints. */
function versionIn(stdout: string): string | undefined {
  try {
    const [first] = JSON.parse(stdout) as readonly ({readonly version?: unknown} | null)[];
    return typeof first?.version === 'string' && VERSION.test(first.version) ? first.version : undefined;
  } catch {
    // Another npm, which prints something else.
    return undefined;
  }
}

function reasonOfNpm(stderr: string): string {
  const line = stderr
    .split('\n')
    .map((one) => one.replace(/^npm (error|ERR!)\s*/, '').trim())
    .find((one) => one !== '' && !one.startsWith('code '));
  return hideCredentials(line ?? 'npm failed without a reason').replace(/\.$/, '');
}
