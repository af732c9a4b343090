import {execFileSync, spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

/** An image that podman has, and the variables that podman runs with. */
export interface ContainerImage {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
}

const PROGRAMS = ['/bin/sh', '/bin/cat', '/bin/ls', '/bin/sleep', '/usr/bin/env', '/usr/bin/id', '/usr/bin/touch'];
/** For machines in which a container cannot raise limits, and whose groups of control are of two kinds. */
const CONFIGURATION =
  '[engine]\nruntime = "runc"\n[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n';

/** Makes an image of programs of this machine, so that nothing is fetched; undefined where podman runs no container. */
export function findContainerImage(): ContainerImage | undefined {
  if (spawnSync('podman', ['--version']).status !== 0) return undefined;
  const name = `localhost/gemini-test:${process.version}`;
  if (spawnSync('podman', ['image', 'exists', name]).status !== 0 && !makeImage(name)) return undefined;
  const file = join(tmpdir(), `gemini-containers-${process.getuid?.()}.conf`);
  writeFileSync(file, CONFIGURATION);
  const candidates: readonly Readonly<Record<string, string>>[] = [{}, {CONTAINERS_CONF: file}];
  const variables = candidates.find((one) => canRun(name, one));
  return variables && {name, variables};
}

function canRun(name: string, variables: Readonly<Record<string, string>>): boolean {
  const words = ['run', '--rm', '--init', name, '/bin/sh', '-c', 'exit 7'];
  return spawnSync('podman', words, {env: {...process.env, ...variables}, timeout: 20_000}).status === 7;
}

function makeImage(name: string): boolean {
  const root = mkdtempSync(join(tmpdir(), 'gemini-image-'));
  try {
    fillRoot(root, PROGRAMS);
    execFileSync('sh', ['-c', 'tar -C "$0" -cf - . | podman import - "$1"', root, name], {stdio: 'ignore'});
    return true;
  } catch {
    // Then its tests are left out by name.
    return false;
  } finally {
    rmSync(root, {recursive: true});
  }
}

/** The files of a container: Node and some programs of this machine, with what they need. */
export function fillRoot(root: string, programs: readonly string[]): void {
  const add = (path: string, from = realpathSync(path)): void => {
    const target = join(root, path);
    if (existsSync(target)) return;
    mkdirSync(dirname(target), {recursive: true});
    copyFileSync(from, target);
    const libraries = spawnSync('ldd', [from], {encoding: 'utf8'}).stdout ?? '';
    for (const [library] of libraries.matchAll(/\/\S+/g)) if (library !== from) add(library);
  };
  for (const program of programs) add(program);
  add('/usr/bin/node', realpathSync(process.execPath));
  for (const folder of ['tmp', 'etc']) mkdirSync(join(root, folder), {recursive: true});
  writeFileSync(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
}
