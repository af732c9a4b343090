import {isDueToday} from '@gemini-kernel/files/writing';
import {remoteCommit} from '@gemini-kernel/files/sources';
import {isKernelError, KernelError, type Environment, type Notice} from '@gemini-kernel/kernel';
import type {LockedExtension} from './extension-lock.js';
import {installExtension, type Installation} from './install-extension.js';

export interface AutoUpdate extends Pick<Installation, 'judge' | 'lock' | 'signal'> {
  readonly environment: Pick<Environment, 'home' | 'platform' | 'variables'>;
  /** Keeps when updates were last looked for. */
  readonly record: string;
  readonly now: Date;
  tell(notice: Notice): void;
}

/**
 * Installs new versions of extensions that have automatic updates, unless one brings something that was not agreed to.
 * Looks once a day; what cannot be reached is looked for again the next day.
 */
export async function autoUpdate(update: AutoUpdate): Promise<void> {
  const wanted = Object.entries(await update.lock.read()).filter(
    ([, {autoUpdate: isWanted, source}]) => isWanted === true && source.type === 'git',
  );
  if (wanted.length === 0 || !(await isDueToday(update.record, update.now))) return;
  for (const [name, entry] of wanted)
    await updateOne(update, name, entry).catch((error: unknown) => {
      if (update.signal.aborted || !isKernelError(error)) throw error;
      if (error.code !== 'EXTENSION_UNREACHABLE') tellWhy(update, name, error);
    });
}

async function updateOne(update: AutoUpdate, name: string, {source, version}: LockedExtension): Promise<void> {
  const {lock, signal, judge, tell} = update;
  // What rules refuse is not used, and its source is not asked.
  const isAllowed = await judge(name, source).then(
    () => true,
    () => false,
  );
  if (!isAllowed) return;
  // No one answers: neither git nor ssh may ask at the terminal.
  const variables = {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    ...update.environment.variables,
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
  };
  const {home, platform} = update.environment;
  const failed = (reason: string): KernelError => new KernelError('EXTENSION_UNREACHABLE', `${reason}.`);
  const place = {folder: home, platform, variables, signal, missing: failed};
  const commit = await remoteCommit({place, location: source.location, ref: source.ref ?? 'HEAD', failed});
  if (commit === undefined || commit === source.commit) return;
  const {commit: _, ...asked} = source;
  const means = {isAgreed: false, ask: async () => ({outcome: 'nobody'}) as const, show: () => undefined};
  const done = await installExtension({
    lock,
    signal,
    judge,
    source: asked,
    environment: {platform, variables},
    means,
    name,
  });
  if (!done.isSame)
    tell({
      code: 'EXTENSION_UPDATED',
      level: 'info',
      sentence: `The extension "${name}" was updated from ${version} to ${done.version}, from the next start on.`,
    });
}

function tellWhy({tell}: AutoUpdate, name: string, error: Error & {readonly code: string}): void {
  const sentence =
    error.code === 'EXTENSION_REFUSED'
      ? `A new version of the extension "${name}" needs your consent. See it with \`gemini extensions update ${name}\`.`
      : `The extension "${name}" was not updated: ${error.message}`;
  tell({code: 'EXTENSION_NOT_UPDATED', level: 'info', sentence, once: sentence});
}
