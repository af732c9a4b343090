import {realpath, stat} from 'node:fs/promises';
import {sep} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The directories among the roots of a client, as real paths. What cannot be used is named to `log`. */
export async function readRoots(
  uris: readonly string[],
  {within, log}: {readonly within?: string | undefined; log(line: string): void},
): Promise<readonly string[]> {
  const limit = within === undefined ? undefined : await realpath(within);
  const paths = await Promise.all(uris.map((uri) => readRoot(uri, limit).catch(() => undefined)));
  uris.forEach((uri, at) => {
    if (paths[at] === undefined) log(`The root ${JSON.stringify(uri)} of a client is not used.`);
  });
  return [...new Set(paths.filter((path) => path !== undefined))];
}

async function readRoot(uri: string, limit: string | undefined): Promise<string | undefined> {
  const path = await realpath(fileURLToPath(uri));
  if (!(await stat(path)).isDirectory()) return undefined;
  const isInside = limit === undefined || path === limit || path.startsWith(limit.endsWith(sep) ? limit : limit + sep);
  return isInside ? path : undefined;
}
