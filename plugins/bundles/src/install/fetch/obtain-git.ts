import {mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {fetchGit, hideCredentials, reasonOfGit} from '@gemini-kernel/files/sources';
import {KernelError} from '@gemini-kernel/kernel';
import {satisfies} from '@gemini-kernel/kernel/host';
import type {PluginSource} from '@gemini-kernel/admission';
import {isOlder} from '../judge/is-older.js';
import {judgeEarly} from '../judge/judge-rules.js';
import type {Installer} from '../source/installer.js';
import type {WantedPlugin} from '../source/parse-spec.js';
import {integrityOf} from './integrity.js';
import type {ObtainedArchive} from './obtained-archive.js';
import {packFolder} from './pack-folder.js';
import {gitOptions, placeOf, runGit} from './run-program.js';

type WantedGit = Extract<WantedPlugin, {readonly type: 'git'}>;

/**
 * Fetches one commit of a repository and packs it. A plugin in a repository has to be committed with its build output:
 * none of its scripts runs.
 */
export async function obtainGit(installer: Installer, wanted: WantedGit, work: string): Promise<ObtainedArchive> {
  const {location} = wanted;
  judgeEarly(installer, {source: {type: 'git', location, commit: '0'.repeat(40)}, name: wanted.name});
  const folder = join(work, 'repository');
  await mkdir(folder, {recursive: true, mode: 0o755});
  const failed = (reason: string): KernelError =>
    new KernelError('INSTALL_UNREACHABLE', `Cannot get ${hideCredentials(location)}: ${reason}.`, {
      hint: 'Try `git ls-remote` with the same address. Installed plugins are unchanged.',
    });
  const git = async (...args: readonly string[]): Promise<string> => {
    const {code, stdout, stderr} = await runGit(installer, {args, directory: folder});
    if (code !== 0) throw failed(reasonOfGit(stderr));
    return stdout;
  };
  // If the user's git configuration rewrites an address, the rewritten one is the real source.
  const real = (await git('ls-remote', '--get-url', location)).trim();
  if (real !== location)
    judgeEarly(installer, {source: {type: 'git', location: real, commit: '0'.repeat(40)}, name: wanted.name});
  const ref = wanted.range ? await findTag(git, location, wanted.range) : (wanted.wanted ?? 'HEAD');
  const [place, options] = [placeOf(installer, folder), gitOptions(installer)];
  const commit = await fetchGit({place, location, ref, options, failed});
  await rm(join(folder, '.git'), {recursive: true, force: true});
  const bytes = await packFolder(installer, folder, work);
  const written = wanted.range ? `semver:${wanted.range}` : wanted.wanted;
  const source: PluginSource = {type: 'git', location, commit, ...(written ? {wanted: written} : {})};
  return {bytes, integrity: integrityOf(bytes), source};
}

type Git = (...args: readonly string[]) => Promise<string>;

async function findTag(git: Git, location: string, range: string): Promise<string> {
  const tags = (await git('ls-remote', '--tags', '--refs', '--', location))
    .split('\n')
    .flatMap(
      (line) => (/refs\/tags\/(v?(\d+\.\d+\.\d+))$/.exec(line)?.slice(1, 3) as [string, string] | undefined) ?? [],
    );
  const pairs = Array.from({length: tags.length / 2}, (_, index) => ({
    tag: tags[index * 2] ?? '',
    version: tags[index * 2 + 1] ?? '',
  }));
  const [best] = pairs
    .filter(({version}) => satisfies(version, range))
    .sort((a, b) => (isOlder(a.version, b.version) ? 1 : -1));
  if (best) return `refs/tags/${best.tag}`;
  throw new KernelError('INSTALL_MISSING', `${hideCredentials(location)} has no tag that satisfies ${range}.`, {
    hint: `Its tags: ${
      pairs
        .slice(-5)
        .map(({tag}) => tag)
        .join(', ') || 'none'
    }.`,
  });
}
